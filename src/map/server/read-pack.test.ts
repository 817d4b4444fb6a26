import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { BadPack, readPack } from './read-pack.ts'

const good = readFileSync('test/map-pack/town.pmtiles')
const changed = (change: (bytes: Buffer) => void) => {
  const bytes = Buffer.from(good)
  change(bytes)
  return bytes
}
const metadataAt = Number(good.readBigUInt64LE(24))

it('a good pack has bounds and credits', async () => {
  const { bounds, metadata } = await readPack(good)
  expect(bounds).toEqual({ west: 7.56, south: 47.54, east: 7.62, north: 47.58 })
  expect(metadata).toMatchObject({ name: 'Tiny town', credits: [{ text: 'River: drawn by hand' }, {}] })
})

describe('a file that is no good pack', () => {
  it.each([
    ['empty', new Uint8Array(), 'is empty'],
    ['of another kind', Buffer.from('<!doctype html>'), 'is no PMTiles file'],
    ['random', Uint8Array.from({ length: 4000 }, (_, n) => (n * 7919) % 251), 'is no PMTiles file'],
    ['its first letters', Buffer.from('PMTiles'), 'is no PMTiles file'],
    ['of version 2', changed((bytes) => (bytes[7] = 2)), 'version 3'],
    ['cut within its header', good.subarray(0, 100), 'is no PMTiles file'],
    ['cut within its directory', good.subarray(0, 140), 'is no PMTiles file'],
    ['cut by one byte', good.subarray(0, -1), 'is cut off: its tiles'],
    ['of pictures', changed((bytes) => (bytes[99] = 2)), 'holds no vector tiles'],
    ['in brotli', changed((bytes) => (bytes[97] = 3)), 'is no PMTiles file'],
    ['with tiles in zstd', changed((bytes) => (bytes[98] = 4)), 'cannot read; it must be gzip or none'],
    ['with a broken directory', changed((bytes) => bytes.fill(0, 130, 150)), 'is no PMTiles file'],
    ['with broken metadata', changed((bytes) => bytes.fill(7, metadataAt + 12, metadataAt + 20)), 'metadata'],
    ['with zooms the wrong way round', changed((bytes) => bytes.set([9, 3], 100)), 'its zooms'],
  ])('%s is recognised', async (_, file, sentence) => {
    const reading = readPack(file)
    await expect(reading).rejects.toThrow(BadPack)
    await expect(reading).rejects.toThrow(sentence)
  })

  it('damaged anywhere before its tiles is read or refused, never a crash', async () => {
    for (let at = 0; at < metadataAt + 30; at++)
      for (const value of [0, 1, 127, 255]) {
        const reading = readPack(changed((bytes) => (bytes[at] = value))).catch((error: unknown) => error)
        const result = await reading
        if (result instanceof Error) expect(result, `${at} ${value}`).toBeInstanceOf(BadPack)
      }
  })
})
