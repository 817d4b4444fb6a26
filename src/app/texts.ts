import { readFileSync } from 'node:fs'
import type { Texts } from '../kit/server/serve-endpoint.ts'
import { filledUp } from './filled-up.ts'
import { locales, type Locale } from './languages.ts'
import { sayable } from './say.ts'

type Namespace = Record<string, string>

function catalogue(locale: Locale): Record<string, Namespace> {
  const url = new URL(`../../messages/${locale}.json`, import.meta.url)
  return JSON.parse(readFileSync(url, 'utf8')) as Record<string, Namespace>
}

const english = catalogue('en')

/** The texts of a namespace by language and key. */
function spoken(namespace: 'refusals' | 'fields') {
  const said = new Map<string, (values?: Record<string, string | number>) => string>(
    locales.flatMap((locale) =>
      Object.entries(filledUp(english[namespace], catalogue(locale)[namespace]) as Namespace).map(
        ([key, message]) => [`${locale} ${key}`, sayable(locale, message)] as const,
      ),
    ),
  )
  return (locale: string, key: string, values?: Record<string, string | number>) =>
    said.get(`${locale} ${key}`)?.(values) ?? `${namespace}.${key}`
}

/** Texts of refusals and of field errors in the language of the one who asks. */
export const texts: Texts = { refusal: spoken('refusals'), field: spoken('fields') }
