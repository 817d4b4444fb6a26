/** The database and rules hold whole Rappen, the API has CHF. */
export function chfFromRappen(rappen: number): number {
  return rappen / 100
}

export function rappenFromChf(chf: number): number {
  return Math.round(chf * 100)
}

/** Removes "CHF" or "Fr." beside an amount: screens add "CHF" themselves. */
export const withoutCurrency = (text: string): string =>
  text
    .trim()
    .replace(/^(?:CHF|Fr\.?)\s*(?=\d)/i, '')
    .replace(/(\d|[.,][–-])\s*(?:CHF|Fr\.?)$/i, '$1')
