import { readFileSync } from 'node:fs'

/** Longitude and latitude in degrees. */
export type Point = [lon: number, lat: number]

export type Geometry =
  | { type: 'Point'; coordinates: Point }
  | { type: 'LineString'; coordinates: Point[] }
  | { type: 'Polygon'; coordinates: Point[][] }

export interface Feature {
  type: 'Feature'
  properties: Record<string, string | number>
  geometry: Geometry
}

const file = new URL('../../public/map/drawing.json', import.meta.url)

/** The features of one layer of the drawing. */
export function drawnFeatures(layer: string): Feature[] {
  const { features } = JSON.parse(readFileSync(file, 'utf8')) as { features: Feature[] }
  return features.filter(({ properties }) => properties['layer'] === layer)
}
