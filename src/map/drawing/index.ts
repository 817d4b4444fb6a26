import { bridges, ferries } from './bridges.ts'
import { parks } from './parks.ts'
import { quarterNames, quarters } from './quarters.ts'
import { rails } from './rails.ts'
import { banks, rhine, rhineBeyond, rhineCourse, waters } from './river.ts'
import { areaFeature, collection, lineFeature, pointFeature } from './sheet.ts'
import type { FeatureCollection, Point, Stroke } from './sheet.ts'
import { squares } from './squares.ts'
import { stops } from './stops.ts'
import { streets, type StreetClass } from './streets.ts'
import { canton, towns } from './towns.ts'
import { trams } from './trams.ts'

export type { Feature, FeatureCollection, Geometry, Point } from './sheet.ts'

/** To be shown with the drawing, in every language: who drew it, and where the facts come from. */
export const drawingCredits = [
  { text: '© Rheinklang' },
  { text: '© OpenStreetMap contributors', href: 'https://www.openstreetmap.org/copyright' },
  { text: 'Geodaten Kanton Basel-Stadt (CC BY 4.0)', href: 'https://data.bs.ch' },
  { text: 'opentransportdata.swiss', href: 'https://opentransportdata.swiss' },
  { text: 'SBB', href: 'https://data.sbb.ch' },
]

/** The drawing's classes in the words of the map pack (OpenStreetMap's `highway`). */
const packClass: Record<StreetClass, string> = { 1: 'primary', 2: 'secondary', 3: 'residential', 4: 'pedestrian' }

/**
 * The drawing as GeoJSON, by the layer and property names of the map pack, so that one style fits both. Squares come
 * twice: as a street line with their name in `strassen`, and as an area in `plaetze`; that layer and `ufer` (the banks) a
 * pack need not have.
 */
export function drawingLayers(): Record<string, FeatureCollection> {
  return {
    kanton: collection([areaFeature({ name: 'Basel-Stadt' }, canton)]),
    quartiere: areas(quarters),
    'quartiere-labels': names(quarterNames),
    rhein: collection([areaFeature({ name: 'Rhein' }, rhine)]),
    ufer: collection(banks.map(({ name, points }) => lineFeature({ name }, points))),
    umland: collection([
      ...rhineBeyond.map((shape) => areaFeature({ name: 'Rhein' }, shape)),
      ...waters.map(({ name, points, widthMetres }) => areaFeature({ name }, penStroke(points, widthMetres))),
    ]),
    'umland-labels': collection([
      ...towns.map(({ name, points }) => pointFeature({ k: 'town', name }, points[0]!)),
      lineFeature({ k: 'water', name: 'Rhein' }, rhineCourse),
      ...waters.map(({ name, points }) => lineFeature({ k: 'water', name }, points)),
    ]),
    parks: areas(parks),
    plaetze: areas(squares),
    strassen: collection([
      ...streets.map((street) => lineFeature({ c: packClass[street.class], n: street.name }, street.points)),
      ...squares.map(({ name, points }) => lineFeature({ c: 'pedestrian', n: name }, middleLine(points))),
      ...bridges.map((bridge) => lineFeature({ c: packClass[bridge.class], n: bridge.name, b: 1 }, bridge.points)),
    ]),
    bahn: collection(rails.map(({ name, points }) => lineFeature({ name }, points))),
    tram: collection(trams.map(({ name, points }) => lineFeature({ lines: name }, points))),
    faehren: collection(ferries.map(({ name, points }) => lineFeature({ name }, points))),
    haltestellen: collection(stops.map(({ kind, name, at }) => pointFeature({ name, t: kind, types: kind }, at))),
  }
}

const areas = (shapes: Stroke[]) => collection(shapes.map(({ name, points }) => areaFeature({ name }, points)))

const names = (places: Stroke[]) => collection(places.map(({ name, points }) => pointFeature({ name }, points[0]!)))

/** From the middle of a square's first side to the middle of the opposite one. */
function middleLine([a, b, c, d]: Point[]): Point[] {
  return [between(a!, b!), between(c!, d!)]
}

const between = (one: Point, other: Point): Point => [round((one[0] + other[0]) / 2), round((one[1] + other[1]) / 2)]

const metresPerDegree = { lon: 75_100, lat: 111_200 }

/** A line drawn with a broad pen: down one side and back on the other. */
function penStroke(line: Point[], widthMetres: number): Point[] {
  const side = (sign: 1 | -1) =>
    line.map((point, index): Point => {
      const [from, to] = [line[Math.max(index - 1, 0)]!, line[Math.min(index + 1, line.length - 1)]!]
      const [east, north] = [(to[0] - from[0]) * metresPerDegree.lon, (to[1] - from[1]) * metresPerDegree.lat]
      const half = (sign * widthMetres) / 2 / Math.hypot(east, north)
      return [
        round(point[0] - (north * half) / metresPerDegree.lon),
        round(point[1] + (east * half) / metresPerDegree.lat),
      ]
    })
  return [...side(1), ...side(-1).reverse()]
}

const round = (degrees: number) => Math.round(degrees * 1e5) / 1e5
