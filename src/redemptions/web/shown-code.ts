import type { Claim } from '../contract.ts'

const stepMs = 30_000

/** What a claim shows at a moment. */
export interface ShownCode {
  code: string
  payload: string
  /** Seconds until the next one, 1 to 30. */
  secondsLeft: number
}

/** The code of the step that runs at `now` (ms since 1970, the server's time); null when the claim has none for it. */
export function shownCode(
  claim: Pick<Claim, 'claim_id' | 'codes' | 'first_step' | 'expires_at'>,
  now: number,
): ShownCode | null {
  const { codes, first_step: first } = claim
  if (!codes || first === null || now >= Date.parse(claim.expires_at)) return null
  // an answer takes a moment to arrive, so a phone may believe to be before its first step
  const step = Math.max(first, Math.floor(now / stepMs))
  const code = codes.slice((step - first) * 6, (step - first) * 6 + 6)
  if (code.length < 6) return null
  const secondsLeft = Math.max(1, Math.ceil(((step + 1) * stepMs - now) / 1000))
  return { code, payload: payloadOf(claim.claim_id, code), secondsLeft: Math.min(30, secondsLeft) }
}

/** As the server writes it, in capitals, for which a QR code has bigger modules. */
const payloadOf = (claimId: string, code: string) => `RK1:${claimId.replaceAll('-', '').toUpperCase()}:${code}`
