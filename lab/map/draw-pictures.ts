import { writeFileSync } from 'node:fs'
import { mapInks, type MapInks } from '../../src/map/inks.ts'
import { outlinePicture, outlineView } from '../../src/map/outline-view.ts'
import { drawnFeatures, type Feature, type Point } from './drawing.ts'

/**
 * `npm run map:draw`: draws the pictures of the city (by day and by night, each also for a close view) into `public/map`. Run it after
 * `public/map/drawing.json` or the inks of the map have changed.
 */
const layers = {
  canton: drawnFeatures('kanton'),
  parks: drawnFeatures('parks'),
  river: [
    ...drawnFeatures('rhein'),
    ...drawnFeatures('umland').filter(({ properties }) => properties['name'] === 'Rhein'),
  ],
  rails: drawnFeatures('bahn'),
  squares: drawnFeatures('plaetze'),
  streets: drawnFeatures('strassen'),
  ferries: drawnFeatures('faehren'),
  quarters: drawnFeatures('quartiere-labels'),
  towns: drawnFeatures('umland-labels').filter(({ properties }) => properties['k'] === 'town'),
}
const { width, height, bounds } = outlineView
const lineHeight = 16
const letterWidth = 7.5

type Spot = [x: number, y: number]

for (const theme of ['paper', 'river'] as const)
  for (const isNear of [false, true]) {
    const file = new URL(`../../public${outlinePicture(theme, isNear)}`, import.meta.url)
    writeFileSync(file, picture(mapInks[theme], isNear))
  }

/** Lines have the width of the live map's at the same zoom. `isNear`: thinner, for the enlarged picture. */
function picture(inks: MapInks, isNear: boolean): string {
  const [thin, small] = isNear ? [0.55, 0.35] : [1, 1]
  const area = (fill: string, features: Feature[]) => `<path fill="${fill}" d="${path(features)}"/>`
  const line = (stroke: string, lineWidth: number, features: Feature[], more = '') =>
    `<path stroke="${stroke}" stroke-width="${hundredth(lineWidth * thin)}" stroke-linecap="round" stroke-linejoin="round"${more} fill="none" d="${path(features)}"/>`
  const word = (fill: string, halo: string, size: number, spacing = 0) =>
    `fill="${fill}" stroke="${halo}" stroke-width="${hundredth(2.5 * small)}" stroke-linejoin="round" paint-order="stroke" font-family="Instrument Sans, Arial, sans-serif" font-size="${hundredth(size * small)}" font-weight="600"${spacing ? ` letter-spacing="${hundredth(spacing * small)}"` : ''}`
  const words = {
    river: word(inks.riverName, inks.river, 20, 5),
    place: word(inks.place, inks.halo, 11.5),
    quarter: word(inks.quarter, inks.halo, 10.5, 2),
    town: word(inks.quarter, inks.ground, 13.5),
  }
  const [local, main, trunk] = [streetsOf('residential', 'pedestrian'), streetsOf('secondary'), streetsOf('primary')]
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="Map of Basel">`,
    `<rect fill="${inks.ground}" width="${width}" height="${height}"/>`,
    area(inks.city, layers.canton),
    area(inks.park, layers.parks),
    area(inks.river, layers.river),
    line(inks.rail, 1.6, layers.rails, ' stroke-dasharray="7 3"'),
    area(inks.square, layers.squares),
    line(inks.casing, 3.4, main, ' stroke-opacity=".9"'),
    line(inks.casing, 4.4, trunk, ' stroke-opacity=".9"'),
    line(inks.street, 1.1, local),
    line(inks.main, 2.4, main),
    line(inks.trunk, 3.4, trunk),
    line(inks.ferry, 1, layers.ferries, ' stroke-dasharray="2 2"'),
    ...labels().map(
      ({ kind, name, x, y }) => `<text ${words[kind]} x="${x}" y="${y}" text-anchor="middle">${name}</text>`,
    ),
    '</svg>',
  ].join('')
}

/** Streets of these classes. Squares are left out: they are also lines, for their names, but the picture has their areas. */
function streetsOf(...classes: string[]): Feature[] {
  const squares = new Set(layers.squares.map(({ properties }) => properties['name']))
  return layers.streets.filter(
    ({ properties: { c, n } }) => classes.includes(String(c)) && !(c === 'pedestrian' && squares.has(n!)),
  )
}

/** One path of all lines and areas that touch the picture. */
function path(features: Feature[]): string {
  return features.map(pathOf).join('')
}

function pathOf({ geometry }: Feature): string {
  if (geometry.type === 'Point') return ''
  const isArea = geometry.type === 'Polygon'
  const spots = (isArea ? geometry.coordinates[0]!.slice(0, -1) : geometry.coordinates).map(project)
  const [xs, ys] = [spots.map(([x]) => x), spots.map(([, y]) => y)]
  const isSeen = Math.min(...xs) < width && Math.max(...xs) > 0 && Math.min(...ys) < height && Math.max(...ys) > 0
  return isSeen ? `M${spots.map(([x, y]) => `${x} ${y}`).join('L')}${isArea ? 'Z' : ''}` : ''
}

interface Label {
  kind: 'river' | 'place' | 'quarter' | 'town'
  name: string
  at: Point
}

/** Labels in the order of their importance; a label that would touch an earlier one is left out. */
function labels(): (Label & { x: number; y: number })[] {
  const set: { x: number; y: number; half: number }[] = []
  return words().flatMap((label) => {
    const [x, y] = project(label.at)
    const half = (label.name.length * letterWidth) / 2
    const isOnSheet = x > half && x < width - half && y > lineHeight && y < height - lineHeight / 2
    const isFree = set.every((other) => Math.abs(other.x - x) > other.half + half || Math.abs(other.y - y) > lineHeight)
    if (!isOnSheet || !isFree) return []
    set.push({ x, y, half })
    return [{ ...label, x, y }]
  })
}

function words(): Label[] {
  const named = (kind: Label['kind'], features: Feature[], spelled = (name: string) => name) =>
    features.map(({ properties: { name }, geometry }): Label => ({
      kind,
      name: spelled(String(name)),
      at: geometry.coordinates as Point,
    }))
  return [
    { kind: 'river', name: 'Rhein', at: [7.6035, 47.5559] },
    { kind: 'river', name: 'Rhein', at: [7.5849, 47.5748] },
    { kind: 'place', name: 'Basel SBB', at: [7.5896, 47.547] },
    { kind: 'place', name: 'Badischer Bahnhof', at: [7.6085, 47.567] },
    { kind: 'place', name: 'Marktplatz', at: [7.5876, 47.5582] },
    { kind: 'place', name: 'Messeplatz', at: [7.5997, 47.5636] },
    { kind: 'place', name: 'Barfüsserplatz', at: [7.5891, 47.5543] },
    { kind: 'place', name: 'Claraplatz', at: [7.5939, 47.5618] },
    { kind: 'place', name: 'Wettsteinplatz', at: [7.5984, 47.5588] },
    { kind: 'place', name: 'Münsterplatz', at: [7.5915, 47.5566] },
    ...named('quarter', layers.quarters, (name) => name.toUpperCase()),
    ...named('town', layers.towns),
  ]
}

/** Pixel of the picture for a place. */
function project([lon, lat]: Point): Spot {
  // ratio of a degree of longitude to one of latitude
  const shrink = Math.cos((((bounds.south + bounds.north) / 2) * Math.PI) / 180)
  const scale = Math.min(width / ((bounds.east - bounds.west) * shrink), height / (bounds.north - bounds.south))
  return [
    tenth(width / 2 + (lon - (bounds.west + bounds.east) / 2) * shrink * scale),
    tenth(height / 2 - (lat - (bounds.south + bounds.north) / 2) * scale),
  ]
}

function tenth(value: number): number {
  return Math.round(value * 10) / 10
}

function hundredth(value: number): number {
  return Math.round(value * 100) / 100
}
