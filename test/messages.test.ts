import { globSync, readFileSync } from 'node:fs'
import { parse, TYPE, type MessageFormatElement } from '@formatjs/icu-messageformat-parser'
import { describe, expect, it } from 'vitest'
import { parseCatalogue } from '../scripts/compiled-texts.ts'
import { chosenLocale, locales } from '../src/app/server/languages.ts'
import type { Endpoint } from '../src/kit/shared/endpoint.ts'
import type { RefusalKind } from '../src/kit/shared/refusal.ts'

type Texts = Map<string, string>

/** The texts of a catalogue by full key, e.g. `deals.filters.openNow`. */
function texts(file: string): Texts {
  const found: Texts = new Map()
  const walk = (value: unknown, path: string) => {
    if (typeof value === 'string') found.set(path, value)
    else if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value)) walk(inner, path ? `${path}.${key}` : key)
    else throw new Error(`${file}: ${path} is no text`)
  }
  walk(parseCatalogue(readFileSync(new URL(`../messages/${file}.json`, import.meta.url), 'utf8'), file), '')
  return found
}

/** The parameters of a text, sorted: `{date}`, `<help>`, and the choices of a select. */
function takes(message: string): string[] {
  const found = new Set<string>()
  const walk = (elements: MessageFormatElement[]) => {
    for (const element of elements) {
      if (element.type === TYPE.literal || element.type === TYPE.pound) continue
      if (element.type === TYPE.tag) {
        found.add(`<${element.value}>`)
        walk(element.children)
        continue
      }
      const choices = element.type === TYPE.select ? ` ${Object.keys(element.options).sort().join('|')}` : ''
      found.add(`{${element.value}${choices}}`)
      if (element.type === TYPE.select || element.type === TYPE.plural)
        for (const option of Object.values(element.options)) walk(option.value)
    }
  }
  walk(parse(message))
  return [...found].sort()
}

const translations = locales.filter((locale) => locale !== 'en')

describe.each(['', 'info/', 'mails/'])('messages/%s', (folder) => {
  const english = texts(`${folder}en`)

  it.each(locales)('%s can be read as ICU', (locale) => {
    for (const [key, text] of texts(`${folder}${locale}`)) expect(() => parse(text), `${key}: ${text}`).not.toThrow()
  })

  it.each(locales)('%s has no empty text and no stray space', (locale) => {
    for (const [key, text] of texts(`${folder}${locale}`)) expect(text, key).toMatch(/^\S(.*\S)?$/s)
  })

  it.each(locales)('%s has no text whose value and link share a name', (locale) => {
    for (const [key, text] of texts(`${folder}${locale}`)) {
      const links = takes(text).filter((taken) => taken.startsWith('<'))
      for (const link of links) expect(takes(text), key).not.toContain(`{${link.slice(1, -1)}}`)
    }
  })

  describe.each(translations)('%s', (locale) => {
    const translated = texts(`${folder}${locale}`)

    it('has no text that English lacks', () => {
      expect([...translated.keys()].filter((key) => !english.has(key))).toEqual([])
    })

    it('takes the same values, choices and links as English', () => {
      for (const [key, text] of translated) {
        if (english.has(key)) expect(takes(text), key).toEqual(takes(english.get(key)!))
      }
    })

    it('says how complete it is; Accept-Language chooses it only when nothing is missing', () => {
      const missing = [...english.keys()].filter((key) => !translated.has(key))
      const percent = ((1 - missing.length / english.size) * 100).toFixed(1)
      console.info(
        `messages/${folder}${locale}.json: ${percent} % of ${english.size} texts${missing.length ? `; missing: ${missing.slice(0, 20).join(', ')}${missing.length > 20 ? ' …' : ''}` : ''}`,
      )
      // long texts cannot fall back to English
      if (folder || chosenLocale({ 'accept-language': locale }) === locale) expect(missing).toEqual([])
    })
  })

  it('German is spelt as in Switzerland: no sharp s', () => {
    for (const [key, text] of texts(`${folder}de`)) expect(text, key).not.toMatch(/ß/)
  })
})

it('a catalogue with a key twice in one object cannot be built', () => {
  expect(() => parseCatalogue('{ "a": { "b": "1", "b": "2" } }', 'en.json')).toThrow('messages/en.json has a key twice')
  expect(parseCatalogue('{ "a": "\\"b\\": {c}", "d": ["e", { "a": "f" }] }', 'en.json')).toBeTruthy()
})

/** Texts of the server and of shared forms: their reader may be a visitor or a merchant. */
const forBoth = /^(refusals|fields|sentences|labels|accounts|accountForms|forms|errors)\./
/** Only visitors tick boxes. */
const forVisitors = /^(fields|forms)\.terms$/
/** Only staff, whom French addresses with "tu". */
const forStaff = /^refusals\.(changed_later|unconfirmed|post_changed|too_far_away)$/
const addressed = {
  de: [
    /(?<!\p{L})(du|dich|dir|dein\p{L}*|ihnen|prüf|versuch|melde|bestätige|richte|gib|setz|stimm|wähl|sieh|öffne|nimm)(?!\p{L})/iu,
    /(?<!\p{L})(Sie|Ihr\p{L}*)(?!\p{L})/u,
  ],
  fr: [
    /(?<!\p{L})(tu|te|toi|ton|ta|tes|vous|votre|vos)(?!\p{L})|(?<!\p{L})t’/iu,
    /(?<!\p{L})(vérifie|réessaie|connecte|confirme|configure|saisis|définis|choisis|indique|utilise|accepte|consulte|ouvre)(?!\p{L})/iu,
  ],
}

describe('a sentence for visitors and merchants alike says neither "du" nor "Sie"', () => {
  it.each(['de', 'fr'] as const)('%s', (locale) => {
    const personal = [...texts(locale)].filter(
      ([key, text]) =>
        forBoth.test(key) && !forVisitors.test(key) && !forStaff.test(key) && addressed[locale].some((words) => words.test(text)),
    )
    expect(personal).toEqual([])
  })
})

it.each(locales)('the privacy page names in %s every cookie that the site sets by itself', (locale) => {
  const privacy = [...texts(`info/${locale}`)].filter(([key]) => key.startsWith('privacy.sections.cookies.'))
  const names = [
    ...privacy
      .map(([, text]) => text)
      .join(' ')
      .matchAll(/<b>(\w+)<\/b>/g),
  ].map(([, name]) => name)
  expect(new Set(names)).toEqual(new Set(['lang', 'theme', 'happened', 'changed']))
})

it('every key that a screen uses, also one made of parts, has a text in its namespace', () => {
  const known = texts('en')
  const root = new URL('../src/', import.meta.url)
  const missing = globSync('**/*.{ts,tsx}', { cwd: root.pathname })
    .filter((file) => !/\.(test|e2e)\./.test(file))
    .flatMap((file) => {
      const source = readFileSync(new URL(file, root), 'utf8')
      const speakers = [...source.matchAll(/const (\w+) = useTranslations\('(\w+)'\)/g)]
      const asked = source.matchAll(
        /(?<![\w.])(\w+)(?:\.rich)?\(\s*(?:'([\w.-]+)'|`((?:[\w.-]|\$\{[^}`]*\})+)`)(?=\s*[,)])/g,
      )
      return [...asked].flatMap((each) => {
        const [, name, key, pattern] = each
        // of several variables with one name, the one in the same component
        const speaker = speakers.findLast((one) => one[1] === name && one.index < each.index)
        if (!speaker) return []
        const whole = `${speaker[2]}.${key ?? pattern}`
        const asks = new RegExp(`^${whole.replaceAll('.', '\\.').replace(/\$\{[^}]*\}/g, '[\\w.-]+')}$`)
        return known.has(whole) || [...known.keys()].some((text) => asks.test(text)) ? [] : [`${file}: ${whole}`]
      })
    })
  expect(missing).toEqual([])
})

it.each(['en', 'de', 'fr'])('no two texts of %s have the same key, as one would replace the other', (language) => {
  const text = readFileSync(new URL(`../messages/${language}.json`, import.meta.url), 'utf8')
  // each namespace begins on a line of its own
  const namespaces = [...text.matchAll(/^ {2}"(\w+)": \{/gm)].map(([, name]) => name)
  expect(namespaces).toEqual([...new Set(namespaces)])
  expect(namespaces).toEqual(Object.keys(JSON.parse(text) as object))
})

/** All refusals that contracts export, by themselves or with an endpoint. */
async function declaredRefusals(): Promise<string[]> {
  const root = new URL('..', import.meta.url).pathname
  const contracts = globSync('src/*/{contract.ts,contract/*.ts}', { cwd: root })
  const modules = await Promise.all(
    [...contracts, 'src/kit/shared/refusal.ts'].map((file) => import(root + file) as Promise<Record<string, unknown>>),
  )
  const isRefusal = (value: unknown): value is RefusalKind =>
    typeof value === 'object' && value !== null && 'code' in value && 'status' in value
  return modules
    .flatMap((module) => Object.values(module))
    .flatMap((value) => [value, ...((value as Partial<Endpoint> | null)?.refusals ?? [])])
    .filter(isRefusal)
    .map(({ code }) => code)
}

it('every fault of a field in contracts and rules has a text, and every sentence belongs to a fault', () => {
  const root = new URL('..', import.meta.url).pathname
  const named = globSync('src/**/*.ts', { cwd: root })
    .filter((file) => !/\.test\.|\/web\//.test(file))
    .flatMap((file) => {
      const source = readFileSync(root + file, 'utf8')
      const isContract = /\/contract|\/shared\/input\.ts/.test(file)
      const pattern = isContract ? /\bfieldIssue\('(\w+)'/g : /\bfields: \{[^}]*\{ key: '(\w+)'/g
      return [...source.matchAll(pattern)].map(([, key]) => key!)
    })
  const known = [...texts('en').keys()]
  expect(named.length).toBeGreaterThan(40)
  expect(named.filter((key) => !known.includes(`fields.${key}`))).toEqual([])
  const sentences = known.filter((key) => key.startsWith('sentences.'))
  expect(sentences.filter((key) => !known.includes(key.replace('sentences.', 'fields.')))).toEqual([])
})

it.each(locales)('in %s only texts that depend on the operator’s VAT mention VAT', (locale) => {
  const speaking = ['', 'info/', 'mails/'].flatMap((folder) =>
    [...texts(folder + locale)].filter(([, text]) => /\b(VAT|MWST|MwSt|TVA)\b/.test(text)).map(([key]) => folder + key),
  )
  const known = ['invoices.billing.uidHelp', 'invoices.vat', 'mails/payment_invoice.text', 'paying.noVat', 'paying.vat']
  expect(speaking.toSorted()).toEqual(known)
})

describe('every refusal of a contract has a text', () => {
  it.each(locales)('in %s', async (locale) => {
    const known = texts(locale)
    const declared = [...new Set(await declaredRefusals())]
    expect(declared.length).toBeGreaterThan(50)
    expect(declared.filter((code) => !known.has(`refusals.${code}`))).toEqual([])
  })
})

it('every key that the server uses has a text', () => {
  const known = [...texts('en').keys(), ...[...texts('mails/en').keys()].map((key) => `mails.${key}`)]
  const root = new URL('..', import.meta.url).pathname
  const missing = globSync('src/{*/server,kit/server}/**/*.ts', { cwd: root })
    .filter((file) => !/\.(test|e2e)\.ts$/.test(file))
    .flatMap((file) => {
      const source = readFileSync(root + file, 'utf8')
      const used = source.matchAll(/texts\.(say|refusal)\(\s*[\w.']+,\s*(?:'([\w.]+)'|`([^`]+)`)/g)
      return [...used].map(([, of, key, pattern]) => {
        const whole = (of === 'say' ? '' : `${of}s.`) + (key ?? pattern!)
        return [file, new RegExp(`^${whole.replaceAll('.', '\\.').replace(/\$\{[^}]*\}/g, '[\\w.-]+')}$`)] as const
      })
    })
    .filter(([, key]) => !known.some((each) => key.test(each)))
  expect(missing).toEqual([])
})
