import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { countsOf, openTiles, tilesOf } from './read-tiles.test-helper.ts'
import { layerLimitBytes, makePack } from './make-pack.ts'
import { BadLayer } from './read-layer.ts'

const tiny = 'test/map-pack/tiny'
const reference = new URL('../../../../shared/data/basel/', import.meta.url).pathname

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'rheinklang-pack-'))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return made
}
/** A copy of the tiny folder that a test may break. */
function copy(): string {
  const made = join(folder(), 'town')
  cpSync(tiny, made, { recursive: true })
  return made
}

describe('a folder of GeoJSON becomes a pack', () => {
  it('with each layer from its zoom on, each class of street from its own', async () => {
    const out = join(folder(), 'town.pmtiles')
    const made = await makePack(tiny, out)
    const file = readFileSync(out)
    expect(made).toEqual({
      name: 'Tiny town',
      bytes: file.length,
      tiles: 7,
      features: { rhein: 1, strassen: 3, haltestellen: 2 },
      credits: ['River: drawn by hand', '© Street "Mappers" & Co'],
    })
    expect(await countsOf(file)).toEqual({
      11: { tiles: 1, rhein: 1, strassen: 2 },
      12: { tiles: 2, rhein: 2, strassen: 3, haltestellen: 2 },
      13: { tiles: 4, rhein: 3, strassen: 6, haltestellen: 3 },
    })
  })
  it('with the properties of each feature, whatever they are', async () => {
    const out = join(folder(), 'town.pmtiles')
    await makePack(tiny, out)
    const { layers } = (await tilesOf(readFileSync(out))).find(({ z, x, y }) => z === 13 && x === 4268 && y === 2862)!
    expect(layers['strassen']!.map((each) => each.properties)).toEqual([
      { c: 'primary', n: 'Grosse Allee', b: 1 },
      { c: 'residential', n: 'Gässlein', lit: true },
      {},
    ])
    expect(layers['haltestellen']![0]!.properties).toEqual({ t: 'tram', name: 'Brücke', lines: '[6,8]' })
  })
  it('with whom to credit, for our map and for every other viewer', async () => {
    const out = join(folder(), 'town.pmtiles')
    await makePack(tiny, out)
    const metadata = (await openTiles(readFileSync(out)).getMetadata()) as {
      credits: object[]
      attribution: string
      vector_layers: { id: string; minzoom: number; maxzoom: number; fields: object }[]
      sources: object[]
    }
    expect(metadata.credits).toEqual([
      { text: 'River: drawn by hand' },
      { text: '© Street "Mappers" & Co', href: 'https://maps.example/copyright?a=1&b=2' },
    ])
    expect(metadata.attribution).toBe(
      'River: drawn by hand · <a href="https://maps.example/copyright?a=1&#38;b=2">© Street &#34;Mappers&#34; &#38; Co</a>',
    )
    expect(metadata.vector_layers.map((each) => [each.id, each.minzoom, each.maxzoom])).toEqual([
      ['rhein', 11, 13],
      ['strassen', 11, 13],
      ['haltestellen', 12, 13],
    ])
    expect(metadata.vector_layers[1]!.fields).toEqual({ b: 'Number', c: 'String', lit: 'Boolean', n: 'String' })
    expect(metadata.sources[1]).toEqual({
      layer: 'strassen',
      licence: 'ODbL 1.0',
      credit: '© Street "Mappers" & Co',
      source: 'drawn for a test',
      date: '2026-08',
    })
  })
  it('of the same bytes every time and on every machine', async () => {
    const out = join(folder(), 'town.pmtiles')
    await makePack(tiny, out)
    const hash = createHash('sha256').update(readFileSync(out)).digest('hex')
    // changes only with the libraries or on purpose
    expect(hash).toBe('5f73b538bc73f708a2f2c8d4ea98d66e0c40b9298b0123cbbf1fe9806f0cd221')
  })
  it('that replaces an older one, without leaving other files', async () => {
    const place = folder()
    const out = join(place, 'town.pmtiles')
    writeFileSync(out, 'old')
    await makePack(tiny, out, join(tiny, 'manifest.json'))
    expect((await openTiles(readFileSync(out)).getHeader()).numAddressedTiles).toBe(7)
    expect(readdirSync(place)).toEqual(['town.pmtiles'])
  })
  it('from files with a byte order mark', async () => {
    const town = copy()
    for (const name of ['manifest.json', 'strassen.geojson'])
      writeFileSync(join(town, name), `\uFEFF${readFileSync(join(town, name), 'utf8')}`)
    await expect(makePack(town, join(folder(), 'town.pmtiles'))).resolves.toMatchObject({ tiles: 7 })
  })
})

const collection = (...features: unknown[]) => ({ type: 'FeatureCollection', features })
const feature = (geometry: unknown) => ({ type: 'Feature', properties: {}, geometry })
const line = (...coordinates: unknown[]) => feature({ type: 'LineString', coordinates })
const ring = (...coordinates: unknown[]) => feature({ type: 'Polygon', coordinates: [coordinates] })

describe('a fault of the folder is reported in a sentence, and nothing is written', () => {
  async function refused(town: string, change?: { manifest?: string }) {
    const place = folder()
    const out = join(place, 'town.pmtiles')
    writeFileSync(out, 'old')
    const error = await makePack(town, out, change?.manifest).then(
      () => null,
      (thrown: Error) => thrown,
    )
    expect(error).toBeInstanceOf(BadLayer)
    expect([readFileSync(out, 'utf8'), readdirSync(place)]).toEqual(['old', ['town.pmtiles']])
    return error!.message
  }
  const strassen = (content: unknown) => {
    const town = copy()
    writeFileSync(join(town, 'strassen.geojson'), typeof content === 'string' ? content : JSON.stringify(content))
    return refused(town)
  }

  it.each([
    ['no JSON', '{"type": ', /^strassen\.geojson is no valid JSON: /],
    ['nothing', '', /^strassen\.geojson is no valid JSON: /],
    ['TopoJSON', { type: 'Topology', objects: {} }, 'strassen.geojson is no GeoJSON FeatureCollection.'],
    ['null', 'null', 'strassen.geojson is no GeoJSON FeatureCollection.'],
    ['no features', collection(), 'strassen.geojson has no features.'],
    ['only features without a place', collection(feature(null)), 'strassen.geojson has no features.'],
    ['a feature that is none', collection(null), 'strassen.geojson, feature 1 is no GeoJSON Feature.'],
    ['no geometry', collection({ type: 'Feature', properties: {} }), 'strassen.geojson, feature 1 has no geometry.'],
    [
      'an unknown geometry',
      collection(line([7.57, 47.55], [7.58, 47.56]), feature({ type: 'Circle', coordinates: [7.58, 47.56] })),
      'strassen.geojson, feature 2 has the geometry "Circle"; known are Point, MultiPoint, LineString, MultiLineString, Polygon, MultiPolygon.',
    ],
    [
      'a collection of geometries',
      collection(feature({ type: 'GeometryCollection', geometries: [] })),
      /^strassen\.geojson, feature 1 has the geometry "GeometryCollection"/,
    ],
    [
      'a name of JavaScript as geometry',
      collection(feature({ type: 'toString', coordinates: [] })),
      /geometry "toString"/,
    ],
    [
      'coordinates that are a text',
      collection(line('7.5,47.5', '7.6,47.6')),
      /coordinates that do not fit its geometry/,
    ],
    [
      'numbers as texts',
      collection(line(['7.5', '47.5'], ['7.6', '47.6'])),
      /coordinates that do not fit its geometry/,
    ],
    ['coordinates too deep', collection(line([[7.57, 47.55]], [[7.58, 47.56]])), /coordinates that do not fit/],
    ['coordinates too flat', collection(ring(7.57, 47.55)), /coordinates that do not fit/],
    ['a line of one point', collection(line([7.57, 47.55])), /needs at least 2 positions/],
    ['a ring of three', collection(ring([7.57, 47.55], [7.58, 47.55], [7.57, 47.55])), /needs at least 4 positions/],
    [
      'an open ring',
      collection(ring([7.57, 47.55], [7.58, 47.55], [7.58, 47.56], [7.57, 47.56])),
      'strassen.geojson, feature 1 has a ring that does not end where it begins.',
    ],
    [
      'coordinates out of range',
      collection(line([7.57, 147.55], [7.58, 47.56])),
      'strassen.geojson, feature 1 lies at 7.57, 147.55, which is no longitude and latitude.',
    ],
    [
      'Swiss coordinates',
      collection(line([2611000, 1267000], [2611100, 1267100])),
      /These look like Swiss coordinates/,
    ],
    [
      'swapped coordinates',
      collection(line([47.55, 7.57], [47.56, 7.58]), line([47.55, 7.57], [47.57, 7.6]), line([1, 1], [2, 2])),
      'strassen.geojson has its coordinates swapped: 2 of 3 features lie within the bounds only with latitude first. GeoJSON wants longitude first.',
    ],
    [
      'another place',
      collection(line([8.54, 47.37], [8.55, 47.38])),
      'strassen.geojson has nothing within the bounds 7.56, 47.54, 7.62, 47.58.',
    ],
  ])('%s', async (_, content, sentence) => {
    const message = await strassen(content)
    if (typeof sentence === 'string') expect(message).toBe(sentence)
    else expect(message).toMatch(sentence)
  })

  it('no folder, a file in its place, or no manifest', async () => {
    expect(await refused('/nowhere/at/all')).toBe('There is no folder /nowhere/at/all.')
    expect(await refused(join(tiny, 'manifest.json'))).toMatch(/^There is no folder /)
    const town = copy()
    rmSync(join(town, 'manifest.json'))
    expect(await refused(town)).toMatch(/^There is no .*manifest\.json\. It says which files become layers/)
    expect(await refused(tiny, { manifest: join(tiny, 'other.json') })).toMatch(/^There is no .*other\.json/)
  })
  it('a layer that is missing, a folder, not UTF-8, or huge', async () => {
    const town = copy()
    const file = join(town, 'strassen.geojson')
    rmSync(file)
    expect(await refused(town)).toBe(`There is no file ${file}.`)
    mkdirSync(file)
    expect(await refused(town)).toBe(`There is no file ${file}.`)
    rmSync(file, { recursive: true })
    writeFileSync(file, Buffer.from([0x7b, 0xff, 0xfe, 0x7d]))
    expect(await refused(town)).toBe(`${file} is not written in UTF-8.`)
    // a sparse file takes no space
    truncateSync(file, layerLimitBytes + 1)
    expect(await refused(town)).toBe(`${file} has 64 MB; 64 MB is the limit.`)
  })
  it.each([
    ['no JSON', 'x', /^manifest\.json is no valid JSON: /],
    ['a misspelled key', { minZoom: 3 }, /Unrecognized key: "minZoom"/],
    ['no layers', { layers: [] }, /layers: /],
    ['bounds the wrong way round', { bounds: [7.7, 47.6, 7.4, 47.4] }, /bounds: must be west, south, east, north/],
    ['bounds off the earth', { bounds: [7, 47, 8, 200] }, /bounds\.3: /],
    ['zooms the wrong way round', { minzoom: 14, maxzoom: 9 }, /minzoom: must not be above maxzoom/],
    ['a zoom too deep', { maxzoom: 20 }, /maxzoom: /],
    [
      'too large a region',
      { bounds: [5, 45, 11, 48], maxzoom: 14 },
      /^The bounds have \d+ tiles up to zoom 14, and 60000 is the limit/,
    ],
  ])('a manifest with %s', async (_, change, sentence) => {
    const town = copy()
    const file = join(town, 'manifest.json')
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as object
    writeFileSync(file, typeof change === 'string' ? change : JSON.stringify({ ...manifest, ...change }))
    expect(await refused(town)).toMatch(sentence)
  })
  it('a layer of the manifest without licence, credit or source, with a bad link, or named twice', async () => {
    const town = copy()
    const file = join(town, 'manifest.json')
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as { layers: Record<string, unknown>[] }
    const withLayer = async (layer: object) => {
      writeFileSync(
        file,
        JSON.stringify({ ...manifest, layers: [{ ...manifest.layers[0], ...layer }, manifest.layers[1]] }),
      )
      return refused(town)
    }
    expect(await withLayer({ licence: '', credit: undefined, source: ' ' })).toMatch(
      /layers\.0\.licence: .*\n\s+layers\.0\.credit: .*\n\s+layers\.0\.source: /,
    )
    expect(await withLayer({ href: 'javascript:alert(1)' })).toMatch(/layers\.0\.href: must be an address/)
    expect(await withLayer({ id: 'strassen' })).toMatch(/layers: must have a name of its own each/)
    expect(await withLayer({ id: 'a b' })).toMatch(/layers\.0\.id: must be letters/)
  })
  it('a place that cannot be written to', async () => {
    await expect(makePack(tiny, join(folder(), 'no', 'such', 'place.pmtiles'))).rejects.toThrow(
      /^There is no folder .* to write to\.$/,
    )
    await expect(makePack(tiny, folder())).rejects.toThrow(/is a folder; name the file to write\.$/)
  })
})

describe('the command', () => {
  const run = (args: string[], cwd = process.cwd()) =>
    new Promise<{ code: number; out: string; error: string }>((resolve) =>
      execFile(
        process.execPath,
        [join(process.cwd(), 'lab/map/pack/main.ts'), ...args],
        { cwd, env: { ...process.env, INIT_CWD: cwd } },
        (error, out, err) => resolve({ code: error ? Number(error.code) : 0, out, error: err }),
      ),
    )
  it('prints what it has made', async () => {
    const place = folder()
    symlinkSync(join(process.cwd(), tiny), join(place, 'town'))
    const { code, out, error } = await run(['town', 'town.pmtiles'], place)
    expect([code, error]).toEqual([0, ''])
    expect(out).toMatch(/^strassen\s+3 features$/m)
    expect(out).toMatch(/^Credits: River: drawn by hand · © Street "Mappers" & Co$/m)
    expect(out).toMatch(/^town\.pmtiles: Tiny town, 7 tiles, 2 kB$/m)
    expect(readFileSync(join(place, 'town.pmtiles'))).toEqual(readFileSync('test/map-pack/town.pmtiles'))
  })
  it('prints what is wrong, without a stack, and ends with 1', async () => {
    const place = folder()
    expect(await run(['nowhere', 'x.pmtiles'], place)).toEqual({
      code: 1,
      out: '',
      error: `There is no folder ${join(place, 'nowhere')}.\nNothing was written.\n`,
    })
    for (const args of [[], ['one'], ['one', 'two', 'three'], ['--what', 'one', 'two']]) {
      const { code, error } = await run(args, place)
      expect(code).toBe(1)
      expect(error).toContain('npm run map:pack -- FOLDER OUT')
      expect(error).not.toMatch(/^\s+at /m)
    }
    expect(await run(['--help'], place)).toMatchObject({ code: 0, error: '' })
    expect(readdirSync(place)).toEqual([])
  })
})

describe.skipIf(!existsSync(reference))('the real geodata of shared/data/basel', () => {
  it('gives the layers and, zoom by zoom, the features of the pack that lies beside it, in at most 450 kB', async () => {
    const out = join(folder(), 'basel.pmtiles')
    await makePack(reference, out, 'lab/map/pack/basel.manifest.json')
    const file = readFileSync(out)
    const [ours, theirs] = [await countsOf(file), await countsOf(readFileSync(join(reference, 'basel.pmtiles')))]
    console.log(`${table(theirs, ours)}\n${Math.ceil(file.length / 1000)} kB (reference 391 kB)`)
    expect(Object.keys(ours)).toEqual(['9', '10', '11', '12', '13', '14'])
    expect(ours).toEqual(theirs)
    expect(file.length).toBeLessThanOrEqual(450_000)

    const read = async (bytes: Uint8Array) => (await tilesOf(bytes)).map(({ z, x, y, layers }) => ({ z, x, y, layers }))
    const inAnyOrder = (tiles: Awaited<ReturnType<typeof read>>) =>
      tiles.map((tile) => ({
        ...tile,
        layers: Object.fromEntries(
          Object.entries(tile.layers).map(([name, features]) => [
            name,
            features.map((each) => JSON.stringify(each.properties)).toSorted(),
          ]),
        ),
      }))
    expect(inAnyOrder(await read(file))).toEqual(inAnyOrder(await read(readFileSync(join(reference, 'basel.pmtiles')))))
  })
})

/** Numbers of features as `reference/ours` by layer and zoom, for the test's output. */
function table(theirs: Record<number, Record<string, number>>, ours: Record<number, Record<string, number>>): string {
  const names = [...new Set([...Object.values(theirs), ...Object.values(ours)].flatMap((each) => Object.keys(each)))]
  const zooms = Object.keys(theirs).map(Number)
  const row = (cells: string[]) => cells.map((cell, n) => (n === 0 ? cell.padEnd(18) : cell.padStart(11))).join('')
  return [
    row(['reference/ours', ...zooms.map((z) => `z${z}`)]),
    ...names.map((name) => row([name, ...zooms.map((z) => `${theirs[z]?.[name] ?? 0}/${ours[z]?.[name] ?? 0}`)])),
  ].join('\n')
}
