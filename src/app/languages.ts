export const locales = ['en', 'de', 'fr'] as const
export type Locale = (typeof locales)[number]

export const themes = ['auto', 'paper', 'river'] as const
export type Theme = (typeof themes)[number]

/** A language is asked for by Accept-Language only once its catalogue is complete; choosing it is always possible. */
const complete: readonly Locale[] = ['en', 'de', 'fr']

interface Headers {
  cookie?: string | undefined
  'accept-language'?: string | undefined
}

/** The language to answer in: the chosen one, else a complete one that the browser prefers, else English. */
export function chosenLocale(headers: Headers): Locale {
  const chosen = locales.find((locale) => locale === cookie(headers, 'lang'))
  if (chosen) return chosen
  for (const wish of (headers['accept-language'] ?? '').slice(0, 200).split(',')) {
    const language = wish.trim().slice(0, 2).toLowerCase()
    const match = complete.find((locale) => locale === language)
    if (match) return match
  }
  return 'en'
}

export function chosenTheme(headers: Headers): Theme {
  return themes.find((theme) => theme === cookie(headers, 'theme')) ?? 'auto'
}

function cookie(headers: Headers, name: string): string | undefined {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const [key, value] = pair.split('=', 2)
    if (key?.trim() === name) return value?.trim()
  }
  return undefined
}
