import { join } from 'node:path'
import { build, type Plugin } from 'vite'
import { buildTarget } from './oldest-browsers.ts'
import { root } from './sources.ts'

const prefix = '\0inline:'

/** `import code from 'inline:<file below src>'`: the code of a module with its imports, for the server to write into a page. */
export function inlineScripts(): Plugin {
  return {
    name: 'inline-scripts',
    resolveId: (id) => (id.startsWith('inline:') ? prefix + id.slice('inline:'.length) : null),
    async load(id) {
      if (!id.startsWith(prefix)) return null
      const entry = join(root, 'src', id.slice(prefix.length))
      this.addWatchFile(entry)
      const built = await build({
        configFile: false,
        logLevel: 'error',
        build: {
          write: false,
          minify: true,
          target: buildTarget,
          lib: { entry, formats: ['iife'], name: 'page' },
        },
      })
      const [chunk] = (Array.isArray(built) ? built[0]! : (built as Extract<typeof built, { output: unknown }>)).output
      return `export default ${JSON.stringify(chunk.code.trim())}`
    },
  }
}
