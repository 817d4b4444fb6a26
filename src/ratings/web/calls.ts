import { apiCall } from '../../kit/browser/asking.ts'
import {
  anything,
  flagOr,
  instant,
  list,
  needed,
  number,
  numberOr,
  or,
  record,
  text,
  textOr,
} from '../../kit/browser/reading.ts'
import type * as contract from '../contract.ts'

/** How screens ask the endpoints of this room, and how tolerantly they read the answers. */

const rating = {
  rating_id: needed,
  deal_id: textOr(''),
  author_name: text,
  stars: numberOr(0),
  comment: text,
  verified: flagOr(false),
  own: flagOr(false),
  reply: text,
  replied_at: instant,
  created_at: or(instant, ''),
  updated_at: or(instant, ''),
} as const
const one = record<contract.Rating>(rating)

export const listRatings = apiCall<typeof contract.listRatings>('GET /api/deals/{deal_id}/ratings', list(one))
export const rateDeal = apiCall<typeof contract.rateDeal>('PUT /api/deals/{deal_id}/rating', one)
export const deleteRating = apiCall<typeof contract.deleteRating>('DELETE /api/deals/{deal_id}/rating', anything)
export const replyToRating = apiCall<typeof contract.replyToRating>('PUT /api/ratings/{rating_id}/reply', one)
export const reportRating = apiCall<typeof contract.reportRating>('POST /api/ratings/{rating_id}/report', anything)
export const getBusinessRatings = apiCall<typeof contract.getBusinessRatings>(
  'GET /api/business/{business_id}/ratings',
  record<contract.BusinessRatings>({
    rating_mean: number,
    rating_count: numberOr(0),
    stars: or(
      list((each: unknown) => number(each) ?? undefined),
      [],
    ),
    latest: or(list(record<contract.BusinessRatings['latest'][number]>({ ...rating, deal_name: textOr('') })), []),
  }),
)
