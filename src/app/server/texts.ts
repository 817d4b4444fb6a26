import { readFileSync } from 'node:fs'
import type { Texts } from '../../kit/server/serve-endpoint.ts'
import { filledUp } from './filled-up.ts'
import { locales, type Locale } from './languages.ts'
import { sayable } from './say.ts'

type Values = Record<string, string | number>
type Tree = { [key: string]: string | Tree }

/** What the server says by itself: refusals, texts beside fields, answers of accounts, and mails, which no browser needs. */
function spokenTexts(locale: Locale): Tree {
  const read = (file: string) =>
    JSON.parse(readFileSync(new URL(`../../../messages/${file}.json`, import.meta.url), 'utf8')) as Record<string, Tree>
  const { refusals = {}, fields = {}, accounts = {}, dealNotices = {}, notices = {}, urgent = {} } = read(locale)
  return { refusals, fields, accounts, dealNotices, notices, urgent, mails: read(`mails/${locale}`) }
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
const say = (locale: string, key: string, values?: Values) => said.get(`${locale} ${key}`)?.(values) ?? key

/** Texts of the server in the language of the one who asks. */
export const texts: Texts = {
  say,
  refusal: (locale, code, values) => say(locale, `refusals.${code}`, values),
  field: (locale, key, values) => say(locale, `fields.${key}`, values),
}
