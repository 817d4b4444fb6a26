/** At this zoom of the live map the picture has its own size. */
export const outlineZoom = 13

/**
 * The city as the picture shows it that stands in for the map: before it is there, without JavaScript, without WebGL. Width
 * and height in CSS pixels; the bounds are shown whole, centred.
 */
export const outlineView = {
  width: 1608,
  height: 1124,
  bounds: { west: 7.51959, south: 47.52705, east: 7.65761, north: 47.59215 },
}

/** From this zoom on the picture is the one with finer lines and smaller names. */
export const nearZoom = 14.2

export const outlinePicture = (theme: 'paper' | 'river', isNear: boolean) =>
  `/map/outline${isNear ? '-near' : ''}-${theme}.svg`

/** The drawing as one GeoJSON file, each feature with its `layer`; fetched by the map's worker. */
export const drawingFile = '/map/drawing.json'
