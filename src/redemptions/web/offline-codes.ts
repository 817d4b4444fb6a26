import { readable } from '../../kit/browser/ask.ts'
import { isObject, number } from '../../kit/browser/reading.ts'
import { storeInSession, storedInSession } from '../../accounts/web/session.ts'
import { listClaims, type Claim } from '../contract.ts'
import { offsetOf } from './server-clock.ts'

/** The offline copy of the visitor's codes. Logging out deletes it. */
export interface OfflineCodes {
  claims: Claim[]
  /** The server's time minus the phone's clock, in ms. */
  offsetMs: number
}

/** Stores claims from an answer that has just arrived. */
export function storeCodes(claims: Claim[]): OfflineCodes {
  const serverNow = claims[0]?.server_now
  const codes = { claims, offsetMs: serverNow ? offsetOf(serverNow) : 0 }
  storeInSession({ myCodes: claims.length > 0 ? JSON.stringify(codes) : null })
  return codes
}

/** The claims with the states of a later list without codes (`brief`). */
export function withStates(claims: Claim[], list: Claim[]): Claim[] {
  const later = new Map(list.map(({ claim_id, state, redeemed_at }) => [claim_id, { state, redeemed_at }]))
  return claims.map((claim) => ({ ...claim, ...later.get(claim.claim_id) }))
}

export function updateStoredStates(list: Claim[]): void {
  const codes = storedCodes()
  if (codes) storeInSession({ myCodes: JSON.stringify({ ...codes, claims: withStates(codes.claims, list) }) })
}

/** Adds a new claim. */
export function storeCode(claim: Claim): OfflineCodes {
  const others = storedCodes()?.claims.filter(({ claim_id }) => claim_id !== claim.claim_id) ?? []
  return storeCodes([claim, ...others])
}

export function storedCodes(): OfflineCodes | null {
  try {
    const codes: unknown = JSON.parse(storedInSession('myCodes') ?? 'null')
    if (!isObject(codes)) return null
    const claims = readable(listClaims).read(codes['claims'])
    return claims ? { claims, offsetMs: number(codes['offsetMs']) ?? 0 } : null
  } catch {
    return null
  }
}
