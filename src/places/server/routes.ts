import { fairTurns } from '../../kit/server/fair-turns.ts'
import { operation, type Operation } from '../../kit/server/serve-endpoint.ts'
import { importPlaces, listPlaces } from '../contract.ts'
import * as importing from './importing.ts'
import * as places from './places.ts'

/** One at a time: each import holds a file of megabytes and what was read from it. */
const importsInTurn = fairTurns({ name: 'place imports', slots: 1, perAddress: 5, most: 10, patienceMs: 20_000 })

export function placeOperations(room: importing.PlaceImports): Operation[] {
  return [
    operation(listPlaces, ({ query }) => places.listPlaces(room, query)),
    operation(importPlaces, ({ body, files }, asking) =>
      importsInTurn(() => importing.importPlaces(room, asking, body, files['file'])),
    ),
  ]
}
