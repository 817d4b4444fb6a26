import { z } from 'zod'
import { answerText } from '../../kit/shared/answer.ts'
import { endpoint } from '../../kit/shared/endpoint.ts'
import { absentWhenEmpty, typedEmail } from '../../kit/shared/input.ts'
import { invalidInput, tooMany, type RefusalKind } from '../../kit/shared/refusal.ts'
import { accountKinds } from './accounts.ts'
import { totpRequired } from './login.ts'
import { linkToken, ownAccount, password, mailQueued, totp } from './parts.ts'
import { sessionPair } from './sessions.ts'

export const verificationHours = 24
export const resetMinutes = 60
/** Time to enter the authentication code after a reset link has set the password. */
export const resetCodeMinutes = 10
/** Mails to one address within 30 minutes, for each kind of account and each purpose (signup, reset, confirmation, …). */
export const mailsPerHalfHour = 5
export const linkInvalid = { code: 'link_invalid', status: 400 } as const satisfies RefusalKind

export const forgotPassword = endpoint({
  method: 'POST',
  path: '/api/auth/forgot',
  summary: 'A mail with a link to set a new password, if the address has an account; answers alike if not',
  tag: 'accounts',
  body: z.object({
    email: typedEmail(),
    kind: absentWhenEmpty(z.enum(accountKinds).optional()).meta({
      description: 'absent: every account of the address',
    }),
  }),
  access: 'public',
  answer: mailQueued,
  status: 202,
  refusals: [invalidInput, tooMany],
})

export const resetPassword = endpoint({
  method: 'POST',
  path: '/api/auth/reset',
  summary:
    'Sets a new password by the link of a mail (60 minutes, once), ends every session and logs in here. With the second factor ' +
    'on, 401 totp_required says that the password is set: the same call once more with `totp`, within 10 minutes, logs in',
  tag: 'accounts',
  body: z.object({
    token: linkToken,
    password,
    totp: totp.meta({ description: 'six digits of the authenticator app, or a recovery code' }),
  }),
  access: 'public',
  answer: sessionPair
    .extend({
      // The password is saved even if the answer holds no session.
      authToken: sessionPair.shape.authToken.meta({ unread: '' }),
      kind: z.enum(accountKinds).meta({ unread: 'user', description: 'whose login it is' }),
    })
    .meta({ id: 'PasswordReset', unread: { authToken: '', refreshToken: '', userType: null, kind: 'user' } }),
  refusals: [invalidInput, linkInvalid, totpRequired, tooMany],
})

export const verifyEmail = endpoint({
  method: 'POST',
  path: '/api/auth/verify',
  summary: 'Confirms an e-mail address by the link of a mail (24 hours, once): of a signup or of a changed address',
  tag: 'accounts',
  body: z.object({ token: linkToken }),
  access: 'public',
  answer: z
    .object({
      kind: z.enum(accountKinds).meta({ unread: 'user', description: 'where to log in' }),
      changed: z.boolean().meta({ description: 'true: the account has a new address from now on' }),
      email: answerText(254).meta({ description: 'the confirmed address, for the login that follows' }),
    })
    .meta({ id: 'EmailVerified', unread: { kind: 'user', changed: false, email: '' } }),
  refusals: [invalidInput, linkInvalid],
})

export const resendVerification = endpoint({
  method: 'POST',
  path: '/api/auth/verify/resend',
  summary: 'Another mail with the link that confirms the address',
  tag: 'accounts',
  access: ownAccount,
  answer: mailQueued,
  status: 202,
  refusals: [tooMany],
})
