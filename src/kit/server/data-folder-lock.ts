import { closeSync, openSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { belongToFolder, makeFolder, unusableFolder } from './data-folder.ts'

/** Held by one process at a time; the kernel frees it the moment that process ends, also after `kill -9`. */
export interface DataFolderLock {
  /** Real path of the folder. */
  readonly folder: string
  /** Tells whoever is refused (`DataFolderInUse.note`) something about the holder; replaces the note before. */
  announce(note: object): void
  release(): void
}

/** Who holds a data folder: `pid`, and whatever it announced. Undefined in the instant before the holder has written it. */
export class DataFolderInUse extends Error {
  readonly pid: number | undefined
  readonly note: unknown

  constructor(folder: string, holder: Holder | undefined) {
    super(
      `Another server is already running on the data folder "${folder}" ` +
        `(process ${holder?.pid ?? 'unknown'}). Stop it, or choose another folder with DATA_DIR.`,
    )
    this.name = 'DataFolderInUse'
    this.pid = holder?.pid
    this.note = holder?.note
  }
}

/**
 * Takes the folder for this process, making it (mode 0700) when it is absent.
 * Throws `DataFolderInUse` when any process, this one included, holds it already.
 *
 * The lock is the kernel's own record lock on `server.lock`, taken through SQLite because Node has no call for it. Unlike
 * a listening socket or a pid file it has no stale state that two starting servers could both decide to clear away, it
 * knows no limit of 107 bytes, and it also holds between containers that share the folder.
 * Trap: closing any other handle on `server.lock` in this process would drop the lock, so nobody else may open the file.
 * It stays behind, empty: deleting it would let a second server lock a new file of the same name.
 */
export function lockDataFolder(dataDir: string, note?: object): DataFolderLock {
  const { folder, lock } = openLock(resolve(dataDir))
  const holderFile = join(folder, 'server.json')
  try {
    lock.exec('pragma journal_mode = memory; begin exclusive') // nothing is ever written, so no journal file either
  } catch (error) {
    lock.close()
    throw isBusy(error) ? new DataFolderInUse(folder, readHolder(holderFile)) : unusableFolder(folder, error)
  }

  function announce(note?: object) {
    writeFileSync(`${holderFile}.new`, JSON.stringify({ pid: process.pid, note }), { mode: 0o600 })
    belongToFolder(`${holderFile}.new`)
    renameSync(`${holderFile}.new`, holderFile)
  }
  try {
    announce(note)
  } catch (error) {
    lock.close()
    throw unusableFolder(folder, error)
  }
  held.add(lock)
  return {
    folder,
    announce,
    release() {
      if (!held.delete(lock)) return
      rmSync(holderFile, { force: true })
      lock.close()
    },
  }
}

/** Garbage collection of a handle would close it and give up its lock. */
const held = new Set<DatabaseSync>()

function openLock(dataDir: string) {
  try {
    makeFolder(dataDir)
    const folder = realpathSync(dataDir)
    createPrivately(join(folder, 'server.lock'))
    // Two contenders may stand in each other's way for an instant; the patience lets one of them win.
    return { folder, lock: new DatabaseSync(join(folder, 'server.lock'), { timeout: 250 }) }
  } catch (error) {
    throw unusableFolder(dataDir, error)
  }
}

interface Holder {
  pid: number
  note?: unknown
}

function readHolder(holderFile: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(holderFile, 'utf8')) as Holder
  } catch {
    return undefined
  }
}

/** Other users must not be able to open the file: a read lock of theirs would keep the server from starting. */
function createPrivately(file: string) {
  try {
    closeSync(openSync(file, 'wx', 0o600))
    belongToFolder(file) // a command run as root must not lock out the folder's owner
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

function isBusy(error: unknown) {
  const SQLITE_BUSY = 5
  return (error as { errcode?: number }).errcode === SQLITE_BUSY
}
