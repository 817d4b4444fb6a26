/** Cursors are opaque to callers: JSON in base64url. A made-up one reads as null and is refused by the rule. */
export function writeCursor(value: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

/** Reads a cursor whose parts have the given types; null when it is none of ours. */
export function readCursor<const T extends readonly ('string' | 'number')[]>(
  cursor: string,
  types: T,
): { [K in keyof T]: T[K] extends 'string' ? string : number } | null {
  let parts: unknown
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
  } catch {
    return null
  }
  if (!Array.isArray(parts) || parts.length !== types.length) return null
  for (const [index, type] of types.entries()) {
    const part: unknown = parts[index]
    if (typeof part !== type) return null
    if (typeof part === 'string' && (part.includes('\0') || !part.isWellFormed())) return null
    if (typeof part === 'number' && !Number.isFinite(part)) return null
  }
  return parts as never
}
