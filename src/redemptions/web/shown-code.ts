import type { Claim } from '../contract.ts'
import { payloadOf } from '../limits.ts'

const stepMs = 30_000

/** The code that a claim shows at one moment. */
export interface ShownCode {
  code: string
  payload: string
  /** Seconds until the next code, 1 to 30. */
  secondsLeft: number
}

/** The code at `now` (ms since 1970, the server's time); null: the claim has none, or has expired. */
export function shownCode(
  claim: Pick<Claim, 'claim_id' | 'codes' | 'first_step' | 'expires_at'>,
  now: number,
): ShownCode | null {
  const { codes, first_step: first } = claim
  if (!codes || first === null || now >= Date.parse(claim.expires_at)) return null
  // a phone's clock may be behind by the time that the answer took, so `now` may be before the first step
  const step = Math.max(first, Math.floor(now / stepMs))
  const code = codes.slice((step - first) * 6, (step - first) * 6 + 6)
  if (code.length < 6) return null
  const secondsLeft = Math.max(1, Math.ceil(((step + 1) * stepMs - now) / 1000))
  return { code, payload: payloadOf(claim.claim_id, code), secondsLeft: Math.min(30, secondsLeft) }
}
