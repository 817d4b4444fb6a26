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

  it('French signs never begin a line: a no-break space stands before and inside them', () => {
    for (const [key, text] of texts(`${folder}fr`)) expect(text, key).not.toMatch(/[\p{L}})»] [:;?!](?!\))|« | »/u)
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
        forBoth.test(key) &&
        !forVisitors.test(key) &&
        !forStaff.test(key) &&
        addressed[locale].some((words) => words.test(text)),
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

/** Texts that every page has. */
const textsOfAll = ['frame', 'time', 'errors', 'picks', 'way']

it('every screen, and every part that is loaded late, imports the texts that it and its imports use', () => {
  const root = new URL('../src/', import.meta.url)
  const sources = new Map(
    globSync('**/*.{ts,tsx}', { cwd: root.pathname, exclude: ['**/server/**', '**/*.test.ts'] }).map((file) => [
      new URL(file, root).href,
      readFileSync(new URL(file, root), 'utf8'),
    ]),
  )
  const imported = (source: string) => /^import 'texts:([^']+)'/m.exec(source)?.[1]?.split(',') ?? []
  const missing = [...sources].flatMap(([file, source]) => {
    if (imported(source).length === 0) return []
    const parts = new Set([file])
    for (const part of parts)
      for (const [, path] of sources.get(part)!.matchAll(/^(?:import|export) (?!type )[^;]*? from '(\.[^']+)'/gm)) {
        const { href } = new URL(path!, part)
        if (sources.has(href)) parts.add(href)
      }
    const all = [...parts].map((part) => sources.get(part)!)
    const has = new Set([...textsOfAll, ...all.flatMap(imported)])
    const used = all.flatMap((each) => [...each.matchAll(/useTranslations\('(\w+)/g)].map(([, name]) => name!))
    return [...new Set(used)].filter((name) => !has.has(name)).map((name) => `${file.slice(root.href.length)}: ${name}`)
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

/** All texts of a language with their file, e.g. `mails/verify.text`. */
const everyText = (locale: string): [key: string, text: string][] =>
  ['', 'info/', 'mails/'].flatMap((folder) =>
    [...texts(folder + locale)].map(([key, text]): [string, string] => [folder + key, text]),
  )

/** Texts of the specification that end in three dots. */
const withDots = [
  'Initializing Map...',
  'Loading business profile...',
  'Loading...',
  'Processing...',
  'Saving...',
  'Submitting...',
  'Updating Deals...',
]

describe('an ellipsis is one character, and German sets a space before it', () => {
  it.each(locales)('%s', (locale) => {
    const wrong = everyText(locale).filter(
      ([, text]) =>
        (text.includes('...') && !withDots.includes(text)) || (locale === 'de' && /[\p{L}>] ?…/u.test(text)),
    )
    expect(wrong.filter(([, text]) => !/\(https:\/\/…\)/.test(text))).toEqual([])
  })
})

/** Words after a number that have one form: units, and words that do not belong to it. */
const unbending = {
  de: /^(km|m|min|Min|Megapixel|nach|werden|öffnet|ist|Std|h|MB|CHF|bis|von|und|oder|insgesamt|neu|geändert|entfernt|gelesen|unverändert|nicht|verstanden|als|entfernen|verschieben|hinzufügen|ändern|sind|bestätigen|gekürzt|hat|erledigt|in|statt|eingelöst|zum|offen|gezeigt|schon|ohne|mehr|auf|möglich|jetzt)$/,
  fr: /^(km|m|min|h|Mo|peuvent|contient|ouvre|a|MB|CHF|à|au|de|des|et|ou|sur|en|est|sont|au|maximum|avant|dans|pour|par|aux?|fois|que)$/,
}

/** Places in a message where a number stands before a word that bends, and `one` is missing. */
function pluralHoles(locale: 'de' | 'fr', message: string, counted: ReadonlySet<string>): string[] {
  const holes: string[] = []
  const bends = (text: string | undefined) => {
    const word = /^[ \u00a0](\p{L}+)/u.exec(text ?? '')?.[1]
    return word && !unbending[locale].test(word) ? word : null
  }
  const walk = (elements: MessageFormatElement[], isOpen: boolean) => {
    elements.forEach((element, at) => {
      const next = elements[at + 1]
      const word = next?.type === TYPE.literal ? bends(next.value) : null
      const isNumber = element.type === TYPE.number || (element.type === TYPE.argument && counted.has(element.value))
      if (word && (isNumber || (isOpen && element.type === TYPE.pound))) holes.push(word)
      if (element.type === TYPE.tag) walk(element.children, isOpen)
      if (element.type === TYPE.select) for (const option of Object.values(element.options)) walk(option.value, isOpen)
      if (element.type === TYPE.plural) {
        const isWhole = 'one' in element.options || '=1' in element.options
        for (const option of Object.values(element.options)) walk(option.value, !isWhole)
      }
    })
  }
  walk(parse(message), false)
  return holes
}

describe('a number has both forms of the word after it', () => {
  /** Names of values that are numbers somewhere in a catalogue. */
  const counted = new Set(
    locales.flatMap((locale) =>
      everyText(locale).flatMap(([, text]) =>
        [...text.matchAll(/\{(\w+), (?:plural|number)/g)].map(([, name]) => name!),
      ),
    ),
  )
  it.each(['de', 'fr'] as const)('%s', (locale) => {
    const holes = everyText(locale).flatMap(([key, text]) =>
      pluralHoles(locale, text, counted).map((word) => `${key}: ${word}`),
    )
    expect(holes).toEqual([])
  })
  it('finds one', () => {
    expect(pluralHoles('de', '{n} Personen', new Set(['n']))).toEqual(['Personen'])
    expect(pluralHoles('fr', '{n, plural, =0 {rien} other {# places}}', new Set())).toEqual(['places'])
    expect(pluralHoles('fr', '{n, plural, one {# place} other {# places}}', new Set())).toEqual([])
  })
})

/** Of two words for one thing, the one that we do not use; `except`: keys where it means something else. */
const losing: Record<'en' | 'de' | 'fr', { word: RegExp; except?: RegExp }[]> = {
  en: [
    { word: /\b[Oo]pen hours\b/, except: /^business\.openHours$/ },
    { word: /\bopen end\b/ },
    { word: /\d ?[%] of\b|\d %|\} %/ },
    { word: /\busual amount\b/i },
    { word: /\bby the contact form\b/ },
  ],
  de: [
    { word: /üblich\p{L}* (Betrag|Preis)/iu },
    { word: /\b[Hh]ervorgehoben\p{L}*|\bhervorheben\b/u },
    { word: /\bEinspruch\b/ },
    { word: /\bAuftretende|\bMitwirkende|\bKünstler/, except: /^info\/mapData/ },
    { word: /(?<!\bfestival)\bTags\b/ },
    { word: /\bKlicks\b/ },
    { word: /^Stand$/ },
    { word: /\bnochmals\b|\bErneut versuchen\b/i },
    { word: /\bbelaste/ },
    { word: /\bverbergen\b/ },
    { word: /\bstumm(?!geschaltet)\b|\bStummschalt/, except: /^forumTopic\.mute$/ },
  ],
  fr: [
    { word: /\bretenus?\b|\bretient\b/ },
    { word: /\bIl faut\b/ },
    { word: /fin (libre|ouverte)/ },
    { word: /\bbanni\p{L}*|au silence|rendu la parole/u },
    { word: /\bsur le forum\b/ },
    { word: /\bsans marches?\b/i },
    { word: /\b[Rr]aison\b(?! sociale)/ },
    { word: /\b[Ll]e PIN\b|\bun PIN\b/ },
    { word: /votre abonnement (FREE|PREMIUM|ULTIMATE|\{tier\})|commerce est (donc |ensuite )?FREE/ },
    { word: /\ble public\b/i },
    { word: /montant habituel/i },
    { word: /réseau (sera|est) revenu/ },
    { word: /sous (« ?)?(Mes codes|<codes>|Plus)/ },
    { word: /[Nn]ouvel essai (aide|est possible)/ },
  ],
}

describe('one thing has one name', () => {
  it.each(['en', 'de', 'fr'] as const)('%s', (locale) => {
    const found = everyText(locale).flatMap(([key, text]) =>
      losing[locale]
        .filter(({ word, except }) => word.test(text.replaceAll('\u00a0', ' ')) && !except?.test(key))
        .map(({ word }) => `${key}: ${word.source}`),
    )
    expect(found).toEqual([])
  })
})

it.each(['de', 'fr'] as const)('a sentence of the system has one translation in %s', (locale) => {
  const ofSystem = [
    'Back to the home page',
    'Compare tiers',
    'Find deals',
    'Loading...',
    'No connection. Please try again in a moment.',
    'Please fill this in.',
    'Saving...',
    'Sending…',
    'Show more',
    'That did not work. Please try again in a moment.',
    'That did not work. Please try again.',
    'This could not be loaded. Please try again.',
    'Try again',
    'You are offline. Please try again once you are back online.',
    'You are offline. What you typed is still here; please try again once you are back online.',
  ]
  const translated = texts(locale)
  const forms = new Map(ofSystem.map((sentence) => [sentence, new Set<string>()]))
  for (const [key, text] of texts('en')) forms.get(text)?.add(translated.get(key) ?? text)
  expect([...forms].filter(([, found]) => found.size !== 1)).toEqual([])
})
