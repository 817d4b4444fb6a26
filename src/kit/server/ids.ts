import { hash } from 'node:crypto'
import { v7 } from 'uuid'

/**
 * A new UUIDv7. Ids of one process rise, also within a millisecond (a counter, RFC 9562 section 6.2, method 1), so that
 * "order by created_at, id" is the order in which rows were made. Node's own `randomUUIDv7` has no such counter.
 */
export function newId(): string {
  return v7()
}

/** The same words give the same id (a UUIDv8): what is sent again meets what it has made. */
export function idOf(words: unknown[]): string {
  const hex = hash('sha256', JSON.stringify(words))
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-a$4-$5')
}
