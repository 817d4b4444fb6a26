import { ask } from '../../kit/browser/asking.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { listClaims } from './calls.ts'
import { keepStates } from './kept-codes.ts'

/** Tells the claim of a deal that can still be redeemed, by the deal, now and whenever the page is seen again. */
export function followClaim(
  dealId: string,
  left: AbortSignal,
  tell: (found: Record<string, string | null>) => void,
): void {
  if (left.aborted) return
  const look = async () => {
    if (document.visibilityState !== 'visible') return
    const claimId = await openClaimOf(dealId)
    if (!left.aborted) tell({ [dealId]: claimId })
  }
  const lookNow = () => void look()
  document.addEventListener('visibilitychange', lookNow, { signal: left })
  lookNow()
}

/**
 * The claim of a deal that can still be redeemed, also one made on another device. What this phone has kept follows: a code
 * that was redeemed meanwhile is not offered any more. Null where there is none, or no answer.
 */
async function openClaimOf(dealId: string): Promise<string | null> {
  const { answer } = await ask(callByFetch, listClaims, { as: 'background', query: { limit: 50, brief: true } })
  if (!answer) return null
  const states = new Map(answer.body.map(({ claim_id, state }) => [claim_id, state]))
  keepStates((claimId) => states.get(claimId))
  return answer.body.find(({ deal_id, state }) => deal_id === dealId && state === 'open')?.claim_id ?? null
}
