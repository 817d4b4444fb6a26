import { ask } from '../../kit/browser/asking.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import type { RefusedAnswer } from '../../kit/shared/refusal.ts'
import { type Claim, claimDeal } from '../contract.ts'
import { storeCode } from './offline-codes.ts'

type ClaimResult = { claim: Claim; refused: null } | { claim: null; refused: RefusedAnswer }

/** Claims a deal and adds its code to the offline copy. */
export async function claimCode(deal_id: string): Promise<ClaimResult> {
  const { answer, refused } = await ask(callByFetch, claimDeal, { as: 'action', params: { deal_id } })
  if (!answer) return { claim: null, refused }
  storeCode(answer.body)
  return { claim: answer.body, refused: null }
}
