import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

interface Chunk {
  file: string
  imports?: string[]
}

/**
 * Brotli kB of the scripts that a page of the built site links to, with their static imports by Vite's manifest. Scripts of other screens,
 * which the router's list names, are fetched later and do not count.
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
