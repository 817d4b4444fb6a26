import { isCode } from './rotating-codes.ts'

/** The content of the QR code: `RK1:<32 hex digits>:<code>`. Capitals allow its alphanumeric mode, which has bigger modules. */
export function payloadOf(claimId: string, code: string): string {
  return `RK1:${claimId.replaceAll('-', '').toUpperCase()}:${code}`
}

/** Null: not one of our QR codes. */
export function readPayload(payload: string): { claimId: string; code: string } | null {
  const [, hex = '', code = ''] = /^RK1:([0-9A-F]{32}):(\d{6})$/i.exec(payload.trim()) ?? []
  if (!hex || !isCode(code)) return null
  return { claimId: hex.toLowerCase().replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'), code }
}
