import { apiCall } from '../../kit/browser/asking.ts'
import {
  anything,
  flag,
  flagOr,
  instant,
  list,
  needed,
  number,
  numberOr,
  oneOf,
  or,
  record,
  text,
  textOr,
} from '../../kit/browser/reading.ts'
import type { Pair } from './session.ts'
import type * as contract from '../contract.ts'
import { accountKinds, accountLanguages, roles } from '../limits.ts'

/** How screens ask the endpoints of this room, and how tolerantly they read the answers. */

/** Without a token nobody is logged in; the rest may be missing. */
const pair = {
  authToken: needed,
  refreshToken: text,
  userType: text,
  businessId: text,
}
const session = record<Pair>(pair)

export const logInVisitor = apiCall<typeof contract.logInVisitor, Pair>('POST /api/auth/login', session)
export const logInBusiness = apiCall<typeof contract.logInBusiness, Pair>('POST /api/business/login', session)
export const exchangeGoogle = apiCall<typeof contract.exchangeGoogle, Pair & { next: string | null }>(
  'POST /api/auth/google/exchange',
  record({ ...pair, next: text }),
)
export const changePassword = apiCall<typeof contract.changePassword, Pair>('POST /api/me/password', session)

export const authOptions = apiCall<typeof contract.authOptions>(
  'GET /api/auth/options',
  record({
    google: flagOr(false),
    challenge: oneOf(['auto', 'always'], 'auto'),
    verified_email_required: flagOr(false),
    password_blocklist: flagOr(false),
    demo_mail: text,
    demo_payments: flagOr(false),
  }),
)

export const signUpVisitor = apiCall<typeof contract.signUpVisitor, null>('POST /api/auth/signup', anything, {
  statusOnly: true,
})
/** What the challenge holds is ALTCHA's own affair. */
export const getChallenge = apiCall<typeof contract.getChallenge, object>('GET /api/auth/challenge', (body) =>
  typeof body === 'object' && body !== null ? body : undefined,
)

// of these it is enough that they were accepted
export const forgotPassword = apiCall<typeof contract.forgotPassword, null>('POST /api/auth/forgot', anything)
export const resendVerification = apiCall<typeof contract.resendVerification, null>(
  'POST /api/auth/verify/resend',
  anything,
)
export const changeEmail = apiCall<typeof contract.changeEmail, null>('POST /api/me/email', anything)
export const endSession = apiCall<typeof contract.endSession>('DELETE /api/me/sessions/{session_id}', anything)
export const endOtherSessions = apiCall<typeof contract.endOtherSessions>('DELETE /api/me/sessions', anything)
export const disableSecondFactor = apiCall<typeof contract.disableSecondFactor>('POST /api/me/2fa/disable', anything)

/** The password is saved, whatever else the answer says; without a token one logs in with it. */
const saved = { ...pair, authToken: textOr(''), kind: oneOf(accountKinds, 'user') }
const noSession = { authToken: '', refreshToken: null, userType: null, businessId: null, kind: 'user' as const }
export const resetPassword = apiCall<typeof contract.resetPassword, Pair & { kind: 'user' | 'business' }>(
  'POST /api/auth/reset',
  or(record(saved), noSession),
)
export const logOut = apiCall<typeof contract.logOut>('POST /api/auth/logout', anything)
export const verifyEmail = apiCall<typeof contract.verifyEmail>(
  'POST /api/auth/verify',
  or(record({ kind: oneOf(accountKinds, 'user'), changed: flagOr(false), email: textOr('') }), {
    kind: 'user' as const,
    changed: false,
    email: '',
  }),
)

const me = record<contract.Me>({
  account_id: textOr(''),
  role: oneOf(roles, 'user'),
  display_name: textOr(''),
  email: textOr(''),
  email_verified: flagOr(true),
  pending_email: text,
  language: oneOf(accountLanguages, 'en'),
  business_id: text,
  has_password: flagOr(true),
  second_factor: flagOr(false),
  recovery_codes_left: numberOr(0),
  google_linked: flagOr(false),
  newsletter: flagOr(false),
  location_consent: flagOr(false),
  default_reminder_min: number,
  created_at: or(instant, ''),
  deletion_at: instant,
  must_verify: flagOr(false),
  must_set_second_factor: flagOr(false),
})
export const getMe = apiCall<typeof contract.getMe>('GET /api/me', me)
export const changeMe = apiCall<typeof contract.changeMe>('PATCH /api/me', me)
export const keepMe = apiCall<typeof contract.keepMe>('POST /api/me/keep', me)
export const deleteMe = apiCall<typeof contract.deleteMe, { deletion_at: string | null }>(
  'DELETE /api/me',
  or(record({ deletion_at: instant }), { deletion_at: null }),
)

/** Where I am logged in; `last_used_at` is null where the answer does not say it. */
export interface OwnSession {
  session_id: string
  current: boolean
  browser: string | null
  system: string | null
  last_used_at: string | null
}
export const listSessions = apiCall<typeof contract.listSessions, OwnSession[]>(
  'GET /api/me/sessions',
  list(
    record<OwnSession>({
      session_id: needed,
      current: (value) => flag(value) ?? false,
      browser: text,
      system: text,
      last_used_at: instant,
    }),
  ),
)

export const setUpSecondFactor = apiCall<typeof contract.setUpSecondFactor>(
  'POST /api/me/2fa/setup',
  record({
    secret: needed,
    otpauth_url: textOr(''),
    qr: or(record({ size: numberOr(0), path: textOr('') }), { size: 0, path: '' }),
  }),
)
const codes = record({ recovery_codes: list(needed) })
export const enableSecondFactor = apiCall<typeof contract.enableSecondFactor>('POST /api/me/2fa/enable', codes)
export const renewRecoveryCodes = apiCall<typeof contract.renewRecoveryCodes>('POST /api/me/2fa/recovery-codes', codes)
