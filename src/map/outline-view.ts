import type { OutlineOptions } from './drawing/projection.ts'

/** The inner city as the picture shows it that stands in for the map: without JavaScript, without WebGL, and before. */
export const outlineView = {
  width: 1200,
  height: 1000,
  bounds: { west: 7.556, south: 47.5355, east: 7.6212, north: 47.5837 },
} satisfies OutlineOptions

export const outlinePicture = (theme: 'paper' | 'river') => `/map/outline-${theme}.svg`

/** The drawing as one GeoJSON file, each feature with its `layer`; fetched by the map's worker. */
export const drawingFile = '/map/drawing.json'
