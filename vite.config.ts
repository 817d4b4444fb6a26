import { fileURLToPath } from 'node:url'
import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig, type Rolldown } from 'vite'
import { browserContracts } from './scripts/browser-contracts.ts'
import { compiledTexts } from './scripts/compiled-texts.ts'
import { inlineScripts } from './scripts/inline-scripts.ts'
import { buildTarget } from './scripts/oldest-browsers.ts'

export default defineConfig(({ command }) => ({
  plugins: [browserContracts(), compiledTexts(), inlineScripts(), tailwindcss(), reactRouter()],
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: {
            // names of files are much of what a page sends: seven letters tell four million million versions apart
            chunkFileNames: 'assets/[name]-[hash:7].js',
            codeSplitting: {
              // what every page needs comes as one file, what most screens share as another: a phone waits longer for a
              // request than for bytes
              groups: [
                { name: reachedFrom('page', ['entry.client', 'root', 'screens/Frame']), priority: 2 },
                { name: 'common', test: /\/src\/|\/lucide-react\//, minShareCount: 11, priority: 1 },
              ],
            },
          },
        },
      },
    },
    ssr: {
      // decided here, not by whoever starts the server: React for developers takes twice the time and half a megabyte
      define: command === 'build' ? { 'process.env.NODE_ENV': '"production"' } : {},
      // the server keeps the text of what it runs in memory: two bytes a letter of a file in which one is not ASCII
      build: { minify: true, rolldownOptions: { output: { charset: 'ascii' } } },
    },
  },
  build: {
    target: buildTarget,
    // data: URLs and the preload helper's inline code would need a weaker CSP
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // which file brings which along: for the list of what the service worker keeps
    manifest: true,
    sourcemap: false,
  },
  // libraries used by screens alone are part of the server's bundle, so they need no place in a production install
  ...(command === 'build' ? { ssr: { noExternal: true as const } } : {}),
  server: { watch: { ignored: ['**/data/**', '**/build/**'] } },
}))

/** The file `name` for the modules that these of `src/app` import, and those in turn; what is fetched later is none. */
function reachedFrom(name: string, starts: string[]) {
  const reached = new Set<string>()
  const include = (id: string, context: Rolldown.ChunkingContext) => {
    if (reached.has(id)) return
    reached.add(id)
    for (const imported of context.getModuleInfo(id)?.importedIds ?? []) include(imported, context)
  }
  return (id: string, context: Rolldown.ChunkingContext) => {
    if (reached.size === 0)
      for (const start of starts) include(fileURLToPath(new URL(`src/app/${start}.tsx`, import.meta.url)), context)
    // the entry itself stays apart: it takes over the page, so it runs after the screen has come
    return reached.has(id) && !id.endsWith('/entry.client.tsx') ? name : null
  }
}
