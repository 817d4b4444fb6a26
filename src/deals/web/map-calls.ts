import { drawnAt } from '../../businesses/web/calls.ts'
import { apiCall } from '../../kit/browser/asking.ts'
import { isObject, list, needed, number, numberOr, oneOf, record } from '../../kit/browser/reading.ts'
import type * as contract from '../contract.ts'
import { pinTimes } from '../limits.ts'
import { deal } from './calls.ts'

/** Apart from the other calls, which pages of deals have: only the map asks what it draws. */

const pin = record<contract.DealPin>({
  deal_id: needed,
  ...drawnAt,
  is_premium: deal.is_premium,
  category: deal.category,
  time: oneOf(pinTimes, 'now'),
})
const cluster = record<contract.Cluster>({
  ...drawnAt,
  cluster: (value) => number(value) ?? undefined,
  premium: numberOr(0),
})
/** What has no place cannot be drawn and is left out. */
export const mapDeals = apiCall<typeof contract.mapDeals, (contract.DealPin | contract.Cluster)[]>(
  'GET /api/deals/search?view=map',
  list<contract.DealPin | contract.Cluster>((row) => (isObject(row) && 'cluster' in row ? cluster(row) : pin(row))),
)
