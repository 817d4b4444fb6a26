import { hash } from 'node:crypto'
import { v7 } from 'uuid'

/**
 * A new UUIDv7. Ids of one process increase, also within a millisecond (by a counter, RFC 9562 section 6.2, method 1), so that
 * "order by created_at, id" is the order of creation. Node's `randomUUIDv7` has no such counter.
 */
export function newId(): string {
  return v7()
}

/** A UUIDv8 that depends on `words` only: a request that is sent again finds the row that it has created. */
export function idOf(words: unknown[]): string {
  const hex = hash('sha256', JSON.stringify(words))
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-a$4-$5')
}
