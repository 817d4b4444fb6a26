/** A PMTiles file of one tile, by hand: as another tool may have written it, with nothing compressed. */
export function smallPack(
  metadata: unknown,
  { west, south, east, north }: { west: number; south: number; east: number; north: number },
): Buffer {
  const tile = Buffer.from('tile')
  // one entry: number of the tile (zoom 0), how often in a row, its length, its place + 1
  const root = Buffer.from([1, 0, 1, tile.length, 1])
  const about = Buffer.from(JSON.stringify(metadata))
  const header = Buffer.alloc(127)
  header.write('PMTiles', 'latin1')
  header[7] = 3
  let at = header.length
  for (const [field, length] of [
    [8, root.length],
    [24, about.length],
    [40, 0],
    [56, tile.length],
  ] as const) {
    header.writeBigUInt64LE(BigInt(at), field)
    header.writeBigUInt64LE(BigInt(length), field + 8)
    at += length
  }
  for (const field of [72, 80, 88]) header.writeBigUInt64LE(1n, field)
  // clustered, directories and tiles as they are, vector tiles, zoom 0 alone
  header.set([1, 1, 1, 1, 0, 0], 96)
  ;[west, south, east, north].forEach((degrees, n) => header.writeInt32LE(Math.round(degrees * 1e7), 102 + 4 * n))
  return Buffer.concat([header, root, about, tile])
}
