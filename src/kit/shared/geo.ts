export interface Position {
  /** Degrees, WGS 84. */
  latitude: number
  longitude: number
}

/** Degrees, WGS 84. */
export interface Bounds {
  west: number
  south: number
  east: number
  north: number
}

export const isWithin = ({ latitude, longitude }: Position, { west, south, east, north }: Bounds) =>
  longitude >= west && longitude <= east && latitude >= south && latitude <= north

const earthRadiusKm = 6371.0088

/** Great-circle distance (haversine, mean Earth radius of IUGG), in km. */
export function distanceKm(a: Position, b: Position): number {
  const rad = Math.PI / 180
  const dLat = (b.latitude - a.latitude) * rad
  const dLon = (b.longitude - a.longitude) * rad
  const h = Math.sin(dLat / 2) ** 2 + Math.cos(a.latitude * rad) * Math.cos(b.latitude * rad) * Math.sin(dLon / 2) ** 2
  return 2 * earthRadiusKm * Math.asin(Math.min(1, Math.sqrt(h)))
}

/** Walking minutes for a straight-line distance, rounded up: streets are 1.3 times longer, people walk 80 m a minute. */
export function walkingMinutes(km: number): number {
  return Math.max(1, Math.ceil((km * 1000 * 1.3) / 80))
}

/** The smallest box around the circle. */
export function boxAround({ latitude, longitude }: Position, radiusKm: number): Bounds {
  const up = (radiusKm / earthRadiusKm) * (180 / Math.PI)
  const right = up / Math.max(0.01, Math.cos((latitude * Math.PI) / 180))
  return { west: longitude - right, south: latitude - up, east: longitude + right, north: latitude + up }
}
