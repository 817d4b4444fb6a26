import { knownCaller, operation, type Operation } from '../../kit/server/serve-endpoint.ts'
import * as contract from '../contract.ts'
import * as analytics from './analytics.ts'

export function analyticsOperations(room: analytics.AnalyticsRoom): Operation[] {
  return [
    operation(contract.getBusinessAnalytics, ({ params, query }, asking) =>
      analytics.getBusinessAnalytics(room, params.business_id, knownCaller(asking), query),
    ),
    operation(contract.getDealAnalytics, ({ params, query }, asking) =>
      analytics.getDealAnalytics(room, params.deal_id, knownCaller(asking), query),
    ),
    operation(contract.exportAnalytics, ({ params, query }, asking) =>
      analytics.exportAnalytics(room, params.business_id, knownCaller(asking), query),
    ),
    operation(contract.getWhatIf, ({ params, query }, asking) =>
      analytics.getWhatIf(room, params.deal_id, knownCaller(asking), query),
    ),
    operation(contract.reportShown, async ({ body }, asking) => analytics.reportShown(room, body, asking)),
  ]
}
