import type { Deal } from '../deals/contract.ts'
import { undoMinutes, type ClaimState } from './limits.ts'

/** Who may do what with codes; the server enforces it, the screens hide by it. */

/** Visitors claim; merchants and staff do not. */
export const claimRoles = ['user'] as const
export const mayClaim = (role: string | null): boolean => role === 'user'

/** Why nobody can claim the deal now; null: it runs, and its merchant asks for a code. */
export function claimFault({
  status,
  redemption_mode,
}: Pick<Deal, 'status' | 'redemption_mode'>): 'unknown' | 'sold_out' | 'not_running' | 'no_code_needed' | null {
  if (status === 'draft' || status === 'archived') return 'unknown'
  if (status === 'sold_out') return 'sold_out'
  if (status !== 'active') return 'not_running'
  return redemption_mode === 'code' ? null : 'no_code_needed'
}

/** The visitor has redeemed the deal as often as one visitor may. */
export const hasReachedLimit = (redeemed: number, { per_user_limit }: Pick<Deal, 'per_user_limit'>): boolean =>
  redeemed >= per_user_limit

/** Why somebody cannot give a claim back; null: they hold it, and it is not redeemed. */
export function returnFault(
  claim: { account_id: string | null; state: ClaimState },
  accountId: string,
): 'unknown' | 'already_used' | null {
  if (claim.account_id !== accountId) return 'unknown'
  return claim.state === 'redeemed' ? 'already_used' : null
}

/** Where somebody redeems. */
export interface Till {
  businessId: string
  /** null: nobody registered this device. */
  tillId: string | null
  /** Sees and undoes its own redemptions alone. */
  redeemOnly: boolean
}

/** Of somebody who is logged in as the business: a device of another business counts as not registered. */
export const tillOf = (businessId: string, device: { till_id: string; business_id: string } | undefined): Till => ({
  businessId,
  tillId: device?.business_id === businessId ? device.till_id : null,
  redeemOnly: false,
})

/** Codes are redeemed by the business whose deal it is. */
export const mayRedeem = (till: Till, claim: { business_id: string }): boolean => claim.business_id === till.businessId

/** Scans made without a network are taken from registered devices alone. */
export const mayRedeemLater = ({ tillId }: Till): boolean => tillId !== null

/** Conflicts cannot be undone, and a redeem-only device undoes what it has redeemed itself. */
export const mayUndo = (till: Till, redemption: { state: string; till_id: string | null }): boolean =>
  redemption.state !== 'conflict' && (!till.redeemOnly || redemption.till_id === till.tillId)

/** Until when a redemption can be undone. */
export const undoUntil = ({ recorded_at }: { recorded_at: string }): Temporal.Instant =>
  Temporal.Instant.from(recorded_at).add({ minutes: undoMinutes })

/** The owner alone sees and registers devices of a business. */
export const ownsBusiness = (ownId: string | null, businessId: string): ownId is string =>
  ownId?.toLowerCase() === businessId.toLowerCase()
