import { hash, randomUUIDv7 } from 'node:crypto'

/** A new UUIDv7: later ids sort after earlier ones, so they fill an index from its end. */
export function newId(): string {
  return randomUUIDv7()
}

/** The same words give the same id (a UUIDv8): what is sent again meets what it has made. */
export function idOf(words: unknown[]): string {
  const hex = hash('sha256', JSON.stringify(words))
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-a$4-$5')
}
