import { accessSync, constants, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

/**
 * Where databases of tests are made: in memory where that has room. A database is some 700 files and hundreds of commits, and tests
 * kill processes, which files in memory survive; no test cuts the power.
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
