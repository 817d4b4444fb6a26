import { operation, type Operation } from '../../kit/server/serve-endpoint.ts'
import { listDesks, listLog, undo } from '../contract.ts'
import * as staff from './staff.ts'

export function staffOperations(room: staff.StaffRoom): Operation[] {
  return [
    operation(listDesks, (_, asking) => staff.listDesks(room, asking)),
    operation(listLog, ({ query }) => staff.listLog(room, query)),
    operation(undo, ({ params, body }, asking) => staff.undo(room, asking, params.entry_id, body)),
  ]
}
