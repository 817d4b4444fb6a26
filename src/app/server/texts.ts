import { readFileSync } from 'node:fs'
import type { Texts } from '../../kit/server/serve-endpoint.ts'
import { rooms } from '../rooms.ts'
import { filledUp } from './filled-up.ts'
import { locales, type Locale } from './languages.ts'
import { sayable } from './say.ts'

type Values = Record<string, string | number>
type Tree = { [key: string]: string | Tree }

/** Namespaces of which the server says something by itself: refusals, wrong fields, and what rooms say. */
const namespaces = ['refusals', 'fields', 'sentences', 'labels', ...rooms.flatMap(({ texts = [] }) => texts)]

/** Their texts, and mails, which no browser needs. */
function spokenTexts(locale: Locale): Tree {
  const read = (file: string) =>
    JSON.parse(readFileSync(new URL(`../../../messages/${file}.json`, import.meta.url), 'utf8')) as Record<string, Tree>
  const catalogue = read(locale)
  const spoken = Object.fromEntries(namespaces.map((name) => [name, catalogue[name] ?? {}]))
  return { ...spoken, mails: read(`mails/${locale}`) }
}

/** Leaves of a tree by their whole key, e.g. `mails.verify.subject`. */
function leaves(tree: Tree, path = ''): [key: string, text: string][] {
  return Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string' ? [[`${path}${key}`, value] as [string, string]] : leaves(value, `${path}${key}.`),
  )
}

const english = spokenTexts('en')
const said = new Map<string, (values?: Values) => string>(
  locales.flatMap((locale) =>
    leaves(filledUp(english, spokenTexts(locale)) as Tree).map(
      ([key, message]) => [`${locale} ${key}`, sayable(locale, message)] as const,
    ),
  ),
)

let whenMissing = (key: string) => key
/** What is said for a key without a text: the key itself, where people are served. Tests throw, so that none gets there. */
export function onMissingText(answer: (key: string) => string): void {
  whenMissing = answer
}

const say = (locale: string, key: string, values?: Values) => said.get(`${locale} ${key}`)?.(values) ?? whenMissing(key)

/** Texts of the server in the language of the one who asks. */
export const texts: Texts = {
  say,
  refusal: (locale, code, values) => say(locale, `refusals.${code}`, values),
  field: (locale, { key, values }) => say(locale, `fields.${key}`, values),
  sentence: (locale, name, { key, values }) =>
    // a text that is whole already has no second one
    said.has(`${locale} sentences.${key}`)
      ? say(locale, `sentences.${key}`, { ...values, field: label(locale, name) })
      : say(locale, `fields.${key}`, values),
}

/** As the screens call the field; of `active_days.0` the list, of `quiet.from` the inner one. Fields of programs have no other name than their own. */
function label(locale: string, name: string): string {
  const leaf = name.split('.').findLast((part) => !/^\d+$/.test(part)) ?? name
  return said.get(`${locale} labels.${leaf}`)?.() ?? leaf
}
