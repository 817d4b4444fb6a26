import { operation, type Operation } from '../../kit/server/serve-endpoint.ts'
import { getDeal, listDeals, listDealsOfBusiness, searchDeals, viewDeal } from '../contract.ts'
import * as deals from './deals.ts'

/** Every deal is answered field by field. */
const exact = { exact: true }

export function dealOperations(room: deals.DealRoom): Operation[] {
  return [
    operation(searchDeals, ({ query }) => deals.searchDeals(room, query), exact),
    operation(listDeals, ({ query }) => deals.listDeals(room, query), exact),
    operation(getDeal, ({ params }) => deals.findDeal(room, params.deal_id), exact),
    operation(listDealsOfBusiness, ({ params }) => deals.listDealsOfBusiness(room, params.business_id), exact),
    operation(viewDeal, ({ params }, { visitor, who }) =>
      deals.viewDeal(room, params.deal_id, visitor ?? { address: '', userAgent: '' }, who),
    ),
  ]
}
