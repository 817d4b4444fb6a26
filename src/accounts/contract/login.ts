import { z } from 'zod'
import { answerText } from '../../kit/shared/answer.ts'
import { endpoint } from '../../kit/shared/endpoint.ts'
import { text } from '../../kit/shared/input.ts'
import { invalidInput, tooMany, type RefusalKind } from '../../kit/shared/refusal.ts'
import { totp, triedPassword } from './parts.ts'
import { sessionPair } from './sessions.ts'

/** Wrong passwords from one network address per hour, for all accounts together. A festival crowd behind one address stays below. */
export const wrongLoginsPerAddress = 300
export const wrongCredentials = { code: 'wrong_credentials', status: 401 } as const satisfies RefusalKind
/** The password was right; the authentication code is missing. */
export const totpRequired = { code: 'totp_required', status: 401 } as const satisfies RefusalKind

const login = {
  method: 'POST',
  tag: 'accounts',
  body: z.object({ email: text({ min: 1, max: 200 }), password: triedPassword, totp }),
  access: 'public',
  answer: sessionPair,
  refusals: [invalidInput, wrongCredentials, totpRequired, tooMany],
} as const

export const logInVisitor = endpoint({
  ...login,
  path: '/api/auth/login',
  summary: 'Login of visitors and staff',
})

export const logInBusiness = endpoint({
  ...login,
  path: '/api/business/login',
  summary: 'Login of merchants',
})

export const authOptions = endpoint({
  method: 'GET',
  path: '/api/auth/options',
  summary: 'What this site offers for signing in',
  tag: 'accounts',
  access: 'public',
  answer: z
    .object({
      google: z.boolean().meta({ description: 'false: Google sign-in is not set up' }),
      challenge: z
        .enum(['auto', 'always'])
        .meta({ unread: 'auto', description: 'always: no signup without proof of work' }),
      verified_email_required: z.boolean(),
      password_blocklist: z.boolean().meta({ description: 'true: well-known passwords are refused' }),
      demo_mail: answerText(200)
        .nullable()
        .meta({ description: 'page with the mails of the demo; null: mails are sent' }),
      demo_payments: z
        .boolean()
        .meta({ description: 'true: a plan chosen at signup starts at once, without a charge' }),
    })
    .meta({ id: 'AuthOptions' }),
  refusals: [],
})
