import { readFileSync } from 'node:fs'
import { createTranslator } from 'use-intl/core'
import { describe, expect, it } from 'vitest'
import { locales } from './languages.ts'
import { compileMessage } from './compile-message.ts'

/** The library's function, for keys that TypeScript does not know. */
type Say = (key: string, values: Record<string, string | number>) => string

const given = { n: 1, max: 40, min: 2, choices: 'a, b', from: 1, to: 9, unit: 'minute' }

/** A value for each argument of a message: from `values`, else a number where it is counted, else a word. */
function filled(message: string, values: Record<string, string | number>): Record<string, string | number> {
  const names = [...message.matchAll(/\{(\w+)(?=[,}])/g)].map(([, name]) => name!)
  const isCounted = (name: string) => new RegExp(`\\{${name},\\s*(plural|number)`).test(message)
  return Object.fromEntries([
    ...names.map((name) => [name, isCounted(name) ? (values['n'] ?? 3) : 'Rhein'] as const),
    ...Object.entries(values),
  ])
}

/** The library's text with numbers grouped as in Switzerland. */
const ourNumbers = (locale: string, text: string) => (locale === 'de' ? text.replace(/(?<=\d)\.(?=\d{3})/g, '’') : text)

describe.each(locales)('the texts of the API in %s', (locale) => {
  const file = new URL(`../../../messages/${locale}.json`, import.meta.url)
  const messages = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Record<string, string>>
  it.each(['refusals', 'fields', 'sentences', 'labels', 'accounts'])(
    '%s are the same as from the library of the screens',
    (namespace) => {
      const translate = createTranslator({ locale, messages: messages[namespace]! }) as unknown as Say
      for (const [key, message] of Object.entries(messages[namespace]!))
        for (const count of [0, 1, 2, 21, 1000]) {
          const values = filled(message, { ...given, n: count, max: count, min: count })
          expect(compileMessage(locale, message)(values), key).toBe(ourNumbers(locale, translate(key, values)))
        }
    },
  )
})

it.each(locales)('the limits of a number are grouped in %s', (locale) => {
  const file = new URL(`../../../messages/${locale}.json`, import.meta.url)
  const { fields } = JSON.parse(readFileSync(file, 'utf8')) as { fields: { range: string } }
  expect(compileMessage(locale, fields.range)({ min: 1, max: 1_000_000 })).toMatch(
    / 1 .* 1[,’\u202f]000[,’\u202f]000\b/,
  )
})

describe.each(locales)('the mails in %s', (locale) => {
  const file = new URL(`../../../messages/mails/${locale}.json`, import.meta.url)
  const mails = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string | Record<string, string>>
  it.each(['user', 'business'])('to a %s are the same as from the library of the screens', (kind) => {
    const always = { festival: 'Rheinklang', name: 'Léa', kind, email: 'a@b.ch', hours: 24, minutes: 60, days: 14 }
    const spoken = [
      { ...always, again: 'yes', confirm: 'demanded' },
      { ...always, again: 'no', confirm: 'free' },
    ]
    for (const [mail, texts] of Object.entries(mails)) {
      const named = typeof texts === 'string' ? { text: texts } : texts
      const translate = createTranslator({ locale, messages: named }) as unknown as Say
      for (const [key, message] of Object.entries(named))
        for (const values of spoken.map((each) => filled(message, each)))
          expect(compileMessage(locale, message)(values), `${mail}.${key}`).toBe(translate(key, values))
    }
  })
})

it.each([
  ['{name, select, Rhein {the river} other {{name}}}', 'the river'],
  ['{name, select, Aare {the river} other {{name}, {n}}}', 'Rhein, 3'],
  ["It''s {name}", "It's Rhein"],
  ["It's {name}", "It's Rhein"],
  ["'{name}' is {name}", '{name} is Rhein'],
  ['{n, plural, =0 {none} one {# of {name}} other {# of {name}}}', '3 of Rhein'],
])('%s', (message, said) => expect(compileMessage('en', message)({ name: 'Rhein', n: 3 })).toBe(said))

it.each(['{name', '{n, select, a {x}}', '{n, plural, one {x}}', 'a } b', '{n, number, x}', "'{name"])(
  'refuses %s',
  (message) => expect(() => compileMessage('en', message)).toThrow('cannot be read'),
)
