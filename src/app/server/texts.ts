import { readFileSync } from 'node:fs'
import type { Texts } from '../../kit/server/serve-endpoint.ts'
import { rooms } from '../rooms.ts'
import { filledUp } from './filled-up.ts'
import { locales, type Locale } from './languages.ts'
import { compileMessage } from './compile-message.ts'

type Values = Record<string, string | number>
type Tree = { [key: string]: string | Tree }

/** Namespaces that the server uses itself: refusals, wrong fields, the manifest, and those that rooms name in `texts`. */
const namespaces = [
  'refusals',
  'fields',
  'sentences',
  'labels',
  'manifest',
  ...rooms.flatMap(({ texts = [] }) => texts),
]

/** The texts of these namespaces, and those of mails, which no browser needs. */
function serverTexts(locale: Locale): Tree {
  const read = (file: string) =>
    JSON.parse(readFileSync(new URL(`../../../messages/${file}.json`, import.meta.url), 'utf8')) as Record<string, Tree>
  const catalogue = read(locale)
  const used = Object.fromEntries(namespaces.map((name) => [name, catalogue[name] ?? {}]))
  return { ...used, mails: read(`mails/${locale}`) }
}

/** All texts of a tree by their full key, e.g. `mails.verify.subject`. */
function leaves(tree: Tree, path = ''): [key: string, text: string][] {
  return Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string' ? [[`${path}${key}`, value] as [string, string]] : leaves(value, `${path}${key}.`),
  )
}

const english = serverTexts('en')
const compiled = new Map<string, (values?: Values) => string>(
  locales.flatMap((locale) =>
    leaves(filledUp(english, serverTexts(locale)) as Tree).map(
      ([key, message]) => [`${locale} ${key}`, compileMessage(locale, message)] as const,
    ),
  ),
)

let whenMissing = (key: string) => key
/** Sets what to use for a key without a text. The site uses the key itself; tests throw, so that none is missed. */
export function onMissingText(answer: (key: string) => string): void {
  whenMissing = answer
}

const say = (locale: string, key: string, values?: Values) =>
  compiled.get(`${locale} ${key}`)?.(values) ?? whenMissing(key)

export const texts: Texts = {
  say,
  refusal: (locale, code, values) => say(locale, `refusals.${code}`, values),
  field: (locale, { key, values }) => say(locale, `fields.${key}`, values),
  sentence: (locale, name, { key, values }) =>
    // some texts of `fields` are whole sentences already
    compiled.has(`${locale} sentences.${key}`)
      ? say(locale, `sentences.${key}`, { ...values, field: label(locale, name) })
      : say(locale, `fields.${key}`, values),
}

/** The field's label on screens: for `active_days.0` that of the list, for `quiet.from` that of `from`; without one its name. */
function label(locale: string, name: string): string {
  const leaf = name.split('.').findLast((part) => !/^\d+$/.test(part)) ?? name
  return compiled.get(`${locale} labels.${leaf}`)?.() ?? leaf
}
