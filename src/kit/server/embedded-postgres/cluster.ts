import { createHash } from 'node:crypto'
import { chown, lstat, mkdir, mkdtemp, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Programs } from './programs.ts'
import { hasCode } from '../data-folder.ts'
import { exists } from './system.ts'
import { spawnTied, type Identity } from './tied-process.ts'

export const database = 'rheinklang'
const superuser = 'postgres'
export const port = 5432

export interface Cluster {
  programs: Programs
  /** PostgreSQL's own data folder. */
  folder: string
  socketFolder: string
  identity: Identity
}

export async function isClusterOf(programs: Programs, folder: string): Promise<boolean> {
  const entries = (await exists(folder)) ? await readdir(folder) : []
  if (entries.length === 0) return false
  if (!entries.includes('PG_VERSION')) {
    throw new Error(
      `"${folder}" is not empty and holds no PostgreSQL database. Move it away, or choose another folder with DATA_DIR.`,
    )
  }
  const theirs = (await readFile(join(folder, 'PG_VERSION'), 'utf8')).trim()
  const ours = programs.version.split('.')[0]
  if (theirs === ours) return true
  throw new Error(
    `The database in "${folder}" was made by PostgreSQL ${theirs}, and this release brings PostgreSQL ` +
      `${ours}, which cannot read it. Make a backup with the release that wrote it and restore it into a new folder.`,
  )
}

/** Creates the cluster in a temporary folder and renames that, so `folder` is either missing or complete. */
export async function makeCluster({ programs, folder, identity }: Cluster, dataDir: string) {
  for (const name of await readdir(dataDir)) {
    // retries: the initdb of a killed start may still be writing there
    if (name.startsWith('postgres.new-'))
      await rm(join(dataDir, name), { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  }
  const aside = await mkdtemp(join(dataDir, 'postgres.new-'))
  try {
    if (identity.uid !== undefined) await chown(aside, identity.uid, identity.gid!)
    await runProgram(identity, join(programs.bin, 'initdb'), [
      `--pgdata=${aside}`,
      `--username=${superuser}`,
      '--auth=trust', // the mode of the socket's folder protects it
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--no-instructions',
    ])
    await runProgram(
      identity,
      join(programs.bin, 'postgres'),
      ['--single', '-c', 'exit_on_error=on', '-D', aside, superuser],
      `create role ${database} login createdb\ncreate database ${database} owner ${database}\n`,
    )
    await rename(aside, folder)
  } catch (error) {
    await rm(aside, { recursive: true, force: true })
    throw new Error(`The database in "${folder}" could not be made: ${(error as Error).message}`, { cause: error })
  }
  const parent = await open(dataDir)
  await parent.sync() // so that the rename survives a power failure
  await parent.close()
}

async function runProgram(identity: Identity, program: string, args: string[], input?: string) {
  const child = spawnTied(identity, [program, ...args], { input })
  const end = await child.ended
  if (end !== 'exit code 0') throw new Error(`${basename(program)} ended with ${end}.`)
}

export function socketFolderOf(dataDir: string): string {
  // sun_path holds 108 bytes on Linux and 104 on macOS, one of them a NUL
  const fits = (folder: string) => Buffer.byteLength(join(folder, `.s.PGSQL.${port}`)) < 104
  const inside = join(dataDir, 'run')
  if (fits(inside)) return inside
  const name = `rheinklang-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`
  return fits(join(tmpdir(), name)) ? join(tmpdir(), name) : join('/tmp', name)
}

/** Checks the owner: in /tmp another user could have created a folder of this name, and could pretend to be the database. */
export async function makeSocketFolder({ socketFolder, identity }: Cluster) {
  await mkdir(socketFolder, { mode: 0o700 }).catch((error) => {
    if (!hasCode(error, 'EEXIST')) throw error
  })
  const us = process.getuid!()
  const owner = identity.uid ?? us
  const found = await lstat(socketFolder)
  if (!found.isDirectory() || (found.uid !== owner && found.uid !== us) || (found.mode & 0o077) !== 0) {
    throw new Error(
      `"${socketFolder}" is not a folder of ours alone. Remove it, or choose a shorter path with DATA_DIR.`,
    )
  }
  if (found.uid !== owner) await chown(socketFolder, owner, identity.gid!)
}
