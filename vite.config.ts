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
            // short names, since pages list many files; seven letters are enough for four million million versions
            chunkFileNames: 'assets/[name]-[hash:7].js',
            codeSplitting: {
              // one file for code that every page needs, one for code that most screens share: a request costs a phone more time
              // than bytes
              groups: [
                { name: reachedFrom('page', ['entry.client', 'root', 'screens/Frame']), priority: 2 },
                // forms and guards of accounts: few pages for visitors need them
                { name: 'accounts', test: /\/accounts\/web\//, minShareCount: 11, priority: 1.5 },
                // without the programme, which lists of deals, the forum and merchants do not show
                { name: 'common', test: /\/src\/(?!events\/web\/)|\/lucide-react\//, minShareCount: 14, priority: 1 },
              ],
            },
          },
        },
      },
    },
    ssr: {
      // fixed at build time: React's development build takes twice the time and half a megabyte more
      define: command === 'build' ? { 'process.env.NODE_ENV': '"production"' } : {},
      // ASCII: Node holds the source in memory, with two bytes a letter if one letter is not ASCII
      build: { minify: true, rolldownOptions: { output: { charset: 'ascii' } } },
    },
  },
  build: {
    target: buildTarget,
    // data: URLs and the preload helper's inline code would need a weaker CSP
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // which file imports which: for the service worker's list of files
    manifest: true,
    sourcemap: false,
  },
  // bundles libraries that only screens use, so that a production install does not need them
  ...(command === 'build' ? { ssr: { noExternal: true as const } } : {}),
  server: { watch: { ignored: ['**/data/**', '**/build/**'] } },
}))

/** Puts all modules that `starts` (below `src/app`) import directly or indirectly into the file `name`; not dynamic imports. */
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
    // not the entry itself, which hydrates the page and so must run after the screen is loaded
    return reached.has(id) && !id.endsWith('/entry.client.tsx') ? name : null
  }
}
