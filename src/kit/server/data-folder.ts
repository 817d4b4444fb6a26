import { accessSync, constants, lchownSync, lstatSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { open, readFile, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/**
 * The folder with all data of an installation. It and everything in it belong to one system user, also when root runs the server or a
 * command: the next time the user may run it.
 */

const isRoot = process.getuid?.() === 0

/** What this server creates in it; the folder `postgres` may have another owner. */
const ours = ['secrets', 'mail', 'uploads', 'deletions.log', 'server.lock', 'server.json']

/**
 * Creates the folder (mode 0700) when it is missing. Root gives its own files in another user's folder to that user; another user who
 * finds files of root gets an error.
 * @throws Error with a sentence for the operator
 */
export function prepareDataFolder(folder: string): void {
  try {
    makeFolder(folder)
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw unusableFolder(folder, error)
  }
  const { uid, gid } = statSync(folder)
  for (const name of ours) {
    if (isRoot) handBack(join(folder, name), { uid, gid })
    else refuseForeign(join(folder, name), folder)
  }
}

export function unusableFolder(folder: string, error: unknown) {
  const { code = '', message } = error as NodeJS.ErrnoException
  const why =
    code in ofTheDisk
      ? `${ofTheDisk[code]}.`
      : `${message}. It has to belong to the system user who runs this server; choose another one with DATA_DIR.`
  return new Error(`The data folder "${folder}" cannot be used: ${why}`, { cause: error })
}

/** Errors that another owner of the folder would not solve. */
const ofTheDisk: Record<string, string> = {
  ENOSPC: 'its disk is full. Free some space',
  EDQUOT: 'the quota of this system user is used up. Free some space, or have it raised',
  EROFS: 'its file system is read-only. Mount it so that it can be written, or choose another folder with DATA_DIR',
}

/** Creates the folder and missing folders above it, with mode 0700. @returns the created folders, the uppermost first */
export function makeFolder(folder: string): string[] {
  const found = statSync(folder, { throwIfNoEntry: false })
  if (found?.isDirectory()) return []
  if (found) throw new Error(`"${folder}" is no folder`)
  const parent = dirname(folder)
  // one by one: in /proc, where nothing can be created, `recursive` never ends
  const made = parent === folder ? [] : makeFolder(parent)
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return made
    throw error
  }
  return [...made, folder]
}

/** When root has created `path`, gives it to the owner of the folder around it. */
export function belongToFolder(path: string): void {
  if (!isRoot) return
  const { uid, gid } = statSync(dirname(path))
  if (uid !== 0) lchownSync(path, uid, gid)
}

/**
 * Writes a file (mode 0600) of the data folder. It becomes visible once all of it is on disk, so nobody reads half of it. Missing
 * folders are created. Only one writer per file at a time.
 */
export async function writeWhole(file: string, content: string | Uint8Array): Promise<void> {
  const aside = `${file}.new`
  const handle = await openAnew(aside)
  try {
    if (isRoot) {
      const { uid, gid } = await stat(dirname(file))
      if (uid !== 0) await handle.chown(uid, gid)
    }
    await handle.writeFile(content)
    await handle.sync()
    await rename(aside, file)
  } catch (error) {
    await rm(aside, { force: true })
    throw error
  } finally {
    await handle.close()
  }
}

/** The bytes of a file; null: it does not exist. */
export async function readIfThere(file: string): Promise<Buffer | null> {
  return readFile(file).catch((error: unknown) => {
    if (!hasCode(error, 'ENOENT')) throw error
    return null
  })
}

/**
 * Appends a line to a file (mode 0600) of the data folder. The line is on disk when this returns. Any number of writers. Half a line
 * that a crash has left stays a line of its own.
 */
export async function appendLine(file: string, line: string): Promise<void> {
  for (const folder of makeFolder(dirname(file))) belongToFolder(folder)
  const handle = await open(file, 'a+', 0o600)
  try {
    const { size } = await handle.stat()
    if (size === 0) belongToFolder(file)
    const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1))
    await handle.write(`${size > 0 && buffer.toString() !== '\n' ? '\n' : ''}${line}\n`)
    await handle.sync()
    if (size === 0) await syncFolder(dirname(file))
  } finally {
    await handle.close()
  }
}

/** Puts the name of a new file on disk, which is part of its folder. Windows cannot open folders. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Creates a new file; a file or link of that name is removed, never written to. */
async function openAnew(file: string): Promise<FileHandle> {
  await rm(file, { force: true })
  try {
    return await open(file, 'wx', 0o600)
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
    for (const folder of makeFolder(dirname(file))) belongToFolder(folder)
    return open(file, 'wx', 0o600)
  }
}

function handBack(path: string, owner: { uid: number; gid: number }) {
  const found = owner.uid === 0 ? undefined : lstatSync(path, { throwIfNoEntry: false })
  if (!found) return
  if (found.isDirectory()) for (const name of readdirSync(path)) handBack(join(path, name), owner)
  // a hard link may name a file of root elsewhere: leave it to root
  if (found.uid === 0 && (found.isDirectory() || (found.isFile() && found.nlink === 1)))
    lchownSync(path, owner.uid, owner.gid)
}

function refuseForeign(path: string, folder: string) {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found) return
  const isFolder = found.isDirectory()
  try {
    accessSync(path, isFolder ? constants.R_OK | constants.W_OK | constants.X_OK : constants.R_OK)
  } catch (error) {
    // a folder that is read-only for everybody is intended
    if (!hasCode(error, 'EACCES')) return
    const me = process.getuid?.()
    throw new Error(
      `"${path}" belongs to the system user ${found.uid}, and this server runs as ${me}. Give it back with ` +
        `"chown -R ${me} ${folder}" as root, or choose another folder with DATA_DIR.`,
      { cause: error },
    )
  }
  // there may be very many mails: old ones are never written again, and readers skip unreadable ones
  if (!isFolder || path === join(folder, 'mail')) return
  for (const name of readdirSync(path)) refuseForeign(join(path, name), folder)
}

export function hasCode(error: unknown, code: string) {
  return (error as NodeJS.ErrnoException).code === code
}
