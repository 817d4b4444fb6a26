import type { Deal } from '../deals/contract.ts'

/** Who may do what with ratings; the server enforces it, the screens hide by it. */

/** Visitors rate; merchants and staff do not. */
export const ratingRoles = ['user'] as const
export const mayRate = (role: string | null): boolean => role === 'user'

/** Visitors do not see drafts and archived deals. */
export const isKnownToVisitors = ({ status }: Pick<Deal, 'status'>): boolean =>
  status !== 'draft' && status !== 'archived'

/** A deal is rated from its beginning; after its end only by visitors who have redeemed it. */
export const canBeRated = ({ status }: Pick<Deal, 'status'>, hasRedeemed: boolean): boolean =>
  status !== 'scheduled' && (status !== 'expired' || hasRedeemed)

/** Only the rated business replies. */
export const mayReply = (businessId: string | null, rated: { business_id: string }): boolean =>
  businessId === rated.business_id

/** Its author deleted the rating after staff had hidden it: nobody sees it any more, not even the author. */
export const isWithdrawn = ({ withdrawn_at }: { withdrawn_at: string | null }): boolean => withdrawn_at !== null

/** A hidden rating is not deleted but withdrawn: without its row, the author could rate again and undo the decision of staff. */
export const mayBeDeleted = ({ hidden_at }: { hidden_at: string | null }): boolean => hidden_at === null
