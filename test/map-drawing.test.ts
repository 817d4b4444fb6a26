import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { measureDrawing } from '../scripts/map-accuracy.ts'
import { drawingCredits, drawingLayers, type Point } from '../src/map/drawing/index.ts'
import { outlineProjection, outlineSvg } from '../src/map/drawing/outline.ts'
import { readPoints } from '../src/map/drawing/sheet.ts'

const source = 'src/map/drawing'
const reference = '../shared/data/basel'

const layers = drawingLayers()
const features = Object.values(layers).flatMap((each) => each.features)
const pointsOf = (feature: (typeof features)[number]) => {
  const { geometry } = feature
  return geometry.type === 'Point'
    ? [geometry.coordinates]
    : geometry.type === 'Polygon'
      ? geometry.coordinates.flat()
      : geometry.coordinates
}
const names = (layer: string, property = 'name') =>
  new Set(layers[layer]!.features.map((each) => String(each.properties[property])))

describe('the bundled drawing of Basel', () => {
  it('has the layers of the map pack', () => {
    const pack = [
      'bahn',
      'faehren',
      'haltestellen',
      'kanton',
      'parks',
      'quartiere',
      'quartiere-labels',
      'rhein',
      'strassen',
      'tram',
      'umland',
      'umland-labels',
    ]
    expect(Object.keys(layers)).toEqual(expect.arrayContaining(pack))
  })

  it('shows what somebody on foot needs', () => {
    expect(names('strassen', 'n').size).toBeGreaterThanOrEqual(60)
    expect(names('haltestellen').size + names('plaetze').size).toBeGreaterThanOrEqual(60)
    expect(names('parks').size).toBeGreaterThanOrEqual(20)
    expect(names('quartiere-labels').size).toBe(21)
    expect(names('quartiere')).toEqual(names('quartiere-labels'))
    expect(names('faehren').size).toBe(4)
    expect(layers.strassen!.features.filter((each) => each.properties.b).map((each) => each.properties.n)).toEqual([
      'Schwarzwaldbrücke',
      'Wettsteinbrücke',
      'Mittlere Brücke',
      'Johanniterbrücke',
      'Dreirosenbrücke',
    ])
    expect([...names('bahn')].join()).toMatch(/Basel SBB.*Badischer Bahnhof/)
    for (const town of ['Weil am Rhein', 'Saint-Louis', 'Allschwil', 'Binningen', 'Münchenstein', 'Birsfelden']) {
      expect(names('umland-labels')).toContain(town)
    }
  })

  it('names every feature, and every line goes somewhere', () => {
    for (const each of features) {
      expect(String(each.properties.name ?? each.properties.n ?? each.properties.lines), JSON.stringify(each)).toMatch(
        /\S/,
      )
      const points = pointsOf(each)
      const least = { Point: 1, LineString: 2, Polygon: 4 }[each.geometry.type]
      expect(points.length, JSON.stringify(each.properties)).toBeGreaterThanOrEqual(least)
      if (each.geometry.type === 'Polygon') expect(points.at(-1)).toEqual(points[0])
    }
  })

  it('stays on the sheet', () => {
    for (const [lon, lat] of features.flatMap(pointsOf)) {
      expect(lon).toBeGreaterThan(7.5)
      expect(lon).toBeLessThan(7.74)
      expect(lat).toBeGreaterThan(47.49)
      expect(lat).toBeLessThan(47.62)
    }
  })

  it('is drawn by hand: few points, round coordinates', () => {
    const isRound = (value: number) => Math.abs(value * 1e5 - Math.round(value * 1e5)) < 1e-6
    expect(features.flatMap(pointsOf).filter((point) => !point.every(isRound))).toEqual([])
    for (const each of layers.strassen!.features)
      expect(pointsOf(each).length, String(each.properties.n)).toBeLessThanOrEqual(12)
    for (const each of layers.parks!.features)
      expect(pointsOf(each).length, String(each.properties.name)).toBeLessThanOrEqual(12)
    for (const each of features) expect(pointsOf(each).length, JSON.stringify(each.properties)).toBeLessThanOrEqual(100)
  })

  it('is small and readable as source', () => {
    const bytes = readdirSync(source).map((file) => statSync(join(source, file)).size)
    expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThan(120_000)
  })

  it('says where its facts come from', () => {
    const credits = drawingCredits.map((each) => each.text).join(' · ')
    for (const who of ['OpenStreetMap', 'Basel-Stadt', 'opentransportdata.swiss', 'SBB']) expect(credits).toContain(who)
  })

  it('refuses a mistyped point', () => {
    expect(readPoints('5886/5596 58861/55962')).toEqual([
      [7.5886, 47.5596],
      [7.58861, 47.55962],
    ])
    for (const wrong of ['5886', '5886/559', '7.5886/47.5596', '']) expect(() => readPoints(wrong)).toThrow()
  })
})

describe('the drawing as a plain picture', () => {
  const options = { width: 800, height: 600, bounds: { west: 7.57, south: 47.545, east: 7.612, north: 47.573 } }

  it.each([
    ['the inner city', options.bounds],
    ['the whole canton', { west: 7.55, south: 47.515, east: 7.7, north: 47.605 }],
  ])('shows %s in less than 40 kB, coloured by classes alone', (_, bounds) => {
    const svg = outlineSvg({ ...options, bounds })
    expect(Buffer.byteLength(svg)).toBeLessThan(40_000)
    expect(svg).toMatch(/^<svg [^>]*role="img" aria-label="Map of Basel">.*<\/svg>$/)
    expect(svg).not.toMatch(/style=|<style|NaN|undefined/)
    for (const part of ['map-river', 'map-park', 'map-street-1', 'map-street-2', '>Rhein<']) expect(svg).toContain(part)
  })

  it('gives the same picture twice, and escapes its label', () => {
    expect(outlineSvg(options)).toBe(outlineSvg(options))
    expect(outlineSvg({ ...options, label: '"<b>"' })).toContain('aria-label="&quot;&lt;b&gt;&quot;"')
  })

  it('tells where a pin goes', () => {
    const place = outlineProjection(options)
    const middle: Point = [7.591, 47.559]
    expect(place(middle)).toEqual([400, 300])
    expect(place([7.592, 47.559])[0]).toBeGreaterThan(400)
    expect(place([7.591, 47.56])[1]).toBeLessThan(300)
  })
})

describe.skipIf(!existsSync(reference))('the drawing beside the reference', () => {
  const findings = existsSync(reference) ? measureDrawing(reference) : []
  it.each(findings)('$criterion: $bar ($ours)', ({ pass, misses }) => {
    expect(pass, misses.join('\n')).toBe(true)
  })
})
