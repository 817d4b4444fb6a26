import type { RefusalKind } from '../../kit/shared/refusal.ts'

/** Wrong passwords that are looked at per account and hour; the next ones wait. */
export const guessesPerHour = 25
/** A change of the account wants the current password, and this was another. */
export const wrongPassword = { code: 'wrong_password', status: 403 } as const satisfies RefusalKind
/** Signed up by Google: a password comes by "Forgot password". */
export const passwordNotSet = { code: 'password_not_set', status: 409 } as const satisfies RefusalKind
