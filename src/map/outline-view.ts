/** The zoom of the live map at which the picture has the same scale. */
export const outlineZoom = 13

/**
 * The picture of the city that replaces the map while it loads, without JavaScript, and without WebGL. Width and height in CSS
 * pixels; it shows the whole bounds, centred.
 */
export const outlineView = {
  width: 1608,
  height: 1124,
  bounds: { west: 7.51959, south: 47.52705, east: 7.65761, north: 47.59215 },
}

/** From this zoom on the picture with finer lines and smaller names is used. */
export const nearZoom = 14.2

export const outlinePicture = (theme: 'paper' | 'river', isNear: boolean) =>
  `/map/outline${isNear ? '-near' : ''}-${theme}.svg`

/** The drawing as a GeoJSON file, each feature with its `layer`; loaded by the map's worker. */
export const drawingFile = '/map/drawing.json'
