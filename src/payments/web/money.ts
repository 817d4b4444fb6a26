/** "CHF 49", "CHF 12.50"; the same in all languages, as prices are written in Switzerland. */
export function chf(amount: number): string {
  const digits = amount % 1 ? 2 : 0
  return `CHF ${new Intl.NumberFormat('de-CH', { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(amount)}`
}
