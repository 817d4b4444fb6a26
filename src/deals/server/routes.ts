import { operation, type Operation } from '../../kit/server/serve-endpoint.ts'
import { getDeal, listDeals, listDealsOfBusiness, mapDeals, searchDeals, viewDeal } from '../contract.ts'
import {
  archiveDeal,
  copyDeals,
  createDeal,
  duplicateDeal,
  pauseDeal,
  restoreDeal,
  resumeDeal,
  updateDeal,
} from '../contract/editing.ts'
import * as deals from './deals.ts'
import * as editing from './editing.ts'
import * as map from './map.ts'
import * as own from './own-deals.ts'

/** The rules write these answers field by field: nothing has to be dropped before sending. */
const exact = { exact: true }

export function dealOperations(room: editing.EditingRoom): Operation[] {
  return [
    operation(searchDeals, ({ query }) => deals.searchDeals(room, query), exact),
    operation(mapDeals, ({ query }) => map.mapDeals(room, query), exact),
    operation(listDeals, ({ query }) => deals.listDeals(room, query), exact),
    operation(getDeal, ({ params }, { who }) => own.findDealFor(room, params.deal_id, who), exact),
    operation(listDealsOfBusiness, ({ params }, { who }) => own.listDealsFor(room, params.business_id, who), exact),
    operation(viewDeal, ({ params }, { visitor, who }) =>
      deals.viewDeal(room, params.deal_id, visitor ?? { address: '', userAgent: '' }, who),
    ),
    operation(createDeal, ({ body }, asking) => editing.createDeal(room, body, asking)),
    operation(updateDeal, ({ params, body }, asking) => editing.updateDeal(room, params.deal_id, body, asking)),
    operation(archiveDeal, ({ params }, asking) => editing.archiveDeal(room, params.deal_id, asking)),
    operation(pauseDeal, ({ params }, asking) => editing.pauseDeal(room, params.deal_id, asking)),
    operation(resumeDeal, ({ params }, asking) => editing.resumeDeal(room, params.deal_id, asking)),
    operation(restoreDeal, ({ params, body }, asking) => editing.restoreDeal(room, params.deal_id, body.as, asking)),
    operation(duplicateDeal, ({ params }, asking) => editing.duplicateDeal(room, params.deal_id, asking)),
    operation(copyDeals, ({ body }, asking) => editing.copyDeals(room, body, asking)),
  ]
}
