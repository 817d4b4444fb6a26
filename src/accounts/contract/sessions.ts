import { z } from 'zod'
import { answerId, answerInstant, answerList, answerText, orUnread } from '../../kit/shared/answer.ts'
import { endpoint } from '../../kit/shared/endpoint.ts'
import { pathId, text } from '../../kit/shared/input.ts'
import { invalidInput, type RefusalKind } from '../../kit/shared/refusal.ts'
import { roles } from './accounts.ts'
import { optionalText, ownAccount } from './parts.ts'

export const accessTokenMinutes = 15
/** A session ends after this many days without use … */
export const sessionIdleDays = 30
/** … and after this many in any case. */
export const sessionDays = 90
/** A used refresh token still gets the current pair for this long, for a second tab that refreshes a moment later. */
export const refreshGraceSeconds = 10
/** A used refresh token gets the same pair again for this long while the new pair is unused: the answer may have got lost. */
export const lostAnswerSeconds = 120
/** The refresh token is expired, unknown or was used before. */
export const sessionEnded = { code: 'session_ended', status: 401 } as const satisfies RefusalKind
export const sessionNotFound = { code: 'session_not_found', status: 404 } as const satisfies RefusalKind

/** Answer of a login; the specification stores it in local storage under these names. */
export const sessionPair = z
  .object({
    authToken: z.string().meta({ unread: undefined, maxLength: 2000, description: 'bearer token, lives 15 minutes' }),
    refreshToken: z.string().meta({ maxLength: 200, description: 'for POST /api/auth/refresh, once' }),
    userType: orUnread(z.enum(roles).meta({ description: '"business" for merchants' })),
    businessId: answerId.optional().meta({ description: 'for merchants only' }),
    accountId: answerId.optional().meta({ description: 'under it devices keep what was not sent, for its next login' }),
  })
  .meta({ id: 'SessionPair' })
export type SessionPair = z.infer<typeof sessionPair>

export const refreshSession = endpoint({
  method: 'POST',
  path: '/api/auth/refresh',
  summary:
    'A new pair for a refresh token; using one twice ends the session (but for 10 seconds, or 120 while the refresh token that it gave is unused)',
  tag: 'accounts',
  body: z.object({ refreshToken: text({ min: 1, max: 200 }) }),
  access: 'public',
  answer: sessionPair,
  refusals: [invalidInput, sessionEnded],
})

export const logOut = endpoint({
  method: 'POST',
  path: '/api/auth/logout',
  summary: 'Ends the session of the bearer token, and that of the refresh token; 204 whether there was one or not',
  tag: 'accounts',
  body: z.object({ refreshToken: optionalText(200) }),
  access: 'noticed',
  answer: null,
  status: 204,
  refusals: [invalidInput],
})

export const listSessions = endpoint({
  method: 'GET',
  path: '/api/me/sessions',
  summary: 'Where I am logged in, the latest first; at most 100',
  tag: 'me',
  access: ownAccount,
  answer: answerList(
    z
      .object({
        session_id: answerId,
        current: z.boolean(),
        browser: answerText(40).nullable().meta({ description: 'e.g. Firefox; null: unknown' }),
        system: answerText(40).nullable().meta({ description: 'e.g. Android; null: unknown' }),
        created_at: answerInstant,
        last_used_at: orUnread(answerInstant),
        expires_at: answerInstant,
      })
      .meta({ id: 'Session' }),
    100,
  ),
  refusals: [],
})

export const endSession = endpoint({
  method: 'DELETE',
  path: '/api/me/sessions/{session_id}',
  summary: 'Ends one of my sessions',
  tag: 'me',
  params: z.object({ session_id: pathId }),
  access: ownAccount,
  answer: null,
  status: 204,
  refusals: [sessionNotFound],
})

export const endOtherSessions = endpoint({
  method: 'DELETE',
  path: '/api/me/sessions',
  summary: 'Ends all my sessions but this one',
  tag: 'me',
  access: ownAccount,
  answer: null,
  status: 204,
  refusals: [],
})
