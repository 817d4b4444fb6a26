import { createHash } from 'node:crypto'
import { TileType, zxyToTileId } from 'pmtiles'
import { describe, expect, it } from 'vitest'
import { openTiles } from './read-tiles.test-helper.ts'
import { tileId, writePack, type PackTile } from './write-pack.ts'

const bounds = { west: 7.44, south: 47.46, east: 7.73, north: 47.64 }
const about = { minZoom: 0, maxZoom: 9, bounds, metadata: { name: 'Test' } }
const text = (value: string) => new TextEncoder().encode(value)
/** All tiles of a zoom, with different data. */
const wholeZoom = (z: number): PackTile[] =>
  Array.from({ length: 4 ** z }, (_, n) => ({
    z,
    x: n % 2 ** z,
    y: Math.floor(n / 2 ** z),
    data: text(`tile ${z} ${n}`),
  }))

describe('the number of a tile', () => {
  it('equals that of the PMTiles library at every zoom', () => {
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

describe('a pack, read by the PMTiles library', () => {
  it('has each tile at its place, and no others', async () => {
    const tiles = [0, 2, 4].flatMap(wholeZoom)
    const pack = openTiles(writePack(tiles, about))
    for (const { z, x, y, data } of tiles) expect(new Uint8Array((await pack.getZxy(z, x, y))!.data)).toEqual(data)
    expect(await pack.getZxy(3, 0, 0)).toBeUndefined()
    expect(await pack.getMetadata()).toEqual({ name: 'Test' })
  })
  it('describes its content in the header', async () => {
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
  it('stores equal tiles once, and a run of them as one entry', async () => {
    const sea = text('sea')
    const tiles = wholeZoom(4).map((tile) => (tile.x === 5 ? tile : { ...tile, data: sea }))
    const file = writePack(tiles, about)
    const pack = openTiles(file)
    const header = await pack.getHeader()
    expect(header).toMatchObject({ numAddressedTiles: 256, numTileContents: 17 })
    expect(header.numTileEntries).toBeLessThan(256)
    for (const { z, x, y, data } of tiles) expect(new Uint8Array((await pack.getZxy(z, x, y))!.data)).toEqual(data)
  })
  it('has leaf directories where one directory would not fit into the first read', async () => {
    // irregular places and lengths make the directory long
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
    expect(header.numAddressedTiles).toBe(tiles.length)
  })
  it('has the same bytes for any order of the given tiles', () => {
    const tiles = wholeZoom(3)
    expect(writePack(tiles.toReversed(), about)).toEqual(writePack(tiles, about))
  })
})
