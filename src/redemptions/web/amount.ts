/** CHF of "12.50", "12,5", "1'200" or "CHF 8.–"; null: no amount from 0 to 100,000 with at most two decimals. */
export function amountOf(typed: string): number | null {
  const text = typed
    .trim()
    .replace(/^(CHF|Fr\.?)\s*/i, '')
    .replace(/[\s'’]/g, '')
    .replace(/[.,][–-]$/, '')
    .replace(',', '.')
  if (!/^\d{1,6}(\.\d{1,2})?$/.test(text)) return null
  const amount = Number(text)
  return amount <= 100_000 ? amount : null
}
