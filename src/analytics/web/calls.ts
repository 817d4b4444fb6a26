import { apiCall } from '../../kit/browser/asking.ts'
import {
  like,
  list,
  needed,
  number,
  numberOr,
  oneOf,
  or,
  record,
  textOr,
  instant,
  type Read,
} from '../../kit/browser/reading.ts'
import type * as contract from '../contract.ts'

/** How screens ask the endpoints of this room, and how tolerantly they read the answers. */

const figures = {
  impressions: numberOr(0),
  opens: numberOr(0),
  visitors: numberOr(0),
  saves: numberOr(0),
  claims: numberOr(0),
  redemptions: numberOr(0),
  sales_chf: numberOr(0),
}
const none: contract.Figures = {
  impressions: 0,
  opens: 0,
  visitors: 0,
  saves: 0,
  claims: 0,
  redemptions: 0,
  sales_chf: 0,
}
const day = or(like(/^\d{4}-\d\d-\d\d$/), '')
const at = or(instant, '')

const analytics = record<contract.Analytics>({
  from: day,
  to: day,
  bucket: oneOf(['hour', 'day'], 'day'),
  total: or(record<contract.Figures>(figures), none),
  before: or(record<contract.Figures>(figures), null),
  buckets: or(list(record<contract.Analytics['buckets'][number]>({ at, ...figures })), []),
  by_hour: or(list(record<contract.Analytics['by_hour'][number]>({ hour: numberOr(0), ...figures })), []),
  by_deal: or(
    list(record<contract.Analytics['by_deal'][number]>({ deal_id: needed, deal_name: textOr('–'), ...figures })),
    [],
  ),
  ratings: or(list(record<contract.Analytics['ratings'][number]>({ at, count: numberOr(0), mean: number })), []),
})

/** A sentence with a figure that is none would be wrong. */
const sure: Read<number> = (value) => number(value) ?? undefined
const range = record<contract.WhatIf['elasticity']>({ low: sure, mid: sure, high: sure })

const whatIf = record<contract.WhatIf>({
  deal_id: textOr(''),
  price_now: sure,
  price: sure,
  redemptions_30_days: sure,
  expected: range,
  margin_now: number,
  margin: or(range, null),
  elasticity: range,
})

export const getBusinessAnalytics = apiCall<typeof contract.getBusinessAnalytics>(
  'GET /api/business/{business_id}/analytics',
  analytics,
)
export const getDealAnalytics = apiCall<typeof contract.getDealAnalytics>(
  'GET /api/deals/{deal_id}/analytics',
  analytics,
)
export const getWhatIf = apiCall<typeof contract.getWhatIf>('GET /api/deals/{deal_id}/what-if', whatIf)
