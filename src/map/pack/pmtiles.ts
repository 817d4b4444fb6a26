import { createHash } from 'node:crypto'
import { gunzipSync as gunzip } from 'node:zlib'
import { gzipSync } from 'fflate'

/**
 * One file of vector tiles: PMTiles version 3, as its specification says
 * (https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md). Written for tiles in one go; read only as far as a
 * server must, to tell a good file from a bad one: browsers read the tiles.
 */
export interface PackTile {
  z: number
  x: number
  y: number
  /** The encoded tile, not compressed; not empty. */
  data: Uint8Array
}

export interface PackHeader {
  minZoom: number
  maxZoom: number
  /** Degrees. All 0 where the writer did not say. */
  bounds: { west: number; south: number; east: number; north: number }
  tiles: number
}

/** A bigger file is nothing that a phone should load whole; neither written nor served. */
export const packLimitBytes = 16 * 1024 * 1024

/** What is wrong with a file that should be a pack, as the end of a sentence that begins with its name. */
export class BadPack extends Error {}

const headerBytes = 127
/** Header and root directory together, so that one first read has both. */
const rootLimitBytes = 16_384
const gzip = 2
const none = 1
const mvt = 1
/** Far more than directories or metadata of a file within the limit unpack to. */
const unpackedLimitBytes = 64 * 1024 * 1024

/** Position of a tile: all of the zooms above it, then its place on the Hilbert curve over its zoom. */
export function tileId(z: number, x: number, y: number): number {
  let id = (4 ** z - 1) / 3
  for (let side = 2 ** (z - 1); side >= 1; side /= 2) {
    const right = x >= side ? 1 : 0
    const down = y >= side ? 1 : 0
    id += side * side * ((3 * right) ^ down)
    // each quarter holds the curve turned so that its ends meet those of its neighbours
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
  /** Bytes, from the beginning of the tiles or, with `run` 0, of the leaf directories. */
  offset: number
  length: number
  /** How many tiles in a row are this one; 0: a leaf directory. */
  run: number
}

/** The file as bytes: the same tiles give the same bytes on every machine. */
export function writePack(
  tiles: PackTile[],
  about: { minZoom: number; maxZoom: number; bounds: PackHeader['bounds']; metadata: unknown },
): Uint8Array {
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

/** Without time and by one implementation, so that the bytes depend on the content alone. */
function compress(data: Uint8Array): Uint8Array {
  return gzipSync(data, { level: 9, mtime: 0 })
}

/** One directory, or a root over leaves where one would be too long to be read at once. */
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

/**
 * Header and metadata of a pack, after a look at everything that a browser would stumble over: each section inside the
 * file, each directory readable, each tile inside its section.
 * @throws BadPack
 */
export function readPack(file: Uint8Array): { header: PackHeader; metadata: unknown } {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  if (bytes.length === 0) throw new BadPack('is empty')
  if (bytes.toString('latin1', 0, 7) !== 'PMTiles') throw new BadPack('is no PMTiles file')
  if (bytes[7] !== 3) throw new BadPack(`is PMTiles version ${bytes[7] ?? '?'}; it must be version 3`)
  if (bytes.length < headerBytes) throw new BadPack('is cut off: its header is not complete')
  const section = (field: number, name: string) => {
    const from = Number(bytes.readBigUInt64LE(field))
    const length = Number(bytes.readBigUInt64LE(field + 8))
    if (from + length > bytes.length) throw new BadPack(`is cut off: its ${name} end behind the end of the file`)
    return bytes.subarray(from, from + length)
  }
  if (bytes[99] !== mvt) throw new BadPack('holds no vector tiles (MVT)')
  const packing = bytes[97]!
  if (![none, gzip].includes(packing) || ![none, gzip].includes(bytes[98]!))
    throw new BadPack('is compressed in a way that browsers cannot read; it must be gzip or none')
  if (bytes[100]! > bytes[101]!) throw new BadPack('is damaged: its zooms are the wrong way round')
  const root = section(8, 'directories')
  const metadata = section(24, 'metadata')
  const leaves = section(40, 'leaf directories')
  const tiles = section(56, 'tiles')
  const count = checkedTiles(root, { leaves, tileBytes: tiles.length, packing, depth: 0 })
  const degrees = (field: number) => bytes.readInt32LE(field) / 1e7
  return {
    header: {
      minZoom: bytes[100]!,
      maxZoom: bytes[101]!,
      bounds: { west: degrees(102), south: degrees(106), east: degrees(110), north: degrees(114) },
      tiles: count,
    },
    metadata: metadata.length === 0 ? {} : readMetadata(metadata, packing),
  }
}

function readMetadata(packed: Uint8Array, packing: number): unknown {
  try {
    return JSON.parse(unpack(packed, packing).toString('utf8'))
  } catch {
    throw new BadPack('is damaged: its metadata cannot be read')
  }
}

interface Checking {
  leaves: Uint8Array
  tileBytes: number
  packing: number
  depth: number
}

/** How many tiles a directory leads to, those of its leaves included. */
function checkedTiles(packed: Uint8Array, checking: Checking): number {
  // readers go three directories deep
  if (checking.depth > 3) throw new BadPack('is damaged: its directories are too deep')
  let count = 0
  for (const { offset, length, run } of readDirectory(packed, checking.packing)) {
    const space = run === 0 ? checking.leaves.length : checking.tileBytes
    if (length === 0 || offset + length > space) throw new BadPack('is damaged: its directory points outside of it')
    if (run > 0) count += run
    else
      count += checkedTiles(checking.leaves.subarray(offset, offset + length), {
        ...checking,
        depth: checking.depth + 1,
      })
  }
  return count
}

function readDirectory(packed: Uint8Array, packing: number): Entry[] {
  let bytes: Uint8Array
  try {
    bytes = unpack(packed, packing)
  } catch {
    throw new BadPack('is damaged: a directory cannot be unpacked')
  }
  let at = 0
  const varint = () => {
    let value = 0
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[at++]
      if (byte === undefined || scale > 2 ** 49) throw new BadPack('is damaged: a directory cannot be read')
      value += (byte & 127) * scale
      if (byte < 128) return value
    }
  }
  const length = varint()
  // four numbers each, of a byte at least
  if (length === 0 || length * 4 > bytes.length) throw new BadPack('is damaged: a directory cannot be read')
  const entries = Array.from({ length }, (): Entry => ({ tileId: 0, offset: 0, length: 0, run: 0 }))
  let id = 0
  for (const entry of entries) entry.tileId = id += varint()
  for (const entry of entries) entry.run = varint()
  for (const entry of entries) entry.length = varint()
  entries.forEach((entry, n) => {
    const stored = varint()
    const before = entries[n - 1]
    if (stored === 0 && !before) throw new BadPack('is damaged: a directory cannot be read')
    entry.offset = stored === 0 ? before!.offset + before!.length : stored - 1
  })
  return entries
}

function unpack(packed: Uint8Array, packing: number): Buffer {
  return packing === gzip ? gunzip(packed, { maxOutputLength: unpackedLimitBytes }) : Buffer.from(packed)
}
