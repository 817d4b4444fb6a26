export const locales = ['en', 'de', 'fr'] as const
export type Locale = (typeof locales)[number]

export const themes = ['auto', 'paper', 'river'] as const
export type Theme = (typeof themes)[number]

interface Headers {
  cookie?: string | undefined
  'accept-language'?: string | undefined
}

/** The language to answer in: the chosen one, else the first that the browser prefers, else English. */
export function chosenLocale(headers: Headers): Locale {
  const chosen = locales.find((locale) => locale === cookie(headers, 'lang'))
  if (chosen) return chosen
  for (const language of languagesByPreference((headers['accept-language'] ?? '').slice(0, 200))) {
    const match = locales.find((locale) => locale === (relatives[language] ?? language))
    if (match) return match
  }
  return 'en'
}

/** Languages whose readers read another one: Swiss German is answered in German. */
const relatives: Readonly<Record<string, Locale | undefined>> = { __proto__: null, gsw: 'de' } as never

/** `fr-CH, de;q=0.9, en;q=0` -> fr, de: the preferred first, without regions, without those of weight 0. */
function languagesByPreference(header: string): string[] {
  const languages = header.split(',').map((each) => {
    const [range = '', ...parameters] = each.split(';').map((part) => part.trim().toLowerCase())
    const weight = parameters.find((each) => each.startsWith('q='))?.slice(2)
    return { language: range.split('-', 1)[0]!, weight: weight === undefined ? 1 : Number(weight) }
  })
  return languages
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
    .map(({ language }) => language)
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
