import { readFileSync } from 'node:fs'
import { createTranslator } from 'use-intl/core'
import type { Texts } from '../kit/server/serve-endpoint.ts'
import { filledUp } from './filled-up.ts'
import { locales, type Locale } from './languages.ts'

type Catalogue = Record<string, unknown>

function catalogue(locale: Locale): Catalogue {
  return JSON.parse(readFileSync(new URL(`../../messages/${locale}.json`, import.meta.url), 'utf8')) as Catalogue
}

const english = catalogue('en')
const translators = new Map<string, (key: string, values?: Record<string, string | number>) => string>(
  locales.map((locale) => {
    const translate = createTranslator({
      locale,
      messages: filledUp(english, locale === 'en' ? {} : catalogue(locale)),
      onError: () => {},
      getMessageFallback: ({ key }) => key,
    }) as (key: string, values?: Record<string, string | number>) => string
    return [locale, translate]
  }),
)

/** Texts of refusals and of field errors in the language of the one who asks. */
export const texts: Texts = {
  refusal: (locale, code, values) => translators.get(locale)!(`refusals.${code}`, values),
  field: (locale, key, values) => translators.get(locale)!(`fields.${key}`, values),
}
