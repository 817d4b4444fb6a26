import { at, opening } from '../../businesses/web/calls.ts'
import { apiCall } from '../../kit/browser/asking.ts'
import {
  anything,
  flag,
  flagOr,
  instant,
  like,
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
import type * as contract from '../contract.ts'
import { dealLanguages, dealStatuses } from '../limits.ts'
import { categoriesToChoose } from './deal-query.ts'

/** How screens ask the endpoints of this room, and how tolerantly they read the answers. */

const time = like(/^\d\d:\d\d/)
/** What tells when a deal can be used. */
export const dealTimes = {
  active_days: or(
    list((day: unknown) => number(day) ?? undefined),
    null,
  ),
  start_time: time,
  end_time: time,
  ...opening,
  usable_now: flag,
  usable_from: instant,
  usable_until: instant,
  over_at: instant,
} as const
export const deal = {
  deal_id: needed,
  deal_name: textOr('–'),
  lang: oneOf(dealLanguages, null),
  description: text,
  price: text,
  discount: text,
  ...at,
  is_premium: flagOr(false),
  // the specified fields end here; what else a deal has may be missing altogether
  business_id: textOr(''),
  business_name: textOr(''),
  category: oneOf(categoriesToChoose, 'other'),
  status: oneOf(dealStatuses, 'active'),
  terms: text,
  tags: or(list(needed), []),
  starts_at: instant,
  ends_at: instant,
  price_chf: number,
  regular_price_chf: number,
  regular_price_since: like(/^\d{4}-\d\d-\d\d$/),
  total_limit: number,
  per_user_limit: numberOr(1),
  redemption_mode: oneOf(['none', 'code'], 'none'),
  image_url: text,
  rating_mean: number,
  rating_count: numberOr(0),
  updated_at: or(instant, ''),
  ...dealTimes,
  over_because: oneOf(['ended', 'hours'] as const, null),
} as const

const span = list(record<{ start: number; end: number }>({ start: numberOr(0), end: numberOr(0) }))
const marked = or(record({ text: needed, spans: or(span, []) }), null)
const match = or(
  record<contract.DealMatch>({ name: or(span, []), merchant: or(span, []), tag: marked, excerpt: marked }),
  null,
)
/** Those that a card says; all others are read as `near`. */
const reasons = ['match', 'well_rated', 'no_location', 'near'] as const

export const searchDeals = apiCall<typeof contract.searchDeals>(
  'GET /api/deals/search',
  list(
    record<contract.FoundDeal>({
      ...deal,
      match,
      distance_km: number,
      sponsored: flagOr(false),
      rank_reason: oneOf(reasons, 'near'),
    }),
  ),
)

export const listDeals = apiCall<typeof contract.listDeals>(
  'GET /api/deals',
  list(record<contract.ListedDeal>({ ...deal, match })),
)

const one = record<contract.Deal>(deal)
export const getDeal = apiCall<typeof contract.getDeal>('GET /api/deals/{deal_id}', one, { id: 'deal_id' })

export const listDealsOfBusiness = apiCall<typeof contract.listDealsOfBusiness, contract.Deal[]>(
  'GET /api/deals/business/{business_id}',
  list(one),
)

export const viewDeal = apiCall<typeof contract.viewDeal>('PUT /api/deals/{deal_id}/view', anything)
