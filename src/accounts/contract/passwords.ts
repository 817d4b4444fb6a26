import type { RefusalKind } from '../../kit/shared/refusal.ts'

/** Wrong passwords per account and hour; then attempts are refused without a check. */
export const guessesPerHour = 25
/** The current password, which a change of the account needs, was wrong. */
export const wrongPassword = { code: 'wrong_password', status: 403 } as const satisfies RefusalKind
/** The account signed up with Google; "Forgot password" sets a password. */
export const passwordNotSet = { code: 'password_not_set', status: 409 } as const satisfies RefusalKind
