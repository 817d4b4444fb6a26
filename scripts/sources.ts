import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

const inputs = [
  'src',
  'messages',
  'public',
  // for `sideEffects`, which says what the bundler may leave out
  'package.json',
  'package-lock.json',
  'vite.config.ts',
  'react-router.config.ts',
  'scripts/browser-contracts.ts',
  'scripts/build.ts',
  'scripts/build-worker.ts',
  'scripts/build-server.ts',
  'scripts/compiled-texts.ts',
  'scripts/inline-scripts.ts',
  'scripts/oldest-browsers.ts',
]

/** Hash of all files that the build depends on, without tests. */
export function sourcesHash(): string {
  const hash = createHash('sha256')
  for (const file of inputs.flatMap((input) => filesBelow(join(root, input)))) {
    if (/\.(test|e2e)\.tsx?$/.test(file)) continue
    hash.update(file.slice(root.length)).update('\0').update(readFileSync(file)).update('\0')
  }
  return hash.digest('hex')
}

function filesBelow(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => filesBelow(join(path, entry.name)))
}
