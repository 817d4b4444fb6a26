import type { Deal } from '../deals/contract.ts'
import { isOwnBusiness } from '../deals/policy.ts'
import { dealTime } from '../deals/times.ts'
import { claimHours, undoMinutes, type ClaimState } from './limits.ts'

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

/** What somebody can do with a deal this minute. `from`: when it can be used next, or claimed; null where nobody knows. */
export type DealAction =
  | { is: 'edit' | 'show_code' | 'get_code' | 'log_in' | 'show_at_counter' | 'none' }
  | { is: 'save'; why: 'later' | 'sold_out'; from: string | null }
  /** Nothing, and why: it was used as often as allowed, or codes are for visitors alone. */
  | { is: 'used' | 'for_visitors' }

/** Who looks at the page of a deal. */
export interface DealViewer {
  session: 'guest' | 'user' | 'business'
  /** The `userType` of the session; null: a guest. */
  role: string | null
  businessId: string | null
  /** Whether they hold an open code of it. */
  holdsCode: boolean
  /** How often they have redeemed it. */
  redeemed: number
}

/** The main button of a deal's page: what the server would not refuse at `now` (ms since 1970). */
export function dealAction(deal: ActionDeal, who: DealViewer, now: number): DealAction {
  if (who.session === 'business' && isOwnBusiness(who, deal.business_id)) return { is: 'edit' }
  if (who.holdsCode) return { is: 'show_code' }
  const hasCodes = deal.redemption_mode === 'code'
  if (deal.status === 'sold_out' && hasCodes) return { is: 'save', why: 'sold_out', from: null }
  const isOver = deal.over_at !== null && Date.parse(deal.over_at) <= now
  const isPending = deal.status === 'scheduled' && deal.starts_at !== null && Date.parse(deal.starts_at) > now
  if (isOver || !(deal.status === 'active' || deal.status === 'scheduled')) return { is: 'none' }
  if (hasCodes && who.session !== 'guest' && !mayClaim(who.role)) return { is: 'for_visitors' }
  if (hasCodes && hasReachedLimit(who.redeemed, deal)) return { is: 'used' }
  if (isPending) return { is: 'save', why: 'later', from: deal.usable_from ?? deal.starts_at }
  const time = dealTime(deal, now)
  if (time.is === 'past') return { is: 'save', why: 'later', from: null }
  const waits = 'from' in time && (!hasCodes || Date.parse(time.from) - claimHours * 3_600_000 >= now)
  if (waits) return { is: 'save', why: 'later', from: time.from }
  if (!hasCodes) return { is: 'show_at_counter' }
  return { is: who.session === 'guest' ? 'log_in' : 'get_code' }
}

type ActionDeal = Pick<
  Deal,
  | 'business_id'
  | 'status'
  | 'redemption_mode'
  | 'per_user_limit'
  | 'starts_at'
  | 'over_at'
  | 'usable_now'
  | 'usable_from'
  | 'usable_until'
  | 'open_now'
>

/** Why somebody cannot give a claim back; null: it is theirs and not redeemed. */
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
  /** Sees and undoes only its own redemptions. */
  redeemOnly: boolean
}

/** The till of somebody logged in as the business. A device of another business counts as not registered. */
export const tillOf = (businessId: string, device: { till_id: string; business_id: string } | undefined): Till => ({
  businessId,
  tillId: device?.business_id === businessId ? device.till_id : null,
  redeemOnly: false,
})

/** Codes are redeemed by the business whose deal it is. */
export const mayRedeem = (till: Till, claim: { business_id: string }): boolean => claim.business_id === till.businessId

/** Offline scans are taken from registered devices alone. */
export const mayRedeemLater = ({ tillId }: Till): boolean => tillId !== null

/** Conflicts cannot be undone, and a redeem-only device undoes what it has redeemed itself. */
export const mayUndo = (till: Till, redemption: { state: string; till_id: string | null }): boolean =>
  redemption.state !== 'conflict' && (!till.redeemOnly || redemption.till_id === till.tillId)

export const undoUntil = ({ recorded_at }: { recorded_at: string }): Temporal.Instant =>
  Temporal.Instant.from(recorded_at).add({ minutes: undoMinutes })

/** The owner alone sees and registers devices of a business. */
export const ownsBusiness = (ownId: string | null, businessId: string): ownId is string =>
  ownId?.toLowerCase() === businessId.toLowerCase()
