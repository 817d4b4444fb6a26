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

/** One that its author took back is unknown to everybody, its author included. */
export const isGiven = ({ withdrawn_at }: { withdrawn_at: string | null }): boolean => withdrawn_at === null

/** What staff have hidden stays as an empty row when its author takes it back, or it would come back by being written anew. */
export const staysWhenTakenBack = ({ hidden_at }: { hidden_at: string | null }): boolean => hidden_at !== null
