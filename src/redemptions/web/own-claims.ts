import { ask } from '../../kit/browser/ask.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { claimDeal, listClaims } from '../contract.ts'
import { storeCode, updateStoredStates } from './offline-codes.ts'

/** A visitor's claims of one deal: the open one, and how many were redeemed. */
export interface OwnClaims {
  openId: string | null
  used: number
}

/** Calls `onFound` with the visitor's claims by deal, now and whenever the page is visible again. */
export function followClaim(
  dealId: string,
  left: AbortSignal,
  onFound: (found: Record<string, OwnClaims>) => void,
): void {
  if (left.aborted) return
  const look = async () => {
    if (document.visibilityState !== 'visible') return
    const own = await claimsOf(dealId)
    if (!left.aborted) onFound({ [dealId]: own })
  }
  const lookNow = () => void look()
  document.addEventListener('visibilitychange', lookNow, { signal: left })
  lookNow()
}

/**
 * The visitor's claims of a deal, also those made on another device; none without an answer. Updates the states of the offline copy,
 * so that a redeemed code is no longer offered.
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

/** Claims a deal and adds its code to the offline copy. */
export async function claimCode(deal_id: string) {
  const { answer, refused } = await ask(callByFetch, claimDeal, { as: 'action', params: { deal_id } })
  if (answer) storeCode(answer.body)
  return { claim: answer && answer.body, refused }
}
