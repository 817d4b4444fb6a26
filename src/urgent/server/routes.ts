import { operation, type Operation } from '../../kit/server/serve-endpoint.ts'
import * as contract from '../contract.ts'
import * as urgent from './urgent.ts'

export function urgentOperations(room: urgent.UrgentRoom): Operation[] {
  return [
    operation(contract.listUrgent, (_, { locale }) => urgent.listUrgent(room, locale)),
    operation(contract.listStaffUrgent, () => urgent.listStaffUrgent(room)),
    operation(contract.sendUrgent, ({ body }, asking) => urgent.sendUrgent(room, asking, body)),
    operation(contract.endUrgent, ({ params }, asking) => urgent.endUrgent(room, asking, params.notice_id)),
  ]
}
