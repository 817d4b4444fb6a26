import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import type { Plugin } from 'vite'
import { filledUp } from '../src/app/server/filled-up.ts'
import { root } from './sources.ts'

/** What `compile` makes of an ICU message: text without anything to fill in stays a string. */
type Compiled = string | unknown[]
type Texts = { [key: string]: string | Texts | (string | string[])[] }

// the compiler of the very version that use-intl formats with
const { default: compile } = createRequire(createRequire(import.meta.url).resolve('use-intl'))(
  'icu-minify/compile',
) as {
  default: (message: string) => Compiled
}

const catalogue = /\/messages\/((?:info\/)?(?:en|de|fr)\.json)$/
const prefix = '\0texts:'
const filesList = join(root, 'build', 'texts.json')

/**
 * The texts of the interface as the browser gets them: compiled, so that the parser of ICU messages stays here, and cut into
 * namespaces. A screen or a part that `late` fetches names those that it and what it imports say:
 * `import 'texts:deals,home'`, and waits for them in the language of the page. `texts:en/deals,home` are the texts
 * themselves. The server has whole catalogues.
 */
export function compiledTexts(): Plugin {
  return {
    name: 'compiled-texts',
    enforce: 'pre',
    config: () => ({
      resolve: {
        // an exact match, as the formatter's own address begins with the same words
        alias: [{ find: /^use-intl\/format-message$/, replacement: join(root, 'src/kit/browser/format-message.ts') }],
      },
      // else Node would load the formatter that reads messages as they are written
      ssr: { noExternal: ['use-intl'] },
      // found late they would be bundled anew while the first page loads
      optimizeDeps: { include: ['use-intl', 'use-intl/core', 'use-intl > @formatjs/fast-memoize', 'lucide-react'] },
    }),
    resolveId(id, importer = '') {
      if (!id.startsWith('texts:')) return null
      // one for each screen, as a module that screens share would be a file, and a request, of its own
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
    /** Tells the server, which is bundled after the browser's files, which texts each of them will ask for. */
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

/** A module that is ready once the texts of these namespaces are. */
function waitingFor(names: string): string {
  const loaders = ['en', 'de', 'fr'].map((locale) => `${locale}: () => import('texts:${locale}/${names}')`)
  const catalogues = join(root, 'src/app/boot/catalogues.ts')
  return `import { prepareTexts } from '${catalogues}'\nawait prepareTexts({ ${loaders.join(', ')} })`
}

/** A catalogue by its path below `messages`; what it lacks is English. */
function textsOf(path: string): Texts {
  const read = (name: string) => parseCatalogue(readFileSync(join(root, 'messages', name), 'utf8'), name) as Texts
  return filledUp(read(path.replace(/\w+\.json$/, 'en.json')), read(path)) as Texts
}

/** Reads a catalogue. A key that stands twice in an object is an error: `JSON.parse` would drop the first text silently. */
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

/** Lists become objects by index, because a compiled message is a list itself. */
function compiled(texts: Texts): object {
  return Object.fromEntries(
    Object.entries(texts).map(([key, value]) => [
      key,
      typeof value === 'string' ? compile(value) : compiled(value as Texts),
    ]),
  )
}
