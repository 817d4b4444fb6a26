import { z } from 'zod'
import { answerText } from '../../kit/shared/answer.ts'
import { endpoint } from '../../kit/shared/endpoint.ts'
import { email, fieldIssue } from '../../kit/shared/input.ts'
import { invalidInput, tooMany, type RefusalKind } from '../../kit/shared/refusal.ts'
import { displayNameLength } from './accounts.ts'
import { altcha, displayName, language, password } from './parts.ts'

/** Signups per hour from one network address without proof of work. */
export const signupsPerAddress = { successful: 100, failed: 30 }
export const challengeRequired = { code: 'challenge_required', status: 403 } as const satisfies RefusalKind
/** Fields that the signups of visitors and of businesses share. */
export const signupFields = { email: email(), password, language, altcha }

export const signUpVisitor = endpoint({
  method: 'POST',
  path: '/api/auth/signup',
  summary: 'A new visitor account; answers alike when the address is taken, whose owner then gets a mail',
  tag: 'accounts',
  body: z.object({
    display_name: displayName(displayNameLength.user),
    ...signupFields,
    accepts_terms: z.boolean().superRefine((value, ctx) => {
      if (!value) ctx.addIssue(fieldIssue('terms'))
    }),
  }),
  access: 'public',
  answer: z.object({ message: answerText(500) }).meta({ id: 'SignedUp' }),
  status: 201,
  statusOnly: true,
  refusals: [invalidInput, challengeRequired, tooMany],
})

export const getChallenge = endpoint({
  method: 'GET',
  path: '/api/auth/challenge',
  changes: true,
  summary: 'Proof of work for a signup (ALTCHA), to be used once within 10 minutes',
  tag: 'accounts',
  access: 'public',
  answer: z
    .object({
      parameters: z
        .object({
          algorithm: answerText(40),
          cost: z.number().int(),
          expiresAt: z.number().int().optional().meta({ description: 'Unix time in seconds' }),
          keyLength: z.number().int(),
          keyPrefix: answerText(64),
          nonce: answerText(200),
          salt: answerText(200),
        })
        .meta({ description: 'what ALTCHA wants' }),
      signature: answerText(200).optional(),
    })
    .meta({ id: 'Challenge' }),
  refusals: [tooMany],
})
