import { VectorTile } from '@mapbox/vector-tile'
import { PbfReader } from 'pbf'
import { PMTiles, type RangeResponse } from 'pmtiles'

/** Opens a pack with the libraries of the browser. */
export function openTiles(file: Uint8Array): PMTiles {
  const bytes = Uint8Array.from(file)
  return new PMTiles({
    getKey: () => 'pack',
    getBytes: async (offset: number, length: number): Promise<RangeResponse> => ({
      data: bytes.slice(offset, offset + length).buffer,
    }),
  })
}

export interface ReadTile {
  z: number
  x: number
  y: number
  layers: Record<string, { properties: Record<string, unknown>; id: number | undefined }[]>
}

/** Every tile of a pack within its bounds. */
export async function tilesOf(file: Uint8Array): Promise<ReadTile[]> {
  const pack = openTiles(file)
  const { minZoom, maxZoom, minLon, minLat, maxLon, maxLat } = await pack.getHeader()
  const tiles: ReadTile[] = []
  for (let z = minZoom; z <= maxZoom; z++) {
    const column = (longitude: number) => Math.floor(((longitude + 180) / 360) * 2 ** z)
    const row = (latitude: number) =>
      Math.floor(((1 - Math.asinh(Math.tan((latitude * Math.PI) / 180)) / Math.PI) / 2) * 2 ** z)
    for (let x = column(minLon); x <= column(maxLon); x++)
      for (let y = row(maxLat); y <= row(minLat); y++) {
        const tile = await pack.getZxy(z, x, y)
        if (tile) tiles.push({ z, x, y, layers: layersOf(new Uint8Array(tile.data)) })
      }
  }
  return tiles
}

function layersOf(data: Uint8Array): ReadTile['layers'] {
  const { layers } = new VectorTile(new PbfReader(data))
  return Object.fromEntries(
    Object.entries(layers).map(([name, layer]) => [
      name,
      Array.from({ length: layer.length }, (_, n) => {
        const { properties, id } = layer.feature(n)
        return { properties: { ...properties }, id }
      }),
    ]),
  )
}

/** Number of features by zoom and layer; a feature in two tiles counts twice. */
export async function countsOf(file: Uint8Array): Promise<Record<number, Record<string, number>>> {
  const counts: Record<number, Record<string, number>> = {}
  for (const { z, layers } of await tilesOf(file)) {
    const ofZoom = (counts[z] ??= { tiles: 0 })
    ofZoom['tiles']!++
    for (const [name, features] of Object.entries(layers)) ofZoom[name] = (ofZoom[name] ?? 0) + features.length
  }
  return counts
}
