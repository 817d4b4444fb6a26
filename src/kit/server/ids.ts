import { randomUUIDv7 } from 'node:crypto'

/** A new UUIDv7: later ids sort after earlier ones, so they fill an index from its end. */
export function newId(): string {
  return randomUUIDv7()
}
