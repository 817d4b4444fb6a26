import { isUuid } from '../shared/input.ts'
import { invalidInput, Refusal } from '../shared/refusal.ts'

/** Kinds of parts of a cursor: any text, a finite number, an instant as answers write it, or an id. */
type Part = 'text' | 'number' | 'instant' | 'id'

/** Writes a cursor, opaque to callers: JSON in base64url. */
export function writeCursor(value: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

/** The parts of a query's cursor; null without a cursor. @throws invalid_input for a cursor that `writeCursor` has not written */
export function cursorOf<const T extends readonly Part[]>(cursor: string | undefined, types: T, field = 'after') {
  if (cursor === undefined) return null
  const parts = readCursor(cursor, types)
  if (!parts) throw unknownCursor(field)
  return parts
}

export const unknownCursor = (field = 'after') => new Refusal(invalidInput, { fields: { [field]: { key: 'cursor' } } })

/** The parts of a cursor; null where they are not of these kinds, or hold a value that PostgreSQL could not read. */
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

/** True for instants in the form of answers. The year 0 and 31 February are refused, as PostgreSQL does. */
function isInstant(text: string): boolean {
  if (!/^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text)) return false
  const at = Date.parse(text)
  return !Number.isNaN(at) && new Date(at).toISOString() === text
}
