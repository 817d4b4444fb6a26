import { createHash } from 'node:crypto'
import { TileType, zxyToTileId } from 'pmtiles'
import { describe, expect, it } from 'vitest'
import { openTiles } from '../../../test/map-pack/read-tiles.ts'
import { BadPack, readPack, tileId, writePack, type PackTile } from './pmtiles.ts'

const bounds = { west: 7.44, south: 47.46, east: 7.73, north: 47.64 }
const about = { minZoom: 0, maxZoom: 9, bounds, metadata: { name: 'Test' } }
const text = (value: string) => new TextEncoder().encode(value)
/** Every tile of a zoom, with data of its own. */
const wholeZoom = (z: number): PackTile[] =>
  Array.from({ length: 4 ** z }, (_, n) => ({
    z,
    x: n % 2 ** z,
    y: Math.floor(n / 2 ** z),
    data: text(`tile ${z} ${n}`),
  }))

describe('the number of a tile', () => {
  it('is that of the Hilbert curves, at every zoom', () => {
    for (const { z, x, y } of [0, 1, 2, 3, 4, 5].flatMap(wholeZoom)) expect(tileId(z, x, y)).toBe(zxyToTileId(z, x, y))
    for (const [z, x, y] of [
      [9, 266, 178],
      [14, 8531, 5729],
      [16, 65535, 0],
      [16, 34121, 22913],
    ] as const)
      expect(tileId(z, x, y)).toBe(zxyToTileId(z, x, y))
  })
})

describe('a pack, read by the library of browsers', () => {
  it('has each tile where it belongs, and none elsewhere', async () => {
    const tiles = [0, 2, 4].flatMap(wholeZoom)
    const pack = openTiles(writePack(tiles, about))
    for (const { z, x, y, data } of tiles) expect(new Uint8Array((await pack.getZxy(z, x, y))!.data)).toEqual(data)
    expect(await pack.getZxy(3, 0, 0)).toBeUndefined()
    expect(await pack.getMetadata()).toEqual({ name: 'Test' })
  })
  it('says in its header what it holds', async () => {
    const header = await openTiles(writePack(wholeZoom(3), about)).getHeader()
    expect(header).toMatchObject({
      specVersion: 3,
      numAddressedTiles: 64,
      numTileEntries: 64,
      numTileContents: 64,
      clustered: true,
      tileType: TileType.Mvt,
      minZoom: 0,
      maxZoom: 9,
      minLon: 7.44,
      minLat: 47.46,
      maxLon: 7.73,
      maxLat: 47.64,
      centerZoom: 9,
    })
    expect(header.centerLon).toBeCloseTo(7.585)
    expect(header.centerLat).toBeCloseTo(47.55)
  })
  it('keeps equal tiles once, and rows of them as one entry', async () => {
    const sea = text('sea')
    const tiles = wholeZoom(4).map((tile) => (tile.x === 5 ? tile : { ...tile, data: sea }))
    const file = writePack(tiles, about)
    const pack = openTiles(file)
    const header = await pack.getHeader()
    expect(header).toMatchObject({ numAddressedTiles: 256, numTileContents: 17 })
    expect(header.numTileEntries).toBeLessThan(256)
    for (const { z, x, y, data } of tiles) expect(new Uint8Array((await pack.getZxy(z, x, y))!.data)).toEqual(data)
    expect(readPack(file).header.tiles).toBe(256)
  })
  it('has leaf directories where one directory would be too long for a first read', async () => {
    // places and lengths without a pattern make the directory long
    const tiles = Array.from({ length: 6000 }, (_, n): PackTile => {
      const noise = createHash('sha512').update(String(n)).digest()
      return { z: 12, x: noise.readUInt16LE(0) % 4096, y: n % 4096, data: noise.subarray(0, 4 + (noise[2]! % 60)) }
    }).filter(({ x, y }, n, all) => all.findIndex((each) => each.x === x && each.y === y) === n)
    const about = { minZoom: 12, maxZoom: 12, bounds, metadata: {} }
    const file = writePack(tiles, about)
    const pack = openTiles(file)
    const header = await pack.getHeader()
    expect(header.leafDirectoryLength).toBeGreaterThan(0)
    expect(127 + header.rootDirectoryLength).toBeLessThan(16_384)
    for (const { z, x, y, data } of tiles.filter((_, n) => n % 101 === 0))
      expect(Buffer.from((await pack.getZxy(z, x, y))!.data)).toEqual(data)
    expect(readPack(file).header.tiles).toBe(tiles.length)
  })
  it('has the same bytes whatever the order in which its tiles came', () => {
    const tiles = wholeZoom(3)
    expect(writePack(tiles.toReversed(), about)).toEqual(writePack(tiles, about))
  })
})

describe('a file that is no good pack', () => {
  const good = writePack(wholeZoom(3), about)
  const changed = (change: (bytes: Buffer) => void) => {
    const bytes = Buffer.from(good)
    change(bytes)
    return bytes
  }
  const rootLength = Buffer.from(good).readUInt32LE(16)
  it.each([
    ['empty', new Uint8Array(), 'is empty'],
    ['of another kind', text('<!doctype html>'), 'is no PMTiles file'],
    ['random', Uint8Array.from({ length: 4000 }, (_, n) => (n * 7919) % 251), 'is no PMTiles file'],
    ['its first letters', text('PMTiles'), 'is PMTiles version ?'],
    ['of version 2', changed((bytes) => (bytes[7] = 2)), 'is PMTiles version 2; it must be version 3'],
    ['cut within its header', good.subarray(0, 100), 'is cut off: its header'],
    ['cut within its directory', good.subarray(0, 140), 'is cut off: its directories'],
    ['cut by one byte', good.subarray(0, -1), 'is cut off: its tiles'],
    ['with an offset beyond all', changed((bytes) => bytes.fill(255, 56, 64)), 'is cut off: its tiles'],
    ['of pictures', changed((bytes) => (bytes[99] = 2)), 'holds no vector tiles'],
    ['in brotli', changed((bytes) => (bytes[97] = 3)), 'cannot read; it must be gzip or none'],
    ['with tiles in zstd', changed((bytes) => (bytes[98] = 4)), 'cannot read; it must be gzip or none'],
    ['with a broken directory', changed((bytes) => bytes.fill(0, 130, 150)), 'a directory cannot be unpacked'],
    ['said not to be packed', changed((bytes) => (bytes[97] = 1)), 'is damaged'],
    [
      'with broken metadata',
      changed((bytes) => bytes.fill(7, 127 + rootLength + 12, 127 + rootLength + 20)),
      'metadata',
    ],
    ['with fewer tiles than it lists', changed((bytes) => bytes.writeBigUInt64LE(10n, 64)), 'points outside of it'],
    ['with zooms the wrong way round', changed((bytes) => bytes.set([9, 3], 100)), 'its zooms'],
  ])('%s is told apart', (_, file, sentence) => {
    expect(() => readPack(file)).toThrow(BadPack)
    expect(() => readPack(file)).toThrow(sentence)
  })
  it('damaged anywhere in its directories, is refused as a pack and never crashes', () => {
    const end = 127 + rootLength + 30
    for (let at = 0; at < end; at++)
      for (const value of [0, 1, 127, 255]) {
        try {
          readPack(changed((bytes) => (bytes[at] = value)))
        } catch (error) {
          expect(error, `${at} ${value}`).toBeInstanceOf(BadPack)
        }
      }
  })
})
