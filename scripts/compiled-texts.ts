import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import type { Plugin } from 'vite'
import { filledUp } from '../src/app/server/filled-up.ts'
import { root } from './sources.ts'

/** A compiled ICU message; one without arguments is a string. */
type Compiled = string | unknown[]
type Texts = { [key: string]: string | Texts | (string | string[])[] }

// the compiler must have the version of the formatter in use-intl
const { default: compile } = createRequire(createRequire(import.meta.url).resolve('use-intl'))(
  'icu-minify/compile',
) as {
  default: (message: string) => Compiled
}

const catalogue = /\/messages\/((?:info\/)?(?:en|de|fr)\.json)$/
const prefix = '\0texts:'
const filesList = join(root, 'build', 'texts.json')

/**
 * Compiles the texts of the interface, so that browsers need no parser of ICU messages, and splits them by namespace. A screen, or a part
 * that `late` loads, imports the namespaces that it and its imports use (`import 'texts:deals,home'`) and so waits for them in the
 * language of the page. `texts:en/deals,home` holds the texts themselves. The server has whole catalogues.
 */
export function compiledTexts(): Plugin {
  return {
    name: 'compiled-texts',
    enforce: 'pre',
    config: () => ({
      resolve: {
        // an exact match, because the formatter's own address begins with this one
        alias: [{ find: /^use-intl\/format-message$/, replacement: join(root, 'src/kit/browser/format-message.ts') }],
      },
      // otherwise Node would load the formatter for messages that are not compiled
      ssr: { noExternal: ['use-intl'] },
      // otherwise Vite finds them late and bundles again while the first page loads
      optimizeDeps: { include: ['use-intl', 'use-intl/core', 'use-intl > @formatjs/fast-memoize', 'lucide-react'] },
    }),
    resolveId(id, importer = '') {
      if (!id.startsWith('texts:')) return null
      // a module for each importer: a shared one would become a file, and a request, of its own
      return id.includes('/') ? `\0${id}` : `\0${id}?${basename(importer)}`
    },
    load(id) {
      if (!id.startsWith(prefix)) return null
      const [names, locale] = id.slice(prefix.length).split('?')[0]!.split('/').reverse() as [string, string?]
      if (names === 'files') return `export default ${existsSync(filesList) ? readFileSync(filesList, 'utf8') : '{}'}`
      if (!locale) return this.environment.name === 'client' ? waitingFor(names) : ''
      this.addWatchFile(join(root, 'messages', `${locale}.json`))
      const texts = textsOf(`${locale}.json`)
      const part = names.split(',').map((name) => {
        if (!texts[name]) throw new Error(`No namespace of messages/${locale}.json is called ${name}.`)
        return [name, texts[name]]
      })
      return `export default ${JSON.stringify(compiled(Object.fromEntries(part)))}`
    },
    transform: {
      filter: { id: catalogue },
      handler: (_, id) => ({
        code: `export default ${JSON.stringify(compiled(textsOf(catalogue.exec(id)![1]!)))}`,
        moduleType: 'js',
        map: null,
      }),
    },
    /** Writes which files of texts each file of the browser needs, for the server's bundle, which is built afterwards. */
    generateBundle(_, bundle) {
      if (this.environment.name !== 'client') return
      const files: Record<string, Record<string, string>> = {}
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue
        for (const name of chunk.dynamicImports) {
          const other = bundle[name]
          const id = other?.type === 'chunk' ? other.facadeModuleId : null
          if (!id?.startsWith(prefix)) continue
          const locale = id.slice(prefix.length).split('/')[0]!
          ;(files[basename(chunk.fileName)] ??= {})[locale] = basename(name)
        }
      }
      mkdirSync(dirname(filesList), { recursive: true })
      writeFileSync(filesList, JSON.stringify(files))
    },
  }
}

function waitingFor(names: string): string {
  const loaders = ['en', 'de', 'fr'].map((locale) => `${locale}: () => import('texts:${locale}/${names}')`)
  const catalogues = join(root, 'src/app/boot/catalogues.ts')
  return `import { prepareTexts } from '${catalogues}'\nawait prepareTexts({ ${loaders.join(', ')} })`
}

/** A catalogue by its path below `messages`, with English in place of missing texts. */
function textsOf(path: string): Texts {
  const read = (name: string) => parseCatalogue(readFileSync(join(root, 'messages', name), 'utf8'), name) as Texts
  return filledUp(read(path.replace(/\w+\.json$/, 'en.json')), read(path)) as Texts
}

/**
 * Reads a catalogue.
 * @throws Error when an object has a key twice: `JSON.parse` would silently drop the first text
 */
export function parseCatalogue(text: string, name: string): unknown {
  let keys = 0
  const texts = JSON.parse(text, function (this: unknown, key: string, value: unknown) {
    if (key !== '' && !Array.isArray(this)) keys++
    return value
  }) as unknown
  const written = [...text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)].filter(([, colon]) => colon)
  if (written.length !== keys) throw new Error(`messages/${name} has a key twice in one object.`)
  return texts
}

/** The texts compiled. Lists become objects by index, because a compiled message can be a list itself. */
function compiled(texts: Texts): object {
  return Object.fromEntries(
    Object.entries(texts).map(([key, value]) => [
      key,
      typeof value === 'string' ? compile(value) : compiled(value as Texts),
    ]),
  )
}
