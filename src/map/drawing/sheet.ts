/**
 * The drawing's own notation. A point is written `5886/5596`: the decimals of 7.5886° E and 47.5596° N, as one notes
 * them at the margin of the sheet (the whole of Basel lies between 7° and 8° E, 47° and 48° N). Four digits are steps
 * of 8 m by 11 m, five digits of 1 m. A line of the source is `name: point point …`.
 *
 * The drawing is ours and carries the repository's MIT licence. Every point was set by hand, looking at where banks,
 * bridge heads, crossings, street ends and bends lie; most points of the streets are crossings. Sources of those facts:
 * Geodaten Kanton Basel-Stadt (data.bs.ch, CC BY 4.0), © OpenStreetMap contributors (openstreetmap.org/copyright, ODbL),
 * opentransportdata.swiss (stops), SBB Open Data (railways). `scripts/map-accuracy.ts` measures it; nothing generates it.
 */
export type Point = [lon: number, lat: number]

export type Geometry =
  | { type: 'Point'; coordinates: Point }
  | { type: 'LineString'; coordinates: Point[] }
  | { type: 'Polygon'; coordinates: Point[][] }

export type Feature = { type: 'Feature'; properties: Record<string, string | number>; geometry: Geometry }

export type FeatureCollection = { type: 'FeatureCollection'; features: Feature[] }

export type Stroke = { name: string; points: Point[] }

/** Reads `5886/5596 5912/5609` as [[7.5886, 47.5596], [7.5912, 47.5609]]; throws on anything else. */
export function readPoints(text: string): Point[] {
  return text
    .trim()
    .split(/\s+/)
    .map((point) => {
      const digits = /^(\d{4,5})\/(\d{4,5})$/.exec(point)
      if (!digits) throw new Error(`Not a point of the drawing: "${point}" in "${text}"`)
      return [Number(`7.${digits[1]}`), Number(`47.${digits[2]}`)]
    })
}

/** Reads lines of `name: points`; blank lines and lines starting with # are the draughtsman's remarks. */
export function readStrokes(text: string): Stroke[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line && !line.startsWith('#'))
    .map((line) => {
      const colon = line.indexOf(':')
      return { name: line.slice(0, colon).trim(), points: readPoints(line.slice(colon + 1)) }
    })
}

export function collection(features: Feature[]): FeatureCollection {
  return { type: 'FeatureCollection', features }
}

export function pointFeature(properties: Feature['properties'], point: Point): Feature {
  return { type: 'Feature', properties, geometry: { type: 'Point', coordinates: point } }
}

export function lineFeature(properties: Feature['properties'], points: Point[]): Feature {
  return { type: 'Feature', properties, geometry: { type: 'LineString', coordinates: points } }
}

/** The corners once round; the ring is closed here. */
export function areaFeature(properties: Feature['properties'], corners: Point[]): Feature {
  return { type: 'Feature', properties, geometry: { type: 'Polygon', coordinates: [[...corners, corners[0]!]] } }
}
