/** A code is good for so many hours at most, and a deal can be claimed so long before it begins. */
export const claimHours = 24
/** Retention of a claim that was never redeemed. */
export const unusedClaimDays = 30
