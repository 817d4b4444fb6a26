import { existsSync, readFileSync } from 'node:fs'
// a dependency of maplibre-gl
import { validateStyleMin } from '@maplibre/maplibre-gl-style-spec'
import { PMTiles } from 'pmtiles'
import { describe, expect, it } from 'vitest'
import { mapInks } from '../inks.ts'
import { basemapOrder } from './basemap.ts'
import { basemapSource, basemapStyle } from './basemap-style.ts'
import { isOverlay, noOverlay, overlay, overlayFeatures, overlaySources, pinLayers } from './overlay.ts'

const reference = '../shared/data/basel/basel.pmtiles'

/** Layers of the data that a style draws. */
function drawn(kind: 'drawing' | 'pack'): Set<string> {
  const found = new Set<string>()
  for (const layer of basemapStyle(mapInks.paper, kind).layers) {
    if ('source-layer' in layer && layer['source-layer']) found.add(layer['source-layer'])
    for (const [, name] of JSON.stringify('filter' in layer ? layer.filter : '').matchAll(
      /\["get","layer"\],"([\w-]+)"/g,
    ))
      found.add(name!)
  }
  return found
}

describe('the own basemap', () => {
  it.each(['drawing', 'pack'] as const)(
    'as %s is a style without glyphs, sprite or addresses of other hosts',
    (kind) => {
      for (const inks of [mapInks.paper, mapInks.river]) {
        const style = basemapStyle(inks, kind)
        expect(Object.keys(style)).toEqual(['version', 'sources', 'layers'])
        expect(JSON.stringify(style)).not.toMatch(/https?:/)
        const ids = style.layers.map(({ id }) => id)
        expect(new Set(ids).size).toBe(ids.length)
        for (const layer of style.layers) if ('source' in layer) expect(layer.source).toBe(basemapSource)
      }
    },
  )

  it.each(['drawing', 'pack'] as const)('as %s, with the overlay, is valid for MapLibre', (kind) => {
    for (const inks of [mapInks.paper, mapInks.river]) {
      const style = basemapStyle(inks, kind)
      const own = overlay(noOverlay, inks)
      const whole = {
        ...style,
        sources: { ...style.sources, ...own.sources },
        layers: [...style.layers, ...own.layers],
        // we use the fonts of the page, but the validator needs an address
        glyphs: 'https://fonts.example.ch/{fontstack}/{range}.pbf',
      }
      expect(validateStyleMin(whole)).toEqual([])
      const wrong = { ...whole, layers: [...whole.layers, { id: 'x', type: 'line', source: 'nowhere' }] }
      expect(validateStyleMin(wrong as never)).not.toEqual([])
    }
  })

  it('draws the same by day and night, in other inks', () => {
    const ids = (theme: 'paper' | 'river') => basemapStyle(mapInks[theme], 'pack').layers.map(({ id }) => id)
    expect(ids('paper')).toEqual(ids('river'))
    expect(JSON.stringify(basemapStyle(mapInks.paper, 'pack'))).not.toBe(
      JSON.stringify(basemapStyle(mapInks.river, 'pack')),
    )
  })

  it('uses the zooms that a pack has', () => {
    const { sources } = basemapStyle(mapInks.paper, 'pack', { minZoom: 7, maxZoom: 12 })
    expect(sources[basemapSource]).toMatchObject({ type: 'vector', minzoom: 7, maxzoom: 12 })
  })

  it('draws every layer of the drawing', () => {
    const { features } = JSON.parse(readFileSync('public/map/drawing.json', 'utf8')) as {
      features: { properties: { layer: string } }[]
    }
    expect(drawn('drawing')).toEqual(new Set(features.map(({ properties }) => properties.layer)))
  })

  it.skipIf(!existsSync(reference))('draws the layers of the reference pack', async () => {
    const bytes = readFileSync(reference)
    const pack = new PMTiles({
      getKey: () => 'pack',
      getBytes: async (offset, length) => ({
        data: new Uint8Array(bytes.subarray(offset, offset + length)).buffer,
      }),
    })
    const { vector_layers } = (await pack.getMetadata()) as { vector_layers: { id: string }[] }
    const there = vector_layers.map(({ id }) => id).filter((id) => id !== 'kultur')
    expect([...drawn('pack')].toSorted()).toEqual(there.toSorted())
  })
})

describe('the overlay of the map', () => {
  const place = { key: 'k', latitude: 47, longitude: 7, count: 1 }

  it('counts premium places of a cluster, for the lantern on its rim', () => {
    const clusters = [{ latitude: 47, longitude: 7, count: 900, lanterns: 12, of: 'deals' as const }]
    const features = overlayFeatures({
      ...noOverlay,
      clusters,
      places: [
        { ...place, icon: 'premium' },
        { ...place, icon: 'deal' },
      ],
    })
    const lanterns = features[overlaySources.deals]!.features.map(({ properties }) => properties!['lanterns'])
    expect(lanterns).toEqual([1, 0, 12])
    const { sources } = overlay(noOverlay, mapInks.paper)
    expect(sources[overlaySources.deals]).toMatchObject({
      cluster: true,
      clusterProperties: { lanterns: ['+', ['get', 'lanterns']] },
    })
  })

  it('counts clusters of the server in its own clusters, so that numbers do not overlap', () => {
    const clusters = [
      { latitude: 47, longitude: 7, count: 900, of: 'deals' as const },
      { latitude: 47, longitude: 7, count: 30, of: 'merchants' as const },
    ]
    const features = overlayFeatures({ ...noOverlay, clusters, places: [{ ...place, icon: 'deal' }] })
    const counts = (id: string) => features[id]!.features.map(({ properties }) => properties!['count'])
    expect(counts(overlaySources.deals)).toEqual([1, 900])
    expect(counts(overlaySources.merchants)).toEqual([30])
  })

  it('has the own position below all pins, numbers and lanterns', () => {
    const layers = overlay(noOverlay, mapInks.paper).layers
    const at = (belongs: (layer: (typeof layers)[number]) => boolean) =>
      layers.flatMap((layer, index) => (belongs(layer) ? [index] : []))
    const own = at((layer) => 'source' in layer && layer.source === overlaySources.own)
    const others = at((layer) => 'source' in layer && layer.source !== overlaySources.own)
    expect(own.length).toBeGreaterThan(0)
    expect(layers.filter(({ id }) => pinLayers.includes(id))).toHaveLength(pinLayers.length)
    expect(Math.max(...own)).toBeLessThan(Math.min(...others))
  })

  it('can be distinguished from the basemap by name', () => {
    const { sources, layers } = overlay(noOverlay, mapInks.river)
    expect([...Object.keys(sources), ...layers.map(({ id }) => id)].every(isOverlay)).toBe(true)
    expect(basemapStyle(mapInks.river, 'pack').layers.some(({ id }) => isOverlay(id))).toBe(false)
  })
})

it('tries online, pack, drawing and outline in this order, if available', () => {
  expect(basemapOrder({ styleUrl: 'https://a/', packUrl: '/p' })).toEqual(['online', 'pack', 'drawing', 'outline'])
  expect(basemapOrder({ styleUrl: null, packUrl: '/p' })).toEqual(['pack', 'drawing', 'outline'])
  expect(basemapOrder({ styleUrl: null, packUrl: null })).toEqual(['drawing', 'outline'])
})
