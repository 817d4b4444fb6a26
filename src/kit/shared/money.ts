/** Money is integer Rappen inside and CHF outside. */
export function chfFromRappen(rappen: number): number {
  return rappen / 100
}

export function rappenFromChf(chf: number): number {
  return Math.round(chf * 100)
}

/** A price without the currency before or behind an amount: the screens write "CHF" themselves. */
export const withoutCurrency = (text: string): string =>
  text
    .trim()
    .replace(/^(?:CHF|Fr\.?)\s*(?=\d)/i, '')
    .replace(/(\d|[.,][–-])\s*(?:CHF|Fr\.?)$/i, '$1')
