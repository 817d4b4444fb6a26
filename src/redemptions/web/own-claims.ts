import { ask } from '../../kit/browser/asking.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { listClaims } from '../contract.ts'
import { updateStoredStates } from './offline-codes.ts'

/** What a visitor has of a deal: the claim that can still be redeemed, and how often others were. */
export interface OwnClaims {
  openId: string | null
  used: number
}

/** Tells what the visitor has of a deal, by the deal, now and whenever the page is seen again. */
export function followClaim(dealId: string, left: AbortSignal, tell: (found: Record<string, OwnClaims>) => void): void {
  if (left.aborted) return
  const look = async () => {
    if (document.visibilityState !== 'visible') return
    const own = await claimsOf(dealId)
    if (!left.aborted) tell({ [dealId]: own })
  }
  const lookNow = () => void look()
  document.addEventListener('visibilitychange', lookNow, { signal: left })
  lookNow()
}

/**
 * What the visitor has of a deal, also from another device; nothing where there is no answer. What this phone has kept follows:
 * a code that was redeemed meanwhile is not offered any more.
 */
async function claimsOf(dealId: string): Promise<OwnClaims> {
  const { answer } = await ask(callByFetch, listClaims, { as: 'background', query: { limit: 50, brief: true } })
  if (!answer) return { openId: null, used: 0 }
  updateStoredStates(answer.body)
  const own = answer.body.filter(({ deal_id }) => deal_id === dealId)
  return {
    openId: own.find(({ state }) => state === 'open')?.claim_id ?? null,
    used: own.filter(({ state }) => state === 'redeemed').length,
  }
}
