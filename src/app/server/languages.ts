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
  for (const language of languagesByWish((headers['accept-language'] ?? '').slice(0, 200))) {
    const match = complete.find((locale) => locale === (relatives[language] ?? language))
    if (match) return match
  }
  return 'en'
}

/** Whoever reads this reads that: Swiss German is written in the one language that both have. */
const relatives: Readonly<Record<string, Locale | undefined>> = { __proto__: null, gsw: 'de' } as never

/** `fr-CH, de;q=0.9, en;q=0` -> fr, de: without their regions, the most wanted first, what is not wanted left out. */
function languagesByWish(header: string): string[] {
  const wishes = header.split(',').map((wish) => {
    const [range = '', ...parameters] = wish.split(';').map((part) => part.trim().toLowerCase())
    const weight = parameters.find((each) => each.startsWith('q='))?.slice(2)
    return { language: range.split('-', 1)[0]!, weight: weight === undefined ? 1 : Number(weight) }
  })
  return wishes
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
