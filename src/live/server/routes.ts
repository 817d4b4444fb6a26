import { operation, type Operation } from '../../kit/server/serve-endpoint.ts'
import * as contract from '../contract.ts'
import { listen, type LiveRoom } from './live.ts'

export function liveOperations(room: LiveRoom): Operation[] {
  return [operation(contract.openStream, async ({ query }, { who }) => listen(room, query.channels, who))]
}
