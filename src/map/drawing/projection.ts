import type { Point } from './sheet.ts'

export type Bounds = { west: number; south: number; east: number; north: number }

/** Width and height in CSS pixels; the bounds in degrees are shown whole, centred. */
export type OutlineOptions = { width: number; height: number; bounds: Bounds; label?: string }

/** Where a place lies on the picture of the same options, in its pixels: for pins laid over it. */
export function outlineProjection(options: OutlineOptions): (place: Point) => [x: number, y: number] {
  const { width, height, bounds } = options
  const scale = pixelsPerDegree(options)
  const [lon, lat] = [(bounds.west + bounds.east) / 2, (bounds.south + bounds.north) / 2]
  return (place) => [
    tenth(width / 2 + (place[0] - lon) * shrink(bounds) * scale),
    tenth(height / 2 - (place[1] - lat) * scale),
  ]
}

/** Pixels per degree of latitude. */
export function pixelsPerDegree({ width, height, bounds }: OutlineOptions): number {
  const [degreesWide, degreesHigh] = [(bounds.east - bounds.west) * shrink(bounds), bounds.north - bounds.south]
  return Math.min(width / degreesWide, height / degreesHigh)
}

/** A degree of longitude is that much shorter than one of latitude. */
const shrink = ({ south, north }: Bounds) => Math.cos((((south + north) / 2) * Math.PI) / 180)

const tenth = (value: number) => Math.round(value * 10) / 10
