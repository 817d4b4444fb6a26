import { bridges, ferries } from './bridges.ts'
import { parks } from './parks.ts'
import { outlineProjection, pixelsPerDegree, type OutlineOptions } from './projection.ts'
import { quarterNames } from './quarters.ts'
import { rails } from './rails.ts'
import { rhine, rhineBeyond } from './river.ts'
import type { Point } from './sheet.ts'
import { squares } from './squares.ts'
import { streets } from './streets.ts'
import { canton, towns } from './towns.ts'

export { outlineProjection, type Bounds, type OutlineOptions } from './projection.ts'

/**
 * The drawing as a plain SVG picture, for browsers without WebGL and for pages rendered on the server. Pure: the same
 * options give the same text, below 40 kB. It carries no colours but these classes, to be styled with the tokens:
 *
 * `map-outline` (the svg) · areas: `map-ground`, `map-city`, `map-river`, `map-park`, `map-square` · lines:
 * `map-street-1` to `map-street-3` (trunk, main, local), each laid over its `map-casing-1` to `-3`, `map-rail`,
 * `map-ferry` · words: `map-label` with `map-label-river`, `-town`, `-quarter` or `-place`.
 */
export function outlineSvg(options: OutlineOptions): string {
  const { width, height, label = 'Map of Basel' } = options
  const project = outlineProjection(options)
  const onSheet = (points: Point[]) => touches(points.map(project), width, height)
  const path = (lines: Point[][], closed: boolean) =>
    lines
      .filter(onSheet)
      .map((line) => draw(line.map(project), closed))
      .join('')
  const area = (name: string, lines: Point[][]) => `<path class="map-${name}" d="${path(lines, true)}"/>`
  const line = (name: string, lines: Point[][]) => `<path class="map-${name}" fill="none" d="${path(lines, false)}"/>`

  const isClose = pixelsPerDegree(options) > 15_000
  const classes = isClose ? ([3, 2, 1] as const) : ([2, 1] as const)
  const roads = (each: number) =>
    [...streets, ...bridges].filter((road) => road.class === each || (each === 3 && road.class === 4))
  const roadLayers = classes.map((each) => [each, roads(each).map(({ points }) => points)] as const)

  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="map-outline" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escape(label)}">`,
    `<rect class="map-ground" width="${width}" height="${height}"/>`,
    area('city', [canton]),
    area(
      'park',
      parks.map(({ points }) => points),
    ),
    area('river', [rhine, ...rhineBeyond]),
    line(
      'rail',
      rails.map(({ points }) => points),
    ),
    ...(isClose
      ? [
          area(
            'square',
            squares.map(({ points }) => points),
          ),
        ]
      : []),
    ...roadLayers.map(([each, lines]) => line(`casing-${each}`, lines)),
    ...roadLayers.map(([each, lines]) => line(`street-${each}`, lines)),
    line(
      'ferry',
      ferries.map(({ points }) => points),
    ),
    ...setLabels(project, width, height),
    '</svg>',
  ].join('')
}

type Spot = [x: number, y: number]

function touches(spots: Spot[], width: number, height: number): boolean {
  const [xs, ys] = [spots.map(([x]) => x), spots.map(([, y]) => y)]
  return Math.min(...xs) < width && Math.max(...xs) > 0 && Math.min(...ys) < height && Math.max(...ys) > 0
}

const draw = (spots: Spot[], closed: boolean) => `M${spots.map(([x, y]) => `${x} ${y}`).join('L')}${closed ? 'Z' : ''}`

/** In the order of their weight: a name that would touch an earlier one is left out. */
const words: { kind: 'river' | 'place' | 'quarter' | 'town'; name: string; at: Point }[] = [
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
  ...quarterNames.map(({ name, points }) => ({ kind: 'quarter' as const, name, at: points[0]! })),
  ...towns.map(({ name, points }) => ({ kind: 'town' as const, name, at: points[0]! })),
]

const lineHeight = 16
const letterWidth = 7.5

function setLabels(project: (place: Point) => Spot, width: number, height: number): string[] {
  const set: { x: number; y: number; half: number }[] = []
  return words.flatMap(({ kind, name: spelled, at }) => {
    const name = kind === 'quarter' ? spelled.toUpperCase() : spelled
    const [x, y] = project(at)
    const half = (name.length * letterWidth) / 2
    const isOnSheet = x > half && x < width - half && y > lineHeight && y < height - lineHeight / 2
    const isFree = set.every((other) => Math.abs(other.x - x) > other.half + half || Math.abs(other.y - y) > lineHeight)
    if (!isOnSheet || !isFree) return []
    set.push({ x, y, half })
    return [`<text class="map-label map-label-${kind}" x="${x}" y="${y}" text-anchor="middle">${escape(name)}</text>`]
  })
}

const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
