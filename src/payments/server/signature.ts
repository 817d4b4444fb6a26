import { createHmac, timingSafeEqual } from 'node:crypto'
import { eventToleranceS } from '../contract.ts'
import { EventForged } from './provider.ts'

/**
 * Signatures of the test provider, in Stripe's format (`t=…,v1=…`, HMAC-SHA256 of `t.body`). Stripe's SDK is not used here, as it
 * takes half a second to load.
 */

/** Signature header for a body. @param now ms */
export function signatureOf(payload: string, key: Buffer, now: number): string {
  const seconds = Math.floor(now / 1000)
  return `t=${seconds},v1=${macOf(Buffer.from(payload), key, seconds).toString('hex')}`
}

/**
 * The parsed body, if one of the keys signed exactly these bytes at most 300 s ago.
 * @param now ms
 * @throws EventForged
 */
export function verified(bytes: Uint8Array, signature: string, keys: Buffer[], now: number): unknown {
  const seconds = Number(/(?:^|,)t=(\d{1,12})(?:,|$)/.exec(signature)?.[1] ?? Number.NaN)
  const given = [...signature.matchAll(/(?:^|,)v1=([0-9a-f]{64})(?=,|$)/g)].map(([, hex]) => Buffer.from(hex!, 'hex'))
  const isSigned = keys.some((key) => {
    const expected = macOf(bytes, key, seconds)
    return given.some((each) => timingSafeEqual(each, expected))
  })
  if (!isSigned) throw new EventForged('No key of ours has signed it.')
  if (!(Math.abs(Math.floor(now / 1000) - seconds) <= eventToleranceS)) throw new EventForged('It is too old.')
  return contentOf(bytes)
}

const macOf = (bytes: Uint8Array, key: Buffer, seconds: number) =>
  createHmac('sha256', key).update(`${seconds}.`).update(bytes).digest()

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Reads JSON in UTF-8 without a byte order mark. @throws `EventForged` */
function contentOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(bytes))
  } catch {
    throw new EventForged('It is no JSON.')
  }
}
