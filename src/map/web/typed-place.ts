import type { Position } from '../../kit/shared/geo.ts'

/** What two fields hold: coordinates as the server reads them, and where they are none, as typed. */
export interface TypedPlace {
  latitude: string
  longitude: string
}

/** A typed number, with a comma or a point; null when it is none or out of reach. */
function numberIn(text: string, limit: number): number | null {
  const plain = text.trim().replace(',', '.').replace('−', '-')
  return /^[+-]?\d{1,3}(\.\d{1,15})?$/.test(plain) && Math.abs(Number(plain)) <= limit ? Number(plain) : null
}

export const latitudeIn = (text: string) => numberIn(text, 90)
export const longitudeIn = (text: string) => numberIn(text, 180)

/** Null while the two fields are not a place. */
export function placeIn(typed: TypedPlace): Position | null {
  const [latitude, longitude] = [latitudeIn(typed.latitude), longitudeIn(typed.longitude)]
  return latitude === null || longitude === null ? null : { latitude, longitude }
}

/** What a form sends: a mistake goes to the server as it is, which refuses it; left out, it would delete the place. */
export function sentPlace({ latitude, longitude }: TypedPlace): TypedPlace {
  return {
    latitude: String(latitudeIn(latitude) ?? latitude.trim()),
    longitude: String(longitudeIn(longitude) ?? longitude.trim()),
  }
}

/** Whether two forms say the same place, to about a metre, or the same mistake. */
export const isSamePlace = (one: TypedPlace, other: TypedPlace) => meant(one) === meant(other)

function meant(typed: TypedPlace): string {
  const place = placeIn(typed)
  const { latitude, longitude } = place ? spelled(place) : sentPlace(typed)
  return `${latitude} ${longitude}`
}

/** Five decimals are about a metre. */
export const spelled = (place: Position | null): TypedPlace => ({
  latitude: place ? place.latitude.toFixed(5) : '',
  longitude: place ? place.longitude.toFixed(5) : '',
})
