import { createHash } from 'node:crypto'
import type { BusinessRoom } from '../../businesses/server/businesses.ts'
import type { DealActivity } from '../../deals/server/deals.ts'
import type { Sql } from '../../kit/server/database.ts'
import type { Keyring } from '../../kit/server/keyring.ts'
import type { Limiter } from '../../kit/server/limiter.ts'
import type { House } from '../../kit/server/room.ts'
import type { Texts } from '../../kit/server/serve-endpoint.ts'
import { claimsPerHour, wrongCodes, wrongPins } from '../contract.ts'

/** What the rules of redemptions work with. */
export interface RedemptionRoom extends Pick<BusinessRoom, 'db' | 'clock'> {
  keyring: Keyring
  texts: Texts
  publishFact: House['publishFact']
  /** For figures, in the transaction of what happened. */
  count: (trx: Sql, happened: DealActivity) => Promise<void>
  /** Zone of the festival's clocks, e.g. Europe/Zurich. */
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

/** The key by which the codes of a business are made, today's first, and what tells it apart. */
export function codeKeys({ keyring }: Pick<RedemptionRoom, 'keyring'>, businessId: string) {
  return keyring.macs('redemption codes', businessId.toLowerCase()).map((key) => ({
    key,
    print: createHash('sha256').update(key).digest().subarray(0, 6),
  }))
}
