import { distanceKm, type Position } from '../../kit/shared/geo.ts'

const basel: Position = { latitude: 47.5596, longitude: 7.5886 }
const farKm = 20

/** Moves a place of Basel to the same offset from the centre of a festival elsewhere. */
export function positionNear(centre: Position, { latitude, longitude }: Position): Position {
  if (distanceKm(centre, basel) < farKm) return { latitude, longitude }
  const stretch =
    Math.cos((basel.latitude * Math.PI) / 180) / Math.max(0.1, Math.cos((centre.latitude * Math.PI) / 180))
  return {
    latitude: centre.latitude + latitude - basel.latitude,
    longitude: centre.longitude + (longitude - basel.longitude) * stretch,
  }
}
