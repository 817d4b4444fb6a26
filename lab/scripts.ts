import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

interface Chunk {
  file: string
  imports?: string[]
}

/**
 * Brotli kB of the scripts that a document of the built site links to, with what these import at once, by Vite's manifest. The
 * router's list of screens names more of them, which are fetched when somebody goes there.
 */
export function scriptKb(root: string, html: string): number {
  const client = join(root, 'build/client')
  const chunks = JSON.parse(readFileSync(join(client, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>
  const importsOf = new Map(Object.values(chunks).map(({ file, imports = [] }) => [file, imports]))
  const needed = new Set<string>()
  const take = (file: string) => {
    if (needed.has(file)) return
    needed.add(file)
    for (const key of importsOf.get(file) ?? []) take(chunks[key]!.file)
  }
  for (const [, file] of html.matchAll(/<(?:link rel="(?:later|modulepreload)"|script)[^>]*?(?:href|src)="\/(assets\/[\w.-]+\.js)"/g)) take(file!)
  const bytes = (file: string) => {
    const compressed = join(client, `${file}.br`)
    return statSync(existsSync(compressed) ? compressed : join(client, file)).size
  }
  return [...needed].reduce((sum, file) => sum + bytes(file), 0) / 1000
}
