import { isCode } from './rotating-codes.ts'

/** What the QR code holds, in letters of its alphanumeric mode, so that its modules are big: `RK1:<32 hex digits>:<code>`. */
export function payloadOf(claimId: string, code: string): string {
  return `RK1:${claimId.replaceAll('-', '').toUpperCase()}:${code}`
}

/** Null for a text that is no QR code of ours. */
export function readPayload(payload: string): { claimId: string; code: string } | null {
  const [, hex = '', code = ''] = /^RK1:([0-9A-F]{32}):(\d{6})$/i.exec(payload.trim()) ?? []
  if (!hex || !isCode(code)) return null
  return { claimId: hex.toLowerCase().replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'), code }
}
