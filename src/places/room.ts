import type { Room } from '../kit/server/room.ts'
import { fillDemoPlaces } from './demo/demo-places.ts'
import type { PlaceRoom } from './server/places.ts'
import { placeOperations } from './server/routes.ts'

export const places: Room<PlaceRoom> = {
  name: 'places',
  looksInto: ['map', 'staff'],
  open: ({ db, clock, site }) => ({ db, clock, centre: site.centre }),
  operations: placeOperations,
  demo: fillDemoPlaces,
}
