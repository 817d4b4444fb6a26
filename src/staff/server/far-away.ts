import { importText, type ImportText } from '../../kit/server/import-text.ts'
import { distanceKm, type Position } from '../../kit/shared/geo.ts'
import { farKm, type FarAway } from '../contract.ts'

/** Rows of an import lie far from the festival, and nobody confirmed that this is meant. */
export class TooFarAway extends Error {
  readonly far: FarAway
  constructor(far: FarAway) {
    super('The places of the file lie far from the festival.')
    this.far = far
  }
}

type MaybePlaced = { latitude: number | null; longitude: number | null }

const kmTo = (centre: Position, { latitude, longitude }: MaybePlaced) =>
  latitude === null || longitude === null ? 0 : distanceKm(centre, { latitude, longitude })

/** How many places lie farther than `farKm` from the centre, and how far half of those do; null: none. */
export function farAway(centre: Position, places: readonly MaybePlaced[]): FarAway | null {
  const distances = places
    .map((place) => kmTo(centre, place))
    .filter((km) => km > farKm)
    .toSorted((a, b) => a - b)
  if (distances.length === 0) return null
  const of = places.filter(({ latitude }) => latitude !== null).length
  return { n: distances.length, of, km: Math.round(distances[Math.floor(distances.length / 2)]!) }
}

/** The sentence about them in the report. */
export const farNote = (far: FarAway): ImportText => importText('far', { ...far })
