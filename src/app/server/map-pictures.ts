import type { FastifyInstance } from 'fastify'
import { drawingLayers } from '../../map/drawing/index.ts'
import { outlineSvg } from '../../map/drawing/outline.ts'
import { mapInks, type MapInks } from '../../map/inks.ts'
import { drawingFile, outlinePicture, outlineView } from '../../map/outline-view.ts'

const keep = 'public, max-age=86400'

/**
 * The bundled drawing of the city for the map, and its outline as pictures by day and by night, which stand in where the
 * map cannot be drawn.
 */
export function serveMapPictures(app: FastifyInstance) {
  const outline = outlineSvg(outlineView)
  for (const theme of ['paper', 'river'] as const)
    for (const isNear of [false, true]) {
      const svg = Buffer.from(inked(outline, mapInks[theme], isNear))
      app.get(outlinePicture(theme, isNear), (_request, reply) =>
        reply.type('image/svg+xml').header('cache-control', keep).send(svg),
      )
    }
  const drawing = Buffer.from(JSON.stringify(drawingInOne()))
  app.get(drawingFile, (_request, reply) => reply.type('application/json').header('cache-control', keep).send(drawing))
}

/** All layers in one file: one index in the browser and one request a tile instead of thirteen. */
function drawingInOne() {
  const features = Object.entries(drawingLayers()).flatMap(([layer, { features: each }]) =>
    each.map((feature) => ({ ...feature, properties: { ...feature.properties, layer } })),
  )
  return { type: 'FeatureCollection', features }
}

/**
 * A picture of its own has no style sheet, so the classes of the outline become colours, and lines as wide as the live map's
 * at the same zoom; `isNear` is for looking at it enlarged.
 */
function inked(svg: string, inks: MapInks, isNear: boolean): string {
  const [thin, small] = isNear ? [0.55, 0.35] : [1, 1]
  const tidy = (value: number) => Math.round(value * 100) / 100
  const area = (fill: string) => `fill="${fill}"`
  const line = (colour: string, width: number, more = '') =>
    `stroke="${colour}" stroke-width="${tidy(width * thin)}" stroke-linecap="round" stroke-linejoin="round"${more}`
  const word = (colour: string, halo: string, size: number, more = '') =>
    `fill="${colour}" stroke="${halo}" stroke-width="${tidy(2.5 * small)}" stroke-linejoin="round" paint-order="stroke" font-family="Instrument Sans, Arial, sans-serif" font-size="${tidy(size * small)}" font-weight="600"${more}`
  const looks: Record<string, string> = {
    'map-ground': area(inks.ground),
    'map-city': area(inks.city),
    'map-river': area(inks.river),
    'map-park': area(inks.park),
    'map-square': area(inks.square),
    'map-casing-1': line(inks.casing, 4.4, ' stroke-opacity=".9"'),
    'map-casing-2': line(inks.casing, 3.4, ' stroke-opacity=".9"'),
    'map-casing-3': 'stroke="none"',
    'map-street-1': line(inks.trunk, 3.4),
    'map-street-2': line(inks.main, 2.4),
    'map-street-3': line(inks.street, 1.1),
    'map-rail': line(inks.rail, 1.6, ' stroke-dasharray="7 3"'),
    'map-ferry': line(inks.ferry, 1, ' stroke-dasharray="2 2"'),
    'map-label map-label-river': word(inks.riverName, inks.river, 20, ` letter-spacing="${tidy(5 * small)}"`),
    'map-label map-label-place': word(inks.place, inks.halo, 11.5),
    'map-label map-label-quarter': word(inks.quarter, inks.halo, 10.5, ` letter-spacing="${tidy(2 * small)}"`),
    'map-label map-label-town': word(inks.quarter, inks.ground, 13.5),
  }
  return svg.replace(/ class="(map-[\w -]+)"/g, (_, name: string) => (looks[name] ? ` ${looks[name]}` : ''))
}
