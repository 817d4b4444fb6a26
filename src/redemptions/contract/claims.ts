import { z } from 'zod'
import { dealNotFound } from '../../deals/contract.ts'
import { answerList } from '../../kit/shared/answer.ts'
import { endpoint } from '../../kit/shared/endpoint.ts'
import { pageQuery, pathId, queryBoolean } from '../../kit/shared/input.ts'
import { invalidInput, tooMany } from '../../kit/shared/refusal.ts'
import { answerOf } from '../../kit/shared/thing.ts'
import { claimFields } from '../claim.ts'
import { claimRoles } from '../policy.ts'
import { alreadyUsed, claimNotFound, dealNotRunning, limitReached, noCodeNeeded, soldOut } from './refusals.ts'

/** Claims of one account in an hour; a hoarder gets no further. */
export const claimsPerHour = 60
const visitorsAlone = { roles: claimRoles, verified: true } as const

export const claim = z.object(answerOf(claimFields)).meta({ id: 'Claim' })
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
