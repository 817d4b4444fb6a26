import { accessSync, constants, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

/**
 * Folder for databases of tests: in memory, if there is space. A database has 700 files and hundreds of commits. Files in memory survive
 * killed processes, and no test needs more.
 */
export function quickFolder(): string {
  const inMemory = '/dev/shm'
  try {
    accessSync(inMemory, constants.W_OK)
    const { bavail, bsize } = statfsSync(inMemory)
    return bavail * bsize > 4 * 2 ** 30 ? inMemory : tmpdir()
  } catch {
    return tmpdir()
  }
}
