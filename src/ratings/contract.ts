import { z } from 'zod'
import { reportNoteLength, reportReasons } from '../brand/report-reasons.ts'
import { businessNotFound } from '../businesses/contract.ts'
import { dealNotFound } from '../deals/contract.ts'
import { answerList, answerText } from '../kit/shared/answer.ts'
import { endpoint } from '../kit/shared/endpoint.ts'
import { absentWhenEmpty, pageQuery, pathId, text } from '../kit/shared/input.ts'
import { invalidInput, tooMany, type RefusalKind } from '../kit/shared/refusal.ts'
import { answerOf } from '../kit/shared/thing.ts'
import { ratingRoles } from './policy.ts'
import { ratingFields } from './rating.ts'

/** Of one account in an hour: ratings written, and ratings reported. */
export const ratingsPerHour = 30
export const reportsPerHour = 30
/** The newest ones on the page of a business. */
export const latestRatings = 10

export const ratingNotFound = { code: 'rating_not_found', status: 404 } as const satisfies RefusalKind
/** It has not begun, or is over and the visitor has not redeemed it. */
export const dealNotRated = { code: 'deal_not_rated', status: 409 } as const satisfies RefusalKind
/** Merchants rate nothing, and nobody rates what is their own. */
export const ownDeal = { code: 'own_deal', status: 403 } as const satisfies RefusalKind
/** A reply comes from the business that was rated. */
export const notYourRating = { code: 'not_your_rating', status: 403 } as const satisfies RefusalKind

const visitorsAlone = { roles: ratingRoles, verified: true } as const

export const rating = z.object(answerOf(ratingFields)).meta({ id: 'Rating' })
export type Rating = z.infer<typeof rating>

const ofDeal = z.object({ deal_id: pathId })
const ofRating = z.object({ rating_id: pathId })

export const listRatings = endpoint({
  method: 'GET',
  path: '/api/deals/{deal_id}/ratings',
  summary: 'What visitors think of a deal: the own rating first, then the newest',
  tag: 'ratings',
  params: ofDeal,
  query: z.object(pageQuery),
  access: 'noticed',
  shared: true,
  answer: answerList(rating, 100),
  paged: true,
  refusals: [invalidInput, dealNotFound],
})

export const rateDeal = endpoint({
  method: 'PUT',
  path: '/api/deals/{deal_id}/rating',
  summary: 'My rating of a deal, instead of the one before',
  tag: 'ratings',
  params: ofDeal,
  body: z.object({
    stars: ratingFields.stars.input,
    comment: absentWhenEmpty(ratingFields.comment.input.optional()),
  }),
  access: visitorsAlone,
  answer: rating,
  refusals: [invalidInput, dealNotFound, dealNotRated, ownDeal, tooMany],
})

export const deleteRating = endpoint({
  method: 'DELETE',
  path: '/api/deals/{deal_id}/rating',
  summary: 'Takes my rating of a deal back',
  tag: 'ratings',
  params: ofDeal,
  access: visitorsAlone,
  answer: null,
  status: 204,
  refusals: [ratingNotFound],
})

export const replyToRating = endpoint({
  method: 'PUT',
  path: '/api/ratings/{rating_id}/reply',
  summary: 'The reply of the business that was rated; empty takes it back',
  tag: 'ratings',
  params: ofRating,
  body: z.object({ reply: absentWhenEmpty(ratingFields.reply.input.optional()) }),
  access: { roles: ['business'], verified: true },
  answer: rating,
  refusals: [invalidInput, ratingNotFound, notYourRating],
})

export const reportRating = endpoint({
  method: 'POST',
  path: '/api/ratings/{rating_id}/report',
  summary: 'Reports a rating; twice is once',
  tag: 'ratings',
  params: ofRating,
  body: z.object({
    why: absentWhenEmpty(z.enum(reportReasons).optional()),
    note: absentWhenEmpty(text({ max: reportNoteLength }).optional()),
  }),
  access: { roles: ['user', 'business', 'moderator', 'admin'] },
  answer: null,
  status: 204,
  refusals: [invalidInput, ratingNotFound, tooMany],
})

export const businessRatings = z
  .object({
    rating_mean: z.number().nullable(),
    rating_count: z.number().int(),
    stars: answerList(z.number().int(), 5).meta({ description: 'how many gave 1, 2, 3, 4, 5' }),
    latest: answerList(
      z.object({ ...rating.shape, deal_name: answerText(80) }).meta({ id: 'RatingOfBusiness' }),
      latestRatings,
    ),
  })
  .meta({ id: 'BusinessRatings' })
export type BusinessRatings = z.infer<typeof businessRatings>

export const getBusinessRatings = endpoint({
  method: 'GET',
  path: '/api/business/{business_id}/ratings',
  summary: 'What visitors think of the deals of a business',
  tag: 'ratings',
  params: z.object({ business_id: pathId }),
  access: 'noticed',
  shared: true,
  answer: businessRatings,
  refusals: [businessNotFound],
})
