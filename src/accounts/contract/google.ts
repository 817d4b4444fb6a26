import { z } from 'zod'
import { endpoint } from '../../kit/shared/endpoint.ts'
import { absentWhenEmpty, queryText } from '../../kit/shared/input.ts'
import { invalidInput, tooMany, type RefusalKind } from '../../kit/shared/refusal.ts'
import { totpRequired, wrongCredentials } from './login.ts'
import { linkInvalid } from './mailed-links.ts'
import { linkToken, totp, triedPassword } from './parts.ts'
import { sessionPair } from './sessions.ts'

/** The Google address has an account with a password: the password is asked for once, then the two are linked. */
export const passwordRequired = { code: 'password_required', status: 401 } as const satisfies RefusalKind

export const startGoogle = endpoint({
  method: 'GET',
  path: '/api/auth/google/start',
  changes: true,
  summary: 'Sends the browser to Google; comes back to /googlelogin?next=…#code=… or #error=…',
  tag: 'accounts',
  query: z.object({ next: queryText(2000) }),
  access: 'public',
  answer: null,
  status: 303,
  redirects: true,
  refusals: [invalidInput, tooMany],
})

export const finishGoogle = endpoint({
  method: 'GET',
  path: '/api/auth/google/callback',
  changes: true,
  summary: 'Where Google sends the browser back to',
  tag: 'accounts',
  query: z.object({
    code: queryText(2000),
    state: queryText(500),
    iss: queryText(500),
    error: queryText(200),
    scope: queryText(1000),
  }),
  access: 'public',
  answer: null,
  status: 303,
  redirects: true,
  refusals: [invalidInput],
})

export const exchangeGoogle = endpoint({
  method: 'POST',
  path: '/api/auth/google/exchange',
  summary: 'A session for the code that /googlelogin was opened with (one minute, or ten when more is asked for)',
  tag: 'accounts',
  body: z.object({
    code: linkToken,
    password: absentWhenEmpty(triedPassword.optional()).meta({
      description: 'once, when the address already has an account (401 password_required)',
    }),
    totp,
  }),
  access: 'public',
  answer: sessionPair
    .extend({ next: z.string().meta({ maxLength: 2000, description: 'own path to go to; "/" by default' }) })
    .meta({
      id: 'GoogleSession',
    }),
  refusals: [invalidInput, linkInvalid, passwordRequired, wrongCredentials, totpRequired, tooMany],
})
