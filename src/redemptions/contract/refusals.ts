import type { RefusalKind } from '../../kit/shared/refusal.ts'

export const claimNotFound = { code: 'claim_not_found', status: 404 } as const satisfies RefusalKind
/** Paused, over, or without hours within a day. */
export const dealNotRunning = { code: 'deal_not_running', status: 409 } as const satisfies RefusalKind
/** Everybody gets the deal without a code. */
export const noCodeNeeded = { code: 'no_code_needed', status: 409 } as const satisfies RefusalKind
/** The last item is taken. */
export const soldOut = { code: 'sold_out', status: 409 } as const satisfies RefusalKind
/** The visitor has redeemed the deal as often as allowed, or no item is left. */
export const limitReached = { code: 'limit_reached', status: 409 } as const satisfies RefusalKind

export const codeUnknown = { code: 'code_unknown', status: 404 } as const satisfies RefusalKind
export const alreadyUsed = { code: 'already_used', status: 409 } as const satisfies RefusalKind
export const codeExpired = { code: 'expired', status: 409 } as const satisfies RefusalKind
export const codeTooEarly = { code: 'too_early', status: 409 } as const satisfies RefusalKind
export const wrongBusiness = { code: 'wrong_business', status: 409 } as const satisfies RefusalKind
/** The idempotency key belongs to a redemption of another code or amount. */
export const keyUsed = { code: 'idempotency_key_used', status: 409 } as const satisfies RefusalKind
export const redemptionNotFound = { code: 'redemption_not_found', status: 404 } as const satisfies RefusalKind
export const undoTooLate = { code: 'undo_too_late', status: 409 } as const satisfies RefusalKind
/** Too many wrong digits were typed. QR codes still work. */
export const tooManyWrongCodes = { code: 'too_many_wrong_codes', status: 429 } as const satisfies RefusalKind
/** Offline scans are taken from registered devices alone. */
export const deviceUnknown = { code: 'device_unknown', status: 409 } as const satisfies RefusalKind
/** Refusals of a code. An offline scan that is refused with one of them becomes a conflict in the merchant's list. */
export const codeRefusals = [
  codeUnknown,
  alreadyUsed,
  codeExpired,
  codeTooEarly,
  wrongBusiness,
  limitReached,
  deviceUnknown,
] as const
