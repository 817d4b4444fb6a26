import type { Room } from '../kit/server/room.ts'
import { page } from '../site-map.ts'
import { staffAlone } from '../staff/contract.ts'
import { fillDemoPlaces } from './demo/demo-places.ts'
import { placeUndos, type PlaceImports } from './server/importing.ts'
import { placeOperations } from './server/routes.ts'

const desks = [{ key: 'places', path: page.adminPlaces, roles: staffAlone.roles, open: null }]

export const places: Room<PlaceImports> = {
  name: 'places',
  looksInto: ['businesses', 'map', 'staff'],
  texts: ['importReport'],
  open: ({ db, clock, site, texts, complain }) => ({
    db,
    clock,
    centre: site.centre,
    zone: site.zone,
    texts,
    complain,
  }),
  operations: placeOperations,
  demo: fillDemoPlaces,
  answers: (own) => ({ staffUndos: placeUndos(own), staffDesks: desks }),
}
