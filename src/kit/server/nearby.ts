import type { Position } from '../shared/geo.ts'
import type { BoundingBox } from '../shared/input.ts'

/** The area of a search: the circle, or `bbox` where there is one. */
export interface Area {
  centre: Position
  radiusKm: number
  bbox: BoundingBox | null
}

interface AreaQuery {
  lat?: number | undefined
  lon?: number | undefined
  radius?: number | undefined
  bbox?: BoundingBox | undefined
}

/** The area of a query; by default the given circle. */
export function areaOf(
  { lat, lon, radius, bbox }: AreaQuery,
  { centre, radiusKm }: { centre: Position; radiusKm: number },
): Area {
  return {
    centre: { latitude: lat ?? centre.latitude, longitude: lon ?? centre.longitude },
    radiusKm: radius ?? radiusKm,
    bbox: bbox ?? null,
  }
}

const kmPerDegree = 111.195

/** Mercator y in degrees, as in the generated columns `xy`. */
function mercator(latitude: number): number {
  const clamped = Math.max(-85, Math.min(85, latitude))
  return (Math.log(Math.tan(Math.PI / 4 + (clamped * Math.PI) / 360)) * 180) / Math.PI
}

/** Least and most km per degree of the Mercator plane within the circle. */
function scaleWithin({ centre, radiusKm }: Area) {
  const reach = radiusKm / kmPerDegree
  const far = Math.abs(centre.latitude) + reach
  const near = Math.max(0, Math.abs(centre.latitude) - reach)
  const kmAt = (latitude: number) => kmPerDegree * Math.cos((latitude * Math.PI) / 180)
  return { least: kmAt(Math.min(84, far)), most: kmAt(near), nearPole: far >= 84 }
}

/** Allows for rounding between the spherical formula and the plane. */
const tolerance = 1.001

/** Values of an area for statements (`$name`, statement.ts) about rows with a Mercator point `xy`. */
export function areaValues(area: Area): Record<string, unknown> {
  const { centre, radiusKm, bbox } = area
  const here = `${centre.longitude},${mercator(centre.latitude)}`
  const { least, most, nearPole } = scaleWithin(area)
  return {
    lat: centre.latitude,
    lon: centre.longitude,
    radius: radiusKm,
    here: `(${here})`,
    // the Mercator scale grows away from the equator, so the far edge of the circle decides its radius
    circle: `<(${here}),${(radiusKm / least) * tolerance}>`,
    inside: nearPole ? -1 : radiusKm / most / tolerance,
    ...bbox,
    box: bbox && `(${bbox.west},${mercator(bbox.south)}),(${bbox.east},${mercator(bbox.north)})`,
  }
}

/** Side of a map's cluster cell in degrees: the area is 24 cells wide. */
export function cellDegrees({ bbox, radiusKm }: Area): number {
  return Math.max((bbox ? bbox.east - bbox.west : (2 * radiusKm) / 75) / 24, 1e-5)
}
