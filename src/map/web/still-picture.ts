import type { Position } from '../../kit/shared/geo.ts'
import { outlineView, outlineZoom } from '../outline-view.ts'

/** The view of a still picture, in terms of the live map. */
export interface Camera extends Position {
  zoom: number
}

/** Width of the world at zoom 0, in CSS pixels. */
export const tile = 512

/** A position on the plane of the world at a zoom, in CSS pixels (Mercator, as in the live map). */
export function onPlane({ latitude, longitude }: Position, zoom: number): { x: number; y: number } {
  const world = tile * 2 ** zoom
  const sine = Math.sin((latitude * Math.PI) / 180)
  return {
    x: ((longitude + 180) / 360) * world,
    y: (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * world,
  }
}

/** Position and size of the outline's picture around the middle of the camera, in CSS pixels. */
export function pictureAround(camera: Camera) {
  const { width, height, bounds } = outlineView
  const middle = { latitude: (bounds.south + bounds.north) / 2, longitude: (bounds.west + bounds.east) / 2 }
  const scale = 2 ** (camera.zoom - outlineZoom)
  const [at, here] = [onPlane(middle, camera.zoom), onPlane(camera, camera.zoom)]
  const tenth = (value: number) => Math.round(value * 10) / 10
  return {
    x: tenth(at.x - here.x - (width * scale) / 2),
    y: tenth(at.y - here.y - (height * scale) / 2),
    width: tenth(width * scale),
    height: tenth(height * scale),
  }
}
