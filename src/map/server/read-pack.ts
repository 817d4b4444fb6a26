import { Compression, PMTiles, TileType, type Header } from 'pmtiles'
import type { Bounds } from '../../kit/shared/geo.ts'

/** Phones load the whole file, so bigger ones are neither made nor served. */
export const packLimitBytes = 16 * 1024 * 1024

/** Why a file is no pack. The message is the end of a sentence that begins with the file name. */
export class BadPack extends Error {}

/**
 * Bounds (all 0 if the file has none) and metadata of a PMTiles file with vector tiles. Checks that all sections are inside the file
 * and compressed in a way that browsers can read; tiles are not checked.
 * @throws BadPack
 */
export async function readPack(file: Uint8Array): Promise<{ bounds: Bounds; metadata: unknown }> {
  if (file.length === 0) throw new BadPack('is empty')
  const pack = openInMemory(file)
  const header = await pack.getHeader().catch(() => {
    throw new BadPack('is no PMTiles file of version 3')
  })
  checkHeader(header, file.length)
  const metadata = await pack.getMetadata().catch(() => {
    throw new BadPack('is damaged: its metadata cannot be read')
  })
  const { minLon: west, minLat: south, maxLon: east, maxLat: north } = header
  return { bounds: { west, south, east, north }, metadata }
}

function openInMemory(file: Uint8Array): PMTiles {
  return new PMTiles({
    getKey: () => 'pack',
    getBytes: async (offset, length) => ({ data: Uint8Array.from(file.subarray(offset, offset + length)).buffer }),
  })
}

function checkHeader(header: Header, bytes: number): void {
  const ends = [
    header.jsonMetadataOffset + header.jsonMetadataLength,
    header.leafDirectoryOffset + (header.leafDirectoryLength ?? 0),
    header.tileDataOffset + (header.tileDataLength ?? 0),
  ]
  if (header.specVersion !== 3) throw new BadPack(`is PMTiles version ${header.specVersion}; it must be version 3`)
  if (Math.max(...ends) > bytes) throw new BadPack('is cut off: its tiles end behind the end of the file')
  if (header.tileType !== TileType.Mvt) throw new BadPack('holds no vector tiles (MVT)')
  if (![Compression.None, Compression.Gzip].includes(header.tileCompression))
    throw new BadPack('is compressed in a way that browsers cannot read; it must be gzip or none')
  if (header.minZoom > header.maxZoom) throw new BadPack('is damaged: its zooms are the wrong way round')
}
