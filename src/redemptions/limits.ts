/** A code is good for so many hours at most, and a deal can be claimed so long before it begins. */
export const claimHours = 24
export const claimStates = ['open', 'redeemed', 'expired', 'returned'] as const
export type ClaimState = (typeof claimStates)[number]
/** For so long a redemption can be undone, in minutes. */
export const undoMinutes = 15
/** Retention of a claim that was never redeemed. */
export const unusedClaimDays = 30
