/** Hours that a code is valid, at most; also how long before its hours a deal can be claimed. */
export const claimHours = 24

/** The content of the QR code: `RK1:<32 hex digits>:<code>`. Capitals allow its alphanumeric mode, which has bigger modules. */
export const payloadOf = (claimId: string, code: string): string =>
  `RK1:${claimId.replaceAll('-', '').toUpperCase()}:${code}`

export const claimStates = ['open', 'redeemed', 'expired', 'returned'] as const
export type ClaimState = (typeof claimStates)[number]
/** Minutes in which a redemption can be undone. */
export const undoMinutes = 15
/** Retention of a claim that was never redeemed. */
export const unusedClaimDays = 30
