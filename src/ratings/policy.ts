import type { Deal } from '../deals/contract.ts'

/** Who may do what with ratings; the server enforces it, the screens hide by it. */

/** Visitors rate; merchants and staff do not. */
export const ratingRoles = ['user'] as const
export const mayRate = (role: string | null): boolean => role === 'user'

/** The deal is public: drafts and archived deals are unknown to visitors. */
export const isKnownToVisitors = ({ status }: Pick<Deal, 'status'>): boolean =>
  status !== 'draft' && status !== 'archived'

/** Not before the deal begins, and after its end only who has redeemed it. */
export const canBeRated = ({ status }: Pick<Deal, 'status'>, hasRedeemed: boolean): boolean =>
  status !== 'scheduled' && (status !== 'expired' || hasRedeemed)

/** The business that was rated. */
export const mayReply = (businessId: string | null, rated: { business_id: string }): boolean =>
  businessId === rated.business_id

/** Its author deleted it after staff had hidden it: nobody finds it any more, its author included. */
export const isWithdrawn = ({ withdrawn_at }: { withdrawn_at: string | null }): boolean => withdrawn_at !== null

/** A rating that staff have hidden is emptied instead: its author could write it anew if its row were gone. */
export const mayBeDeleted = ({ hidden_at }: { hidden_at: string | null }): boolean => hidden_at === null
