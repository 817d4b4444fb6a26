import type { Position } from '../../kit/shared/geo.ts'
import { fixed } from '../../kit/shared/numbers.ts'

/** Two fields: coordinates as the server reads them, or mistakes as typed. */
export interface TypedPlace {
  latitude: string
  longitude: string
}

/** A typed number, with a comma or a point; null for anything else and out of range. */
function numberIn(text: string, limit: number): number | null {
  const plain = text.trim().replace(',', '.').replace('−', '-')
  return /^[+-]?\d{1,3}(\.\d{1,15})?$/.test(plain) && Math.abs(Number(plain)) <= limit ? Number(plain) : null
}

export const latitudeIn = (text: string) => numberIn(text, 90)
export const longitudeIn = (text: string) => numberIn(text, 180)

/** Null unless both fields are valid. */
export function placeIn(typed: TypedPlace): Position | null {
  const [latitude, longitude] = [latitudeIn(typed.latitude), longitudeIn(typed.longitude)]
  return latitude === null || longitude === null ? null : { latitude, longitude }
}

/** The values that a form sends. Mistakes are sent as typed, so that the server refuses them: without them it would delete the place. */
export function sentPlace({ latitude, longitude }: TypedPlace): TypedPlace {
  return {
    latitude: String(latitudeIn(latitude) ?? latitude.trim()),
    longitude: String(longitudeIn(longitude) ?? longitude.trim()),
  }
}

/** Whether two forms have the same place, to about a metre, or the same mistake. */
export const isSamePlace = (one: TypedPlace, other: TypedPlace) => meant(one) === meant(other)

function meant(typed: TypedPlace): string {
  const place = placeIn(typed)
  const { latitude, longitude } = place ? spelled(place) : sentPlace(typed)
  return `${latitude} ${longitude}`
}

/** With five decimals, about a metre. */
export const spelled = (place: Position | null): TypedPlace => ({
  latitude: place ? fixed(place.latitude, 5) : '',
  longitude: place ? fixed(place.longitude, 5) : '',
})
