import type { House } from '../../kit/server/room.ts'
import { operation, type Operation } from '../../kit/server/serve-endpoint.ts'
import * as contract from '../contract.ts'
import { listen, type LiveRoom } from './live.ts'

export function liveOperations(room: LiveRoom, { texts }: House): Operation[] {
  return [
    operation(contract.openStream, async ({ query }, { who, locale }) =>
      listen(room, query.channels, who, (key) => texts.field(locale, key)),
    ),
  ]
}
