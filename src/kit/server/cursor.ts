import { isUuid } from '../shared/input.ts'
import { invalidInput, Refusal } from '../shared/refusal.ts'

/** What a part of a cursor is: any text, a finite number, an instant as we write it, or an id. */
type Part = 'text' | 'number' | 'instant' | 'id'

/** Cursors are opaque to callers: JSON in base64url. `cursorOf` refuses a made-up one. */
export function writeCursor(value: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

/**
 * The parts of the cursor that a query named; null when it named none.
 * @throws invalid_input for a made-up one
 */
export function cursorOf<const T extends readonly Part[]>(cursor: string | undefined, types: T, field = 'after') {
  if (cursor === undefined) return null
  const parts = readCursor(cursor, types)
  if (!parts) throw unknownCursor(field)
  return parts
}

export const unknownCursor = (field = 'after') => new Refusal(invalidInput, { fields: { [field]: { key: 'cursor' } } })

/** Reads a cursor of these parts; null when it is none of ours, or holds what the database could not read. */
export function readCursor<const T extends readonly Part[]>(
  cursor: string,
  types: T,
): { [K in keyof T]: T[K] extends 'number' ? number : string } | null {
  let parts: unknown
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
  } catch {
    return null
  }
  if (!Array.isArray(parts) || parts.length !== types.length) return null
  return types.every((type, index) => is[type](parts[index])) ? (parts as never) : null
}

const isText = (part: unknown) => typeof part === 'string' && !part.includes('\0') && part.isWellFormed()

const is: Record<Part, (part: unknown) => boolean> = {
  text: isText,
  number: (part) => Number.isFinite(part),
  instant: (part) => typeof part === 'string' && isInstant(part),
  id: (part) => typeof part === 'string' && isUuid(part),
}

/** In the one form in which instants leave us; PostgreSQL knows neither a year 0 nor a 31 February. */
function isInstant(text: string): boolean {
  if (!/^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text)) return false
  const at = Date.parse(text)
  return !Number.isNaN(at) && new Date(at).toISOString() === text
}
