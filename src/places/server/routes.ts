import { operation, type Operation } from '../../kit/server/serve-endpoint.ts'
import { listPlaces } from '../contract.ts'
import * as places from './places.ts'

export function placeOperations(room: places.PlaceRoom): Operation[] {
  return [operation(listPlaces, ({ query }) => places.listPlaces(room, query))]
}
