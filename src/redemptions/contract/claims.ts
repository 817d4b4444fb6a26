import { z } from 'zod'
import { dealNotFound } from '../../deals/contract.ts'
import { answerId, answerInstant, answerList, answerName, answerText } from '../../kit/shared/answer.ts'
import { endpoint } from '../../kit/shared/endpoint.ts'
import { pageQuery, pathId, queryBoolean } from '../../kit/shared/input.ts'
import { invalidInput, tooMany } from '../../kit/shared/refusal.ts'
import { alreadyUsed, claimNotFound, dealNotRunning, limitReached, noCodeNeeded, soldOut } from './refusals.ts'

/** Claims of one account in an hour; a hoarder gets no further. */
export const claimsPerHour = 60
/** Codes of a claim that are handed out at once: 24 hours of 30-second steps, and the one that runs. */
const codesAtOnce = 24 * 120 + 1

export const claimStates = ['open', 'redeemed', 'expired', 'returned'] as const
export type ClaimState = (typeof claimStates)[number]

const visitorsAlone = { roles: ['user'], verified: true } as const

export const claim = z
  .object({
    claim_id: answerId,
    deal_id: answerId,
    deal_name: answerName(80).meta({ description: 'as it was when it was claimed; prices too' }),
    business_id: answerId.meta({ unread: '' }),
    business_name: answerText(80),
    price: answerText(60).nullable(),
    discount: answerText(60).nullable(),
    price_chf: z.number().nullable(),
    state: z.enum(claimStates).meta({ unread: 'expired' }),
    claimed_at: answerInstant,
    usable_from: answerInstant,
    expires_at: answerInstant,
    redeemed_at: answerInstant.nullable(),
    server_now: answerInstant.meta({ description: 'by which a phone knows how far off its clock is' }),
    code: answerText(6).nullable().meta({ description: 'of the present step of 30 s; null unless open' }),
    qr_payload: answerText(60).nullable().meta({ description: 'RK1:<claim>:<code>' }),
    step_expires_at: answerInstant.nullable(),
    first_step: z.number().int().nullable().meta({ description: 'steps of 30 s since 1970' }),
    codes: answerText(codesAtOnce * 6)
      .nullable()
      .meta({
        description: 'the codes of all steps from first_step to the end, six digits each: they work without network',
      }),
  })
  .meta({ id: 'Claim' })
export type Claim = z.infer<typeof claim>

export const claimDeal = endpoint({
  method: 'POST',
  path: '/api/deals/{deal_id}/claim',
  summary: 'Holds one item of a deal for me; who holds one already gets that one',
  tag: 'redemptions',
  params: z.object({ deal_id: pathId }),
  access: visitorsAlone,
  answer: claim,
  status: 201,
  refusals: [dealNotFound, dealNotRunning, noCodeNeeded, soldOut, limitReached, tooMany],
})

export const listClaims = endpoint({
  method: 'GET',
  path: '/api/me/claims',
  summary: 'My codes: what I hold first, then what I had, newest first',
  tag: 'redemptions',
  query: z.object({
    ...pageQuery,
    brief: queryBoolean().meta({
      description: 'true: states alone, without codes; for looking again and again',
      override: { type: 'boolean' },
    }),
  }),
  access: visitorsAlone,
  answer: answerList(claim, 100),
  paged: true,
  refusals: [invalidInput],
})

export const returnClaim = endpoint({
  method: 'DELETE',
  path: '/api/me/claims/{claim_id}',
  summary: 'Gives a claim back, so that somebody else can have it',
  tag: 'redemptions',
  params: z.object({ claim_id: pathId }),
  access: visitorsAlone,
  answer: null,
  status: 204,
  refusals: [claimNotFound, alreadyUsed],
})
