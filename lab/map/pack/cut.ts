import { GeoJSONVT, type GeoJSONVTTile } from '@maplibre/geojson-vt'
import { fromGeojsonVt } from '@maplibre/vt-pbf'
import { creditsOf, layerName, type Manifest, type ManifestLayer } from './manifest.ts'
import { writePack, type PackTile } from './write-pack.ts'
import { BadLayer, type LayerFeature } from './read-layer.ts'

const extent = 4096
/** Margin around a tile, in tile units: features in it are drawn too, so that lines and outlines have no seams. */
const buffer = 64
/** Tolerance of simplified lines, in tile units. At the last zoom nothing is simplified. */
const tolerance = 2
/** Most tiles of a pack: more would be a country, too large for browsers to load. */
const tilesLimit = 60_000

export interface Cut {
  file: Uint8Array
  tiles: number
}

/**
 * Cuts layers into tiles. The same manifest and features, in the same order, give the same bytes.
 * @throws BadLayer where the region is too large for its zooms
 */
export function cut(manifest: Manifest, features: ReadonlyMap<string, LayerFeature[]>): Cut {
  const { bounds, minzoom, maxzoom } = manifest
  const zooms = Array.from({ length: maxzoom - minzoom + 1 }, (_, n) => minzoom + n)
  const ranges = zooms.map((z) => ({ z, ...rangeOf(bounds, z) }))
  const area = ranges.reduce((sum, { west, east, north, south }) => sum + (east - west + 1) * (south - north + 1), 0)
  if (area > tilesLimit)
    throw new BadLayer(
      `The bounds have ${area} tiles up to zoom ${maxzoom}, and ${tilesLimit} is the limit: narrow bounds or lower maxzoom.`,
    )
  const layers = manifest.layers.map((layer) => ({
    layer,
    name: layerName(layer),
    index: new GeoJSONVT({ type: 'FeatureCollection', features: features.get(layerName(layer)) ?? [] } as never, {
      maxZoom: maxzoom,
      indexMaxZoom: maxzoom,
      indexMaxPoints: 0,
      extent,
      buffer,
      tolerance,
    }),
  }))
  const tiles: PackTile[] = []
  for (const { z, west, east, north, south } of ranges)
    for (let x = west; x <= east; x++)
      for (let y = north; y <= south; y++) {
        const found: Record<string, GeoJSONVTTile> = {}
        for (const { layer, name, index } of layers) {
          if (z < (layer.minzoom ?? minzoom)) continue
          const tile = index.getTile(z, x, y)
          const shown = tile?.features.filter((feature) => z >= minzoomOf(layer, feature.tags ?? {})) ?? []
          if (tile && shown.length > 0) found[name] = { ...tile, features: shown } as GeoJSONVTTile
        }
        if (Object.keys(found).length > 0) tiles.push({ z, x, y, data: fromGeojsonVt(found, { version: 2, extent }) })
      }
  const [west, south, east, north] = bounds
  const file = writePack(tiles, {
    minZoom: minzoom,
    maxZoom: maxzoom,
    bounds: { west, south, east, north },
    metadata: metadataOf(manifest, features),
  })
  return { file, tiles: tiles.length }
}

/** Tiles that touch the bounds, in Web Mercator. */
function rangeOf([west, south, east, north]: Manifest['bounds'], z: number) {
  const size = 2 ** z
  const within = (value: number) => Math.min(Math.max(Math.floor(value), 0), size - 1)
  const row = (latitude: number) =>
    within(((1 - Math.asinh(Math.tan((latitude * Math.PI) / 180)) / Math.PI) / 2) * size)
  const column = (longitude: number) => within(((longitude + 180) / 360) * size)
  return { west: column(west), east: column(east), north: row(north), south: row(south) }
}

function minzoomOf({ minzoomBy }: ManifestLayer, properties: Record<string, unknown>): number {
  if (!minzoomBy) return 0
  const value = String(properties[minzoomBy.property])
  return Object.hasOwn(minzoomBy.zooms, value) ? minzoomBy.zooms[value]! : 0
}

/** TileJSON 3.0 for other viewers; `credits` and `sources` are for the product. */
function metadataOf(manifest: Manifest, features: ReadonlyMap<string, LayerFeature[]>) {
  const credits = creditsOf(manifest)
  return {
    name: manifest.name,
    type: 'baselayer',
    attribution: credits
      .map(({ text, href }) => (href ? `<a href="${escaped(href)}">${escaped(text)}</a>` : escaped(text)))
      .join(' · '),
    vector_layers: manifest.layers.map((layer) => ({
      id: layerName(layer),
      minzoom: layer.minzoom ?? manifest.minzoom,
      maxzoom: manifest.maxzoom,
      fields: fieldsOf(features.get(layerName(layer)) ?? []),
    })),
    credits,
    sources: manifest.layers.map((layer) => {
      const { licence, credit, source, date } = layer
      return { layer: layerName(layer), licence, credit, source, date }
    }),
  }
}

function fieldsOf(features: LayerFeature[]): Record<string, string> {
  const kinds: Record<string, string> = { string: 'String', number: 'Number', boolean: 'Boolean' }
  const fields = new Map<string, string>()
  for (const { properties } of features)
    for (const [key, value] of Object.entries(properties))
      if (value !== null && !fields.has(key)) fields.set(key, kinds[typeof value] ?? 'String')
  return Object.fromEntries([...fields].sort(([one], [other]) => (one < other ? -1 : 1)))
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}
