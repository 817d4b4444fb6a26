import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, resolve } from 'node:path'
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
const partPrefix = '\0texts:'
const filesList = join(root, 'build', 'texts.json')

/**
 * The texts of the interface as the browser gets them: compiled, so that the parser of ICU messages stays here, and cut
 * into parts, so that a screen brings only the namespaces that it and what it imports say `useTranslations('…')` of.
 * What frame and document use comes with the entry (`texts:…`); the server has whole catalogues.
 */
export function compiledTexts(): Plugin {
  const used = new Map<string, Set<string>>()
  const frame = () =>
    new Set(
      ['app/root.tsx', 'app/screens/Frame.tsx'].flatMap((file) => [...namespacesOf(join(root, 'src', file), used)]),
    )
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
    resolveId(id) {
      return id.startsWith('texts:') ? partPrefix + id.slice('texts:'.length) : null
    },
    load(id) {
      if (!id.startsWith(partPrefix)) return null
      const [locale = '', names = ''] = id.slice(partPrefix.length).split('/')
      if (locale === 'files') return `export default ${existsSync(filesList) ? readFileSync(filesList, 'utf8') : '{}'}`
      this.addWatchFile(join(root, 'messages', `${locale}.json`))
      const texts = textsOf(`${locale}.json`)
      const wanted = names === 'frame' ? frame() : new Set(names.split('+'))
      const part = Object.fromEntries(Object.entries(texts).filter(([name]) => wanted.has(name)))
      return `export default ${JSON.stringify(compiled(part))}`
    },
    transform: {
      handler(code, id) {
        const whole = catalogue.exec(id)
        if (whole)
          return { code: `export default ${JSON.stringify(compiled(textsOf(whole[1]!)))}`, moduleType: 'js', map: null }
        // the screen itself, not the pieces that the router's plugin cuts out of it
        if (this.environment.name !== 'client' || !bringsTexts(id)) return null
        const already = frame()
        const names = [...namespacesOf(id, used)]
          .filter((name) => !already.has(name))
          .sort()
          .join('+')
        if (!names) return null
        const loaders = ['en', 'de', 'fr'].map((locale) => `${locale}: () => import('texts:${locale}/${names}')`)
        const catalogues = join(root, 'src/app/boot/catalogues.ts')
        return {
          code: `import { prepareTexts as __prepareTexts } from '${catalogues}'\nawait __prepareTexts({ ${loaders.join(', ')} })\n${code}`,
          map: null,
        }
      },
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
          if (!id?.startsWith(partPrefix)) continue
          const locale = id.slice(partPrefix.length).split('/')[0]!
          ;(files[basename(chunk.fileName)] ??= {})[locale] = basename(name)
        }
      }
      mkdirSync(dirname(filesList), { recursive: true })
      writeFileSync(filesList, JSON.stringify(files))
    },
    watchChange() {
      used.clear()
      lateParts = null
    },
  }
}

/** Screens, and parts of screens that `late` fetches (`kit/browser/late.tsx`). */
function bringsTexts(id: string): boolean {
  lateParts ??= findLateParts(join(root, 'src'))
  return lateParts.has(id) || (/\/src\/.*Screen\.tsx$/.test(id) && !isPartOfScreen(id))
}

const latePart = /\blate\(\(\) =>\s*(?:importAgain\(\(\) =>\s*)?import\('(\.[^']+\.tsx)'\)/g
let lateParts: Set<string> | null = null

function findLateParts(folder: string): Set<string> {
  const found = new Set<string>()
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.tsx')) continue
    const source = readFileSync(join(entry.parentPath, entry.name), 'utf8')
    for (const [, path] of source.matchAll(latePart)) found.add(resolve(entry.parentPath, path!))
  }
  return found
}

/** True of a room's screen that one of the same name in `app/screens` draws with more around it, whose texts hold its own. */
function isPartOfScreen(id: string): boolean {
  const whole = join(root, 'src/app/screens', basename(id))
  return id !== whole && existsSync(whole) && readFileSync(whole, 'utf8').includes(`/web/${basename(id)}'`)
}

/** The namespaces said in a module and in all it imports from `src`, read from the sources. */
function namespacesOf(file: string, known: Map<string, Set<string>>): Set<string> {
  const found = known.get(file)
  if (found) return found
  const names = new Set<string>()
  // before the imports are followed, as they may lead in a circle
  known.set(file, names)
  const source = readFileSync(file, 'utf8')
  for (const [, name] of source.matchAll(/useTranslations\('(\w+)'\)/g)) names.add(name!)
  if (/useTranslations\((?!')/.test(source))
    throw new Error(`${file}: useTranslations takes one namespace as a plain string, so that the build can read it.`)
  const imports = /^(?:import|export)\s(?!type\b)(?:[^'"=()]*\bfrom\s+)?['"](\.[^'"]+\.tsx?)['"]/gm
  // a part that is drawn soon after says its texts as if it had been there from the beginning; one of `late` has its own
  const parts = /\blazy\(\(\) =>\s*(?:importAgain\(\(\) =>\s*)?import\('(\.[^']+\.tsx)'\)/g
  // imported as well where servers draw it
  const late = new Set([...source.matchAll(latePart)].map(([, path]) => path))
  for (const [, path] of [...source.matchAll(imports), ...source.matchAll(parts)]) {
    if (late.has(path)) continue
    for (const name of namespacesOf(resolve(dirname(file), path!), known)) names.add(name)
  }
  return names
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
