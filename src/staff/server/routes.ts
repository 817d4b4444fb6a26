import { operation, type Operation } from '../../kit/server/serve-endpoint.ts'
import { listLog, undo } from '../contract.ts'
import * as staff from './staff.ts'

export function staffOperations(room: staff.StaffRoom): Operation[] {
  return [
    operation(listLog, ({ query }) => staff.listLog(room, query)),
    operation(undo, ({ params }, asking) => staff.undo(room, asking, params.entry_id)),
  ]
}
