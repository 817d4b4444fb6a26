import { fileURLToPath } from 'node:url'
import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig, type Plugin, type Rolldown } from 'vite'
import { compiledTexts } from './scripts/compiled-texts.ts'
import { inlineScripts } from './scripts/inline-scripts.ts'

export default defineConfig(({ command }) => ({
  plugins: [compiledTexts(), inlineScripts(), tailwindcss(), reactRouter(), unusedPartsLeave(), oneByteALetter()],
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: {
              // what every page needs comes as one file, and what many screens share as another: a phone waits longer for
              // a request than for bytes
              groups: [
                { name: everyPage(), priority: 1 },
                { name: 'shared', test: /\/src\/(kit|brand|deals|businesses)\/|\/lucide-react\//, minShareCount: 4 },
              ],
            },
          },
        },
      },
    },
    ssr: {
      // decided here, not by whoever starts the server: React for developers takes twice the time and half a megabyte
      define: command === 'build' ? { 'process.env.NODE_ENV': '"production"' } : {},
      // the server keeps the text of what it runs in memory
      build: { minify: true },
    },
  },
  build: {
    target: 'es2023',
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

/** One letter beyond Latin-1 and the whole text of the server's bundle takes two bytes a letter in memory. */
function oneByteALetter(): Plugin {
  return {
    name: 'one-byte-a-letter',
    applyToEnvironment: ({ name }) => name === 'ssr',
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle))
        if (chunk.type === 'chunk')
          chunk.code = chunk.code.replace(
            /[^\0-\xff]/g,
            (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
          )
    },
  }
}

/** The file of modules that every page brings along: what entry, document and frame import, and theirs in turn. */
function everyPage() {
  const everywhere = new Set<string>()
  const include = (id: string, context: Rolldown.ChunkingContext) => {
    if (everywhere.has(id)) return
    everywhere.add(id)
    for (const imported of context.getModuleInfo(id)?.importedIds ?? []) include(imported, context)
  }
  return (id: string, context: Rolldown.ChunkingContext) => {
    if (everywhere.size === 0)
      for (const name of ['entry.client', 'root', 'screens/Frame'])
        include(fileURLToPath(new URL(`src/app/${name}.tsx`, import.meta.url)), context)
    // the entry itself stays apart: it takes over the page, so it runs after the screen has come
    return everywhere.has(id) && !id.endsWith('/entry.client.tsx') ? 'page' : null
  }
}

/**
 * The router's links and what they carry are not used here (`app/boot/own-links.ts`), but as they are told their names when the
 * library loads, the bundler takes them for used: 1.3 kB of every page.
 */
function unusedPartsLeave(): Plugin {
  return {
    name: 'unused-parts-leave',
    transform(code, id) {
      if (!/\/react-router\/dist\/production\/lib\/dom\/lib\.js/.test(id)) return
      return {
        code: code
          .replace(/^\w+\.displayName = .*$/gm, '')
          .replace(/^(const \w+ = )(React\$1\.forwardRef\()/gm, '$1/* @__PURE__ */ $2'),
        map: null,
      }
    },
  }
}
