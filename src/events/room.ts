import type { Room } from '../kit/server/room.ts'
import { fillDemoEvents } from './demo/demo-events.ts'
import type { EventRoom } from './server/events.ts'
import { eventOperations } from './server/routes.ts'

export const events: Room<EventRoom> = {
  name: 'events',
  looksInto: ['map', 'views'],
  open: ({ db, clock, site }) => ({ db, clock, zone: site.zone }),
  operations: eventOperations,
  demo: fillDemoEvents,
}
