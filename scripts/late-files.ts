import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { root } from './sources.ts'

const prefix = '\0files-of:'
const manifest = join(root, 'build', 'client', '.vite', 'manifest.json')

interface Chunk {
  file: string
  imports?: string[]
}

/**
 * `import files from 'files-of:<file below src>'`: on the server, the addresses of the scripts that a part needs which browsers
 * fetch late, so that a page that shows it can name them at once. Empty in browsers and while developing.
 */
export function lateFiles(): Plugin {
  return {
    name: 'late-files',
    resolveId: (id) => (id.startsWith('files-of:') ? prefix + id.slice('files-of:'.length) : null),
    load(id) {
      if (!id.startsWith(prefix)) return null
      // the server is bundled after the browser's files
      const isKnown = this.environment.name === 'ssr' && this.environment.mode === 'build' && existsSync(manifest)
      return `export default ${JSON.stringify(isKnown ? filesOf(`src/${id.slice(prefix.length)}`) : [])}`
    },
  }
}

function filesOf(part: string): string[] {
  const chunks = JSON.parse(readFileSync(manifest, 'utf8')) as Record<string, Chunk>
  const files = new Set<string>()
  const take = (key: string) => {
    const chunk = chunks[key]
    if (!chunk) throw new Error(`${key} is no file of the build.`)
    if (files.has(chunk.file)) return
    files.add(chunk.file)
    for (const imported of chunk.imports ?? []) take(imported)
  }
  take(part)
  return [...files].map((file) => `/${file}`)
}
