/**
 * A key by which an answer tells that it was asked for twice: 32 hex digits. On the server too, and in browsers on pages
 * without TLS, where `randomUUID` is missing.
 */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
