/** A random idempotency key, 32 hex digits. Not `randomUUID`: browsers lack it on pages without TLS. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
