import type { Manifest } from './manifest.ts'

export type Position = [longitude: number, latitude: number]
export interface LayerFeature {
  type: 'Feature'
  properties: Record<string, unknown>
  geometry: { type: keyof typeof geometries; coordinates: unknown[] }
}

/** A fault that the operator can correct; the message is a sentence that names file and feature. */
export class BadLayer extends Error {}

/** `depth`: how deep positions are nested; `least`: how many positions the innermost list needs. */
const geometries = {
  Point: { depth: 0, least: 1, isRing: false },
  MultiPoint: { depth: 1, least: 1, isRing: false },
  LineString: { depth: 1, least: 2, isRing: false },
  MultiLineString: { depth: 2, least: 2, isRing: false },
  Polygon: { depth: 2, least: 4, isRing: true },
  MultiPolygon: { depth: 3, least: 4, isRing: true },
}

/**
 * Reads the features of a GeoJSON text (RFC 7946, WGS84). Features without a geometry are left out.
 * @throws BadLayer for other texts, no features, unknown geometry, and coordinates that are out of range, swapped, or all outside `bounds`
 */
export function readLayer(name: string, text: string, bounds: Manifest['bounds']): LayerFeature[] {
  const collection = parsed(name, text)
  if (!isRecord(collection) || collection['type'] !== 'FeatureCollection' || !Array.isArray(collection['features']))
    throw new BadLayer(`${name} is no GeoJSON FeatureCollection.`)
  const features = collection['features'].flatMap((feature: unknown, n) =>
    checkedFeature(`${name}, feature ${n + 1}`, feature),
  )
  if (features.length === 0) throw new BadLayer(`${name} has no features.`)
  checkPlace(name, features, bounds)
  return features
}

function parsed(name: string, text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    throw new BadLayer(`${name} is no valid JSON: ${(error as Error).message}.`)
  }
}

function checkedFeature(place: string, feature: unknown): LayerFeature[] {
  if (!isRecord(feature) || feature['type'] !== 'Feature') throw new BadLayer(`${place} is no GeoJSON Feature.`)
  const { geometry, properties } = feature
  if (geometry === null) return []
  if (!isRecord(geometry)) throw new BadLayer(`${place} has no geometry.`)
  const type = String(geometry['type'])
  if (!isKnown(type))
    throw new BadLayer(
      `${place} has the geometry "${type.slice(0, 40)}"; known are ${Object.keys(geometries).join(', ')}.`,
    )
  checkCoordinates(place, geometry['coordinates'], geometries[type], geometries[type].depth)
  return [
    {
      type: 'Feature',
      properties: isRecord(properties) ? properties : {},
      geometry: { type, coordinates: geometry['coordinates'] as unknown[] },
    },
  ]
}

function isKnown(type: string): type is keyof typeof geometries {
  return Object.hasOwn(geometries, type)
}

function checkCoordinates(place: string, value: unknown, form: { least: number; isRing: boolean }, depth: number) {
  if (depth === 0) return checkPosition(place, value)
  if (!Array.isArray(value) || value.length === 0)
    throw new BadLayer(`${place} has coordinates that do not fit its geometry.`)
  for (const each of value) checkCoordinates(place, each, form, depth - 1)
  if (depth > 1) return
  if (value.length < form.least)
    throw new BadLayer(`${place} needs at least ${form.least} positions in a line or ring.`)
  const [first, last] = [value[0], value.at(-1)] as Position[]
  if (form.isRing && (first![0] !== last![0] || first![1] !== last![1]))
    throw new BadLayer(`${place} has a ring that does not end where it begins.`)
}

function checkPosition(place: string, value: unknown) {
  const isPosition = Array.isArray(value) && value.length >= 2 && value.length <= 4
  const [longitude, latitude] = isPosition ? (value as unknown[]) : []
  if (typeof longitude !== 'number' || typeof latitude !== 'number')
    throw new BadLayer(`${place} has coordinates that do not fit its geometry.`)
  if (Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90) return
  const isSwiss = longitude > 400_000 && latitude > 50_000
  throw new BadLayer(
    `${place} lies at ${longitude}, ${latitude}, which is no longitude and latitude.${
      isSwiss ? ' These look like Swiss coordinates (LV95 or LV03): convert the file to WGS84.' : ''
    }`,
  )
}

/** Finds swapped coordinates by the bounds: with latitude first a file is valid GeoJSON, but of another continent. */
function checkPlace(name: string, features: LayerFeature[], [west, south, east, north]: Manifest['bounds']) {
  let within = 0
  let swapped = 0
  // compares boxes, as a line may cross the region without a point in it
  for (const { geometry } of features) {
    const box = boxOf(geometry.coordinates)
    if (box.west <= east && box.east >= west && box.south <= north && box.north >= south) within++
    else if (box.south <= east && box.north >= west && box.west <= north && box.east >= south) swapped++
  }
  if (swapped > within)
    throw new BadLayer(
      `${name} has its coordinates swapped: ${swapped} of ${features.length} features lie within the bounds only with latitude first. GeoJSON wants longitude first.`,
    )
  if (within === 0)
    throw new BadLayer(`${name} has nothing within the bounds ${[west, south, east, north].join(', ')}.`)
}

function boxOf(coordinates: unknown) {
  const box = { west: Infinity, south: Infinity, east: -Infinity, north: -Infinity }
  const add = (value: unknown[]) => {
    if (typeof value[0] !== 'number') return value.forEach((each) => add(each as unknown[]))
    const [longitude, latitude] = value as Position
    box.west = Math.min(box.west, longitude)
    box.east = Math.max(box.east, longitude)
    box.south = Math.min(box.south, latitude)
    box.north = Math.max(box.north, latitude)
  }
  add(coordinates as unknown[])
  return box
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
