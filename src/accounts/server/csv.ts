/** Puts an apostrophe before text that a spreadsheet would run as a formula (OWASP, CSV injection). */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text =
    value instanceof Date ? value.toISOString() : typeof value === 'object' ? JSON.stringify(value) : String(value)
  const isFormula = typeof value === 'string' && /^[=+\-@\t\r]/.test(text)
  return `"${(isFormula ? `'${text}` : text).replaceAll('"', '""')}"`
}

/** Rows as CSV (RFC 4180) with a header; all cells quoted. The byte order mark lets spreadsheets read umlauts. */
export function csvOf(rows: Record<string, unknown>[]): string {
  const names = Object.keys(rows[0] ?? {})
  const lines = [names, ...rows.map((row) => names.map((name) => row[name]))].map(
    (cells) => `${cells.map(cellOf).join(',')}\r\n`,
  )
  return `\ufeff${lines.join('')}`
}
