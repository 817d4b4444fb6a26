import { createHash, timingSafeEqual } from 'node:crypto'
import type { DealActivity } from '../../deals/server/deals.ts'
import type { Sql } from '../../kit/server/database.ts'
import type { Keyring } from '../../kit/server/keyring.ts'
import type { Limiter } from '../../kit/server/limiter.ts'
import type { House } from '../../kit/server/room.ts'
import { claimsPerHour, wrongCodes, wrongPins } from '../contract.ts'

export interface RedemptionRoom extends Pick<House, 'db' | 'clock' | 'keyring' | 'publishFact'> {
  /** Counts a claim or a redemption for analytics, in its transaction. */
  countDealActivity: (trx: Sql, activity: DealActivity) => Promise<void>
  /** The festival's zone, e.g. Europe/Zurich. */
  zone: string
  limits: {
    claims: Limiter
    wrongOfBusiness: Limiter
    wrongOfDevice: Limiter
    wrongOfClaim: Limiter
    wrongPins: Limiter
  }
}

export function redemptionLimits(limiter: House['limiter']): RedemptionRoom['limits'] {
  const wrong = (name: string, points: number) => limiter({ name, points, durationS: wrongCodes.perMinutes * 60 })
  return {
    claims: limiter({ name: 'claims', points: claimsPerHour, durationS: 3600 }),
    wrongOfBusiness: wrong('code-business', wrongCodes.ofBusiness),
    wrongOfDevice: wrong('code-device', wrongCodes.ofDevice),
    wrongOfClaim: wrong('code-claim', wrongCodes.ofClaim),
    wrongPins: limiter({ name: 'till-pin', points: wrongPins.most, durationS: wrongPins.perMinutes * 60 }),
  }
}

/** Keys of a business's codes, the current one first, with their fingerprints (`print`). */
export function codeKeys({ keyring }: Pick<RedemptionRoom, 'keyring'>, businessId: string) {
  return keyring.macs('redemption codes', businessId.toLowerCase()).map((key) => ({
    key,
    print: createHash('sha256').update(key).digest().subarray(0, 6),
  }))
}

/** The key of a claim's codes; undefined: it is no longer valid. */
export const keyOfClaim = (
  room: Pick<RedemptionRoom, 'keyring'>,
  { business_id, key_print }: { business_id: string; key_print: Buffer | null },
) => codeKeys(room, business_id).find(({ print }) => key_print?.equals(print))?.key

type SignedThing = 'till tokens' | 'redemption tickets'

export const signed = (keyring: Keyring, what: SignedThing, text: string): string =>
  `${text}.${keyring.mac(what, text).toString('base64url')}`

/** The text that `signed` got; null: this installation did not sign it. */
export function readSigned(keyring: Keyring, what: SignedThing, token: string): string | null {
  const text = token.slice(0, token.lastIndexOf('.'))
  const mac = Buffer.from(token.slice(text.length + 1), 'base64url')
  const isOurs = keyring.macs(what, text).some((ours) => ours.length === mac.length && timingSafeEqual(ours, mac))
  return isOurs ? text : null
}
