import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { mapInks } from '../src/map/inks.ts'
import { drawingFile, outlinePicture } from '../src/map/outline-view.ts'
import { drawingCredits } from '../src/map/server/map.ts'

type Point = [lon: number, lat: number]
interface Feature {
  properties: Record<string, string | number>
  geometry:
    | { type: 'Point'; coordinates: Point }
    | { type: 'LineString'; coordinates: Point[] }
    | { type: 'Polygon'; coordinates: Point[][] }
}

const { features } = JSON.parse(readFileSync(`public${drawingFile}`, 'utf8')) as { features: Feature[] }
const layer = (name: string) => features.filter(({ properties }) => properties['layer'] === name)
const names = (of: string, property = 'name') =>
  new Set(layer(of).map(({ properties }) => String(properties[property])))
const pointsOf = ({ geometry }: Feature): Point[] =>
  geometry.type === 'Point'
    ? [geometry.coordinates]
    : geometry.type === 'Polygon'
      ? geometry.coordinates.flat()
      : geometry.coordinates

describe('the bundled drawing of Basel', () => {
  it('shows what people on foot need', () => {
    expect(names('strassen', 'n').size).toBeGreaterThanOrEqual(60)
    expect(names('haltestellen').size + names('plaetze').size).toBeGreaterThanOrEqual(60)
    expect(names('parks').size).toBeGreaterThanOrEqual(20)
    expect(names('quartiere-labels').size).toBe(21)
    expect(names('quartiere')).toEqual(names('quartiere-labels'))
    expect(names('faehren').size).toBe(4)
    const bridges = layer('strassen').filter(({ properties }) => properties['b'])
    expect(bridges.map(({ properties }) => properties['n'])).toEqual([
      'Schwarzwaldbrücke',
      'Wettsteinbrücke',
      'Mittlere Brücke',
      'Johanniterbrücke',
      'Dreirosenbrücke',
    ])
    expect([...names('bahn')].join()).toMatch(/Basel SBB.*Badischer Bahnhof/)
    for (const town of ['Weil am Rhein', 'Saint-Louis', 'Allschwil', 'Binningen', 'Münchenstein', 'Birsfelden'])
      expect(names('umland-labels')).toContain(town)
  })

  it('names every feature, and every line has a length and lies within the drawing', () => {
    for (const feature of features) {
      const { name, n, lines } = feature.properties
      expect(String(name ?? n ?? lines), JSON.stringify(feature)).toMatch(/\S/)
      const points = pointsOf(feature)
      const least = { Point: 1, LineString: 2, Polygon: 4 }[feature.geometry.type]
      expect(points.length, JSON.stringify(feature.properties)).toBeGreaterThanOrEqual(least)
      if (feature.geometry.type === 'Polygon') expect(points.at(-1)).toEqual(points[0])
      for (const [lon, lat] of points) {
        expect(Math.abs(lon - 7.62)).toBeLessThan(0.12)
        expect(Math.abs(lat - 47.555)).toBeLessThan(0.065)
      }
    }
  })

  it('names its sources', () => {
    const credits = drawingCredits.map(({ text }) => text).join(' · ')
    for (const who of ['OpenStreetMap', 'Basel-Stadt', 'opentransportdata.swiss', 'SBB']) expect(credits).toContain(who)
  })
})

describe.each([
  ['paper', false],
  ['paper', true],
  ['river', false],
  ['river', true],
] as const)('the picture of the city on %s (near: %s)', (theme, isNear) => {
  const svg = readFileSync(`public${outlinePicture(theme, isNear)}`, 'utf8')

  it('is small, carries no styles, and has the colours of the map', () => {
    expect(Buffer.byteLength(svg)).toBeLessThan(40_000)
    expect(svg).not.toMatch(/style=|<style|NaN|undefined/)
    expect(svg).toContain('>Rhein<')
    const inks = new Set<string>(Object.values(mapInks[theme]))
    const used = new Set([...svg.matchAll(/#[0-9a-f]{6}/g)].map(([colour]) => colour))
    // after a change of the inks draw the pictures again: npm run map:draw, in lab/
    expect([...used].filter((colour) => !inks.has(colour))).toEqual([])
    for (const ink of ['ground', 'city', 'river', 'park', 'trunk'] as const) expect(used).toContain(mapInks[theme][ink])
  })
})
