import { closeSync, openSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { belongToFolder, makeFolder, unusableFolder } from './data-folder.ts'

/** A lock that one process holds at a time; the kernel frees it when that process ends, also after `kill -9`. */
export interface DataFolderLock {
  /** Real path of the folder. */
  readonly folder: string
  /** Sets the note that refused processes get as `DataFolderInUse.note`. */
  announce(note: object): void
  release(): void
}

/** Another process holds the folder. `pid` and `note` are undefined until the holder has written them. */
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
 * Locks the folder for this process. Creates it (mode 0700) when it is missing.
 *
 * The lock is the kernel's record lock on `server.lock`, taken by SQLite because Node cannot take it. Unlike a socket or a pid file it
 * never becomes stale, its path may be longer than 107 bytes, and it also holds between containers that share the folder.
 * Trap: closing any other handle on `server.lock` in this process drops the lock, so no other code may open the file.
 * The empty file stays: if it were deleted, a second server could lock a new file of the same name.
 * @throws DataFolderInUse when a process holds it, this one included; Error with a sentence for the operator
 */
export function lockDataFolder(dataDir: string, note?: object): DataFolderLock {
  const { folder, lock } = openLock(resolve(dataDir))
  const holderFile = join(folder, 'server.json')
  try {
    lock.exec('pragma journal_mode = memory; begin exclusive') // nothing is written: no journal file
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

/** Protects the handles from garbage collection, which would close them and free their locks. */
const held = new Set<DatabaseSync>()

function openLock(dataDir: string) {
  try {
    makeFolder(dataDir)
    const folder = realpathSync(dataDir)
    createPrivately(join(folder, 'server.lock'))
    // Two processes may block each other for a moment; with the timeout one of them wins.
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

/** Mode 0600: another user who could open the file could take a read lock, and the server would not start. */
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
