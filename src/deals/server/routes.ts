import { operation, type Operation } from '../../kit/server/serve-endpoint.ts'
import { getDeal, listDeals, listDealsOfBusiness, searchDeals, viewDeal } from '../contract.ts'
import * as deals from './deals.ts'

export function dealOperations(room: deals.DealRoom): Operation[] {
  return [
    operation(searchDeals, ({ query }) => deals.searchDeals(room, query)),
    operation(listDeals, ({ query }) => deals.listDeals(room, query)),
    operation(getDeal, ({ params }) => deals.findDeal(room, params.deal_id)),
    operation(listDealsOfBusiness, ({ params }) => deals.listDealsOfBusiness(room, params.business_id)),
    operation(viewDeal, ({ params }, { visitor }) =>
      deals.viewDeal(room, params.deal_id, visitor ?? { address: '', userAgent: '' }),
    ),
  ]
}
