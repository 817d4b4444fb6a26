/**
 * Numbers as each language writes them: "12,345.6", "12’345.6", "12 345,6". `Intl` would not do: its separators depend on the age of
 * the browser's data, and a page must not change while it hydrates.
 */
const separators: Record<string, { group: string; point: string; percent: string }> = {
  en: { group: ',', point: '.', percent: '%' },
  de: { group: '’', point: '.', percent: '\u00a0%' },
  fr: { group: '\u202f', point: ',', percent: '\u00a0%' },
}
const separatorsOf = (locale: string) => separators[locale] ?? separators['en']!

/** With at most three decimals. */
export const numberText = (locale: string, number: number) => written(locale, String(Math.round(number * 1000) / 1000))

/** With exactly these decimals: "4.0", "4,0". */
export const decimalText = (locale: string, number: number, decimals: number) =>
  written(locale, fixed(number, decimals))

/** "41%", "41 %"; whole `percent`, or text such as "+41". */
export const percentText = (locale: string, percent: number | string) =>
  (typeof percent === 'number' ? numberText(locale, percent) : percent) + separatorsOf(locale).percent

/** Straight-line distance: "350 m", "1.2 km", "12 km", "6,251 km". */
export function distanceText(locale: string, km: number): string {
  if (km < 0.995) return `${Math.max(10, Math.round(km * 100) * 10)} m`
  return `${km < 9.95 ? decimalText(locale, km, 1) : numberText(locale, Math.round(km))} km`
}

/** An amount as Swiss money, in every language: "1’234.50". */
export const francs = (chf: number) => written('de', fixed(chf, 2))

/** Digits for addresses, fields, files and drawings: "1234.50", in no language. */
export const fixed = (number: number, decimals: number) => number.toFixed(decimals)

function written(locale: string, digits: string): string {
  const { group, point } = separatorsOf(locale)
  const [whole, decimals] = digits.split('.') as [string, string?]
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, group)
  return decimals ? grouped + point + decimals : grouped
}

/** "CHF 12.50", the Swiss way in all languages. */
export function chf(amount: number): string {
  return `CHF ${francs(amount)}`
}

/** "CHF 49", "CHF 12.50": without empty cents. */
export function chfShort(amount: number): string {
  return Number.isInteger(amount) ? chf(amount).slice(0, -3) : chf(amount)
}

/** For display type only: whole francs as "CHF 12.–". */
export function chfDisplay(amount: number): string {
  return Number.isInteger(amount) ? `${chfShort(amount)}.–` : chf(amount)
}
