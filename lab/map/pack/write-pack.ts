import { createHash } from 'node:crypto'
import { gzipSync } from 'fflate'

/** A tile of a PMTiles file, version 3 (https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md). */
export interface PackTile {
  z: number
  x: number
  y: number
  /** The encoded tile, uncompressed and not empty. */
  data: Uint8Array
}

export interface PackFacts {
  minZoom: number
  maxZoom: number
  /** Degrees. */
  bounds: { west: number; south: number; east: number; north: number }
  metadata: unknown
}

const headerBytes = 127
/** Limit of header and root directory together, so that one read gets both. */
const rootLimitBytes = 16_384
const gzip = 2
const mvt = 1

/** Number of a tile: the number of tiles in all lower zooms, plus its place on the Hilbert curve of its zoom. */
export function tileId(z: number, x: number, y: number): number {
  let id = (4 ** z - 1) / 3
  for (let side = 2 ** (z - 1); side >= 1; side /= 2) {
    const right = x >= side ? 1 : 0
    const down = y >= side ? 1 : 0
    id += side * side * ((3 * right) ^ down)
    // in each quarter the curve is turned so that its ends meet those of its neighbours
    if (right) x -= side
    if (down) y -= side
    if (!down) {
      if (right) [x, y] = [side - 1 - x, side - 1 - y]
      ;[x, y] = [y, x]
    }
  }
  return id
}

interface Entry {
  tileId: number
  /** Bytes from the beginning of the tiles or, with `run` 0, of the leaf directories. */
  offset: number
  length: number
  /** Number of consecutive tiles with this content; 0: a leaf directory. */
  run: number
}

/** The bytes of a PMTiles file. The same tiles give the same bytes on every machine. */
export function writePack(tiles: PackTile[], about: PackFacts): Uint8Array {
  const ordered = tiles
    .map(({ z, x, y, data }) => ({ id: tileId(z, x, y), data }))
    .sort((one, other) => one.id - other.id)
  const entries: Entry[] = []
  const contents: Uint8Array[] = []
  const known = new Map<string, { offset: number; length: number }>()
  let tileBytes = 0
  for (const { id, data } of ordered) {
    const hash = createHash('sha256').update(data).digest('base64')
    let place = known.get(hash)
    if (!place) {
      const packed = compress(data)
      place = { offset: tileBytes, length: packed.length }
      known.set(hash, place)
      contents.push(packed)
      tileBytes += packed.length
    }
    const last = entries.at(-1)
    if (last && last.offset === place.offset && last.tileId + last.run === id) last.run++
    else entries.push({ tileId: id, ...place, run: 1 })
  }
  const { root, leaves } = directories(entries)
  const metadata = compress(new TextEncoder().encode(JSON.stringify(about.metadata)))
  const header = Buffer.alloc(headerBytes)
  header.write('PMTiles', 'latin1')
  header[7] = 3
  let at = headerBytes
  for (const [field, length] of [
    [8, root.length],
    [24, metadata.length],
    [40, leaves.length],
    [56, tileBytes],
  ] as const) {
    header.writeBigUInt64LE(BigInt(at), field)
    header.writeBigUInt64LE(BigInt(length), field + 8)
    at += length
  }
  header.writeBigUInt64LE(BigInt(ordered.length), 72)
  header.writeBigUInt64LE(BigInt(entries.length), 80)
  header.writeBigUInt64LE(BigInt(contents.length), 88)
  const { west, south, east, north } = about.bounds
  header.set([1, gzip, gzip, mvt, about.minZoom, about.maxZoom], 96)
  ;[west, south, east, north].forEach((degrees, n) => header.writeInt32LE(Math.round(degrees * 1e7), 102 + 4 * n))
  header[118] = Math.min(Math.max(13, about.minZoom), about.maxZoom)
  header.writeInt32LE(Math.round(((west + east) / 2) * 1e7), 119)
  header.writeInt32LE(Math.round(((south + north) / 2) * 1e7), 123)
  return Buffer.concat([header, root, metadata, leaves, ...contents])
}

/** Without a time and by the same library everywhere, so that the bytes depend only on the content. */
function compress(data: Uint8Array): Uint8Array {
  return gzipSync(data, { level: 9, mtime: 0 })
}

/** One directory, or a root with leaves where one directory would be too long for the first read. */
function directories(entries: Entry[]): { root: Uint8Array; leaves: Uint8Array } {
  const whole = compress(encodeDirectory(entries))
  if (headerBytes + whole.length < rootLimitBytes) return { root: whole, leaves: new Uint8Array() }
  for (let size = 4096; ; size *= 2) {
    const roots: Entry[] = []
    const leaves: Uint8Array[] = []
    let bytes = 0
    for (let from = 0; from < entries.length; from += size) {
      const leaf = compress(encodeDirectory(entries.slice(from, from + size)))
      roots.push({ tileId: entries[from]!.tileId, offset: bytes, length: leaf.length, run: 0 })
      leaves.push(leaf)
      bytes += leaf.length
    }
    const root = compress(encodeDirectory(roots))
    if (headerBytes + root.length < rootLimitBytes) return { root, leaves: Buffer.concat(leaves) }
  }
}

function encodeDirectory(entries: Entry[]): Uint8Array {
  const bytes: number[] = []
  const varint = (value: number) => {
    for (; value >= 128; value = Math.floor(value / 128)) bytes.push((value % 128) + 128)
    bytes.push(value)
  }
  varint(entries.length)
  entries.forEach(({ tileId }, n) => varint(tileId - (entries[n - 1]?.tileId ?? 0)))
  for (const { run } of entries) varint(run)
  for (const { length } of entries) varint(length)
  entries.forEach(({ offset }, n) => {
    const before = entries[n - 1]
    varint(before && offset === before.offset + before.length ? 0 : offset + 1)
  })
  return Uint8Array.from(bytes)
}
