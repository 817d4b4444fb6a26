import { readable } from '../../kit/browser/asking.ts'
import { isObject, number } from '../../kit/browser/reading.ts'
import { storeInSession, storedInSession } from '../../accounts/web/session.ts'
import { listClaims, type Claim } from '../contract.ts'
import { offsetOf } from './server-clock.ts'

/** The codes of this phone as the server last told them: they are shown without network. They go with the session. */
export interface KeptCodes {
  claims: Claim[]
  /** What is to be added to the phone's clock for the server's time, in ms. */
  offsetMs: number
}

/** Keeps what the server has just told. */
export function keepCodes(claims: Claim[]): KeptCodes {
  const told = claims[0]?.server_now
  const kept = { claims, offsetMs: told ? offsetOf(told) : 0 }
  storeInSession({ myCodes: claims.length > 0 ? JSON.stringify(kept) : null })
  return kept
}

/** What became of claims since, as a later list tells it; its codes stay as they are. */
export function withStates(claims: Claim[], told: Claim[]): Claim[] {
  const later = new Map(told.map(({ claim_id, state, redeemed_at }) => [claim_id, { state, redeemed_at }]))
  return claims.map((claim) => ({ ...claim, ...later.get(claim.claim_id) }))
}

/** What became of kept codes since. */
export function keepStates(told: Claim[]): void {
  const kept = keptCodes()
  if (kept) storeInSession({ myCodes: JSON.stringify({ ...kept, claims: withStates(kept.claims, told) }) })
}

/** Adds a claim that was just made. */
export function keepCode(claim: Claim): KeptCodes {
  const others = keptCodes()?.claims.filter(({ claim_id }) => claim_id !== claim.claim_id) ?? []
  return keepCodes([claim, ...others])
}

export function keptCodes(): KeptCodes | null {
  try {
    const kept: unknown = JSON.parse(storedInSession('myCodes') ?? 'null')
    if (!isObject(kept)) return null
    const claims = readable(listClaims).read(kept['claims'])
    return claims ? { claims, offsetMs: number(kept['offsetMs']) ?? 0 } : null
  } catch {
    return null
  }
}
