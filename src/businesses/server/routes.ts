import { operation, type Operation } from '../../kit/server/serve-endpoint.ts'
import { getBusiness, listBusinesses, searchBusinesses, viewBusiness } from '../contract.ts'
import * as businesses from './businesses.ts'

export function businessOperations(room: businesses.BusinessRoom): Operation[] {
  return [
    operation(getBusiness, ({ params }) => businesses.findBusiness(room, params.business_id)),
    operation(searchBusinesses, ({ query }) => businesses.searchBusinesses(room, query)),
    operation(listBusinesses, ({ query }) => businesses.listBusinesses(room, query)),
    operation(viewBusiness, ({ params }, { visitor }) =>
      businesses.viewBusiness(room, params.business_id, visitor ?? { address: '', userAgent: '' }),
    ),
  ]
}
