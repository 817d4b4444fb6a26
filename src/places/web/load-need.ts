import { ask, type Carrier } from '../../kit/browser/ask.ts'
import type { Position } from '../../kit/shared/geo.ts'
import { listPlaces, placeKinds, type PlaceKind, type UsefulPlace } from '../contract.ts'
import { needIn, placesFor, type Need } from '../needs.ts'

/** What the top of a search shows for a need. */
export interface NeedFound {
  need: Need
  places: UsefulPlace[]
}

/** Places in a document: a browser gets all of them, and looks for the nearest itself. */
const inDocument = 6

/** The need that the words of a search mean, with the places that meet it; null: none. Without an answer, without places. */
export async function loadNeed(
  by: Carrier,
  words: string | undefined,
  near: Position | null = null,
): Promise<NeedFound | null> {
  const need = needIn(words)
  if (need === null) return null
  const kind = placesFor(need)
  if (kind === null) return { need, places: [] }
  if (!import.meta.env.SSR) return { need, places: await placesOfKind(by, kind) }
  const query = { kind, ...(near && { lat: near.latitude, lon: near.longitude }) }
  const { answer } = await ask(by, listPlaces, { query })
  return { need, places: answer?.body.slice(0, inDocument) ?? [] }
}

/** All places of a kind around the festival, by the one address that a phone stores. */
const placesOfKind = async (by: Carrier, kind: PlaceKind): Promise<UsefulPlace[]> =>
  (await ask(by, listPlaces, { query: { kind } })).answer?.body ?? []

/** The places that a phone has stored, whichever kind. */
export async function storedPlaces(by: Carrier): Promise<UsefulPlace[]> {
  const kinds = []
  for (const kind of placeKinds) kinds.push(await placesOfKind(by, kind))
  return kinds.flat()
}
