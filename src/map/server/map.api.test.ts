import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { smallPack } from '../../../test/map-pack/small-pack.ts'
import { api, appForTest, startTestApp, type TestApp } from '../../../test/start-app.ts'
import { drawingCredits } from './map.ts'

const place = mkdtempSync(join(tmpdir(), 'rheinklang-map-'))
// made of test/map-pack/tiny by the lab's map:pack
const packFile = resolve('test/map-pack/town.pmtiles')
const pack = readFileSync(packFile)
afterAll(() => rmSync(place, { recursive: true, force: true }))

/** A file beside the pack. */
function file(name: string, content: Uint8Array | string): string {
  writeFileSync(join(place, name), content)
  return join(place, name)
}
const bounds = { west: 7.5, south: 47.5, east: 7.7, north: 47.6 }
const connectSrc = (headers: Headers) => /connect-src ([^;]*)/.exec(headers.get('content-security-policy') ?? '')?.[1]

describe('the map without configuration', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp()
  })
  afterAll(() => app.close())

  it('is the drawing, around the centre of the festival', async () => {
    const { status, headers, body } = await api(app, '/api/map/config')
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('no-cache')
    expect(body).toEqual({
      styleUrl: null,
      hosts: [],
      packUrl: null,
      credits: { online: [], pack: [], drawing: drawingCredits },
      center: { latitude: 47.5596, longitude: 7.5886 },
      zoom: 13,
      bounds: { west: 7.4287, south: 47.4517, east: 7.7485, north: 47.6675 },
    })
  })
  it('adds no origins to what pages may load', async () => {
    const { headers } = await api(app, '/api/map/config')
    expect(connectSrc(headers)).toBe("'self'")
  })
  it('comes with the drawing and its pictures, cached for a day', async () => {
    for (const [name, type] of [
      ['drawing.json', 'application/json'],
      ['outline-paper.svg', 'image/svg+xml'],
      ['outline-river.svg', 'image/svg+xml'],
      ['outline-near-paper.svg', 'image/svg+xml'],
      ['outline-near-river.svg', 'image/svg+xml'],
    ]) {
      const answer = await fetch(`${app.url}/map/${name}`)
      expect([name, answer.status, answer.headers.get('content-type')]).toEqual([name, 200, type])
      expect(answer.headers.get('cache-control')).toBe('public, max-age=86400')
      expect(answer.headers.get('content-encoding')).toBe('gzip')
      expect(await answer.text()).toBe(readFileSync(`public/map/${name}`, 'utf8'))
    }
  })
  it('has no pack', async () => {
    for (const name of ['town.pmtiles', 'undefined.pmtiles', 'null.pmtiles'])
      expect(await api(app, `/map/${name}`)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })
})

describe('another festival', () => {
  it('has its region around its own centre, within valid degrees', async () => {
    const app = await appForTest({ env: { FESTIVAL_LAT: '-84.99', FESTIVAL_LON: '179.99' } })
    const { body } = await api(app, '/api/map/config')
    expect(body.center).toEqual({ latitude: -84.99, longitude: 179.99 })
    expect(body.bounds).toEqual({ west: 178.7543, south: -85, east: 180, north: -84.8821 })
  })
})

describe('a pack of the operator', () => {
  let app: TestApp
  let url = ''
  beforeAll(async () => {
    app = await startTestApp({ env: { MAP_PACK: packFile } })
    url = (await api(app, '/api/map/config')).body.packUrl
  })
  afterAll(() => app.close())
  const get = (headers: Record<string, string> = {}, method = 'GET') =>
    fetch(`${app.url}${url}`, { method, headers: { 'accept-encoding': 'gzip, br', ...headers } })

  it('has its credits and its bounds', async () => {
    const { body } = await api(app, '/api/map/config')
    expect(body.credits).toEqual({
      online: [],
      pack: [
        { text: 'River: drawn by hand' },
        { text: '© Street "Mappers" & Co', href: 'https://maps.example/copyright?a=1&b=2' },
      ],
      drawing: drawingCredits,
    })
    expect(body.bounds).toEqual({ west: 7.56, south: 47.54, east: 7.62, north: 47.58 })
  })
  it('is served unchanged under the hash of its content', async () => {
    const hash = createHash('sha256').update(pack).digest('hex').slice(0, 32)
    expect(url).toBe(`/map/${hash}.pmtiles`)
    const answer = await get()
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/vnd.pmtiles')
    expect(answer.headers.get('content-length')).toBe(String(pack.length))
    expect(answer.headers.get('content-encoding')).toBeNull()
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable, no-transform')
    expect(answer.headers.get('etag')).toBe(`"${hash}"`)
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    const bytes = Buffer.from(await answer.arrayBuffer())
    expect(bytes.equals(pack)).toBe(true)
  })
  it('has the same headers for HEAD as for GET', async () => {
    const [head, whole] = [await get({}, 'HEAD'), await get()]
    expect([head.status, await head.text()]).toEqual([200, ''])
    for (const name of ['content-type', 'content-length', 'cache-control', 'etag', 'accept-ranges'])
      expect([name, head.headers.get(name)]).toEqual([name, whole.headers.get(name)])
    await whole.arrayBuffer()
  })
  it('is not sent again to browsers that have it', async () => {
    const etag = (await get({}, 'HEAD')).headers.get('etag')!
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const answer = await get({ 'if-none-match': known })
      expect([answer.status, await answer.text()]).toEqual([304, ''])
      expect(answer.headers.get('etag')).toBe(etag)
      expect(answer.headers.get('cache-control')).toContain('immutable')
    }
    for (const other of ['"other"', etag.slice(0, -2), '']) {
      const answer = await get({ 'if-none-match': other })
      expect([answer.status, (await answer.arrayBuffer()).byteLength]).toEqual([200, pack.length])
    }
    expect((await get({ 'if-none-match': etag }, 'HEAD')).status).toBe(304)
  })
  it('is served in ranges on request', async () => {
    const size = pack.length
    const etag = (await get({}, 'HEAD')).headers.get('etag')!
    for (const [range, from, to] of [
      ['bytes=0-126', 0, 127],
      ['bytes=5-5', 5, 6],
      ['bytes=100-', 100, size],
      ['bytes=-20', size - 20, size],
      [`bytes=-${size + 1}`, 0, size],
      ['bytes=0-999999999', 0, size],
    ] as const) {
      const answer = await get({ range, 'if-range': etag })
      expect([range, answer.status, answer.headers.get('content-range')]).toEqual([
        range,
        206,
        `bytes ${from}-${to - 1}/${size}`,
      ])
      expect(answer.headers.get('content-length')).toBe(String(to - from))
      expect(Buffer.from(await answer.arrayBuffer()).equals(pack.subarray(from, to)), range).toBe(true)
    }
  })
  it('is served whole if a range is invalid or for another file', async () => {
    const odd: Record<string, string>[] = [
      { range: 'bytes=9-3' },
      { range: 'bytes=-' },
      { range: 'bytes=a-b' },
      { range: 'pages=1-2' },
      { range: 'bytes=0-1,4-5' },
      { range: 'bytes=0-9999999999999999999999' },
      { range: 'bytes=0-9', 'if-range': '"other"' },
      { range: 'bytes=0-9', 'if-range': 'Sat, 20 Jun 2026 17:30:00 GMT' },
    ]
    for (const headers of odd) {
      const answer = await get(headers)
      expect([headers, answer.status, (await answer.arrayBuffer()).byteLength]).toEqual([headers, 200, pack.length])
    }
    for (const range of [`bytes=${pack.length}-`, 'bytes=-0']) {
      const answer = await get({ range })
      expect([answer.status, answer.headers.get('content-range')]).toEqual([416, `bytes */${pack.length}`])
      expect([await answer.text(), answer.headers.get('cache-control')]).toEqual(['', 'no-store'])
    }
    expect((await get({ range: 'bytes=0-9' }, 'HEAD')).status).toBe(200)
  })
  it('is not found under any other name', async () => {
    const hash = url.slice('/map/'.length, -'.pmtiles'.length)
    for (const name of [
      `${hash}`,
      `${hash}.PMTILES`,
      `${hash.slice(0, -1)}.pmtiles`,
      'town.pmtiles',
      '..%2Ftown.pmtiles',
    ])
      expect([name, (await api(app, `/map/${name}`)).status]).toEqual([name, 404])
  })
  it('stays the same when its file changes while the server runs', async () => {
    const moved = file('moved.pmtiles', pack)
    const other = await appForTest({ env: { MAP_PACK: moved } })
    writeFileSync(moved, 'something else')
    const { body } = await api(other, '/api/map/config')
    const answer = await fetch(`${other.url}${body.packUrl}`)
    expect(Buffer.from(await answer.arrayBuffer()).equals(pack)).toBe(true)
  })
})

describe('a pack that another tool made', () => {
  const creditsOf = async (metadata: unknown) => {
    const app = await appForTest({ env: { MAP_PACK: file('foreign.pmtiles', smallPack(metadata, bounds)) } })
    return (await api(app, '/api/map/config')).body.credits.pack
  }
  it('is credited by its attribution, as text with its link', async () => {
    expect(
      await creditsOf({ attribution: '<a href="https://maps.example/c">&copy; Maps &amp; more</a>\n <b>Basel</b>' }),
    ).toEqual([{ text: '© Maps & more Basel', href: 'https://maps.example/c' }])
    expect(
      await creditsOf({ attribution: '<img src=x onerror=alert(1)><a href="javascript:alert(1)">Maps</a>' }),
    ).toEqual([{ text: 'Maps' }])
    const [{ text }] = await creditsOf({ attribution: 'Maps '.repeat(200) })
    expect(text).toHaveLength(300)
  })
  it('without an attribution gets a neutral credit', async () => {
    expect(await creditsOf({ name: 'Basel' })).toEqual([{ text: 'Map data: Basel' }])
    expect(await creditsOf({ attribution: '<br>' })).toEqual([{ text: 'Map data: PMTiles' }])
    expect(await creditsOf({})).toEqual([{ text: 'Map data: PMTiles' }])
  })
  it('without bounds leaves the region to the festival', async () => {
    const nowhere = smallPack({}, { west: 0, south: 0, east: 0, north: 0 })
    const app = await appForTest({ env: { MAP_PACK: file('nowhere.pmtiles', nowhere) } })
    const { body } = await api(app, '/api/map/config')
    expect(body.bounds).toEqual({ west: 7.4287, south: 47.4517, east: 7.7485, north: 47.6675 })
    expect(body.packUrl).toMatch(/^\/map\/[0-9a-f]{32}\.pmtiles$/)
  })
})

describe('a file that is no pack stops the start, with a sentence', () => {
  const huge = join(place, 'huge.pmtiles')
  beforeAll(() => {
    writeFileSync(huge, 'PMTiles\u0003')
    // a sparse file takes no space
    truncateSync(huge, 200 * 2 ** 20)
  })
  const random = Buffer.from(Array.from({ length: 50_000 }, (_, n) => (n * 7919 + (n >> 3)) % 256))
  it.each([
    ['missing', () => join(place, 'none.pmtiles'), /^MAP_PACK: there is no .*none\.pmtiles\.$/],
    ['a folder', () => place, /^MAP_PACK: .* is no file\.$/],
    ['a device', () => '/dev/zero', /^MAP_PACK: \/dev\/zero is no file\.$/],
    ['empty', () => file('empty.pmtiles', ''), /empty\.pmtiles is empty\.$/],
    ['random bytes', () => file('random.pmtiles', random), /is no PMTiles file of version 3\.$/],
    ['cut off', () => file('half.pmtiles', pack.subarray(0, pack.length >> 1)), /is cut off: /],
    ['huge', () => huge, /huge\.pmtiles has 200 MB; 16 MB is the limit, for visitors load it whole\.$/],
    [
      'of another place',
      () => file('zurich.pmtiles', smallPack({}, { west: 8.4, south: 47.3, east: 8.7, north: 47.5 })),
      /shows 8\.4, 47\.3 to 8\.7, 47\.5, and the festival at 7\.5886, 47\.5596 lies outside of it\.$/,
    ],
    [
      'of no place on earth',
      () => file('odd.pmtiles', smallPack({}, { west: 8, south: 47, east: 7, north: 48 })),
      /its bounds are no longitudes and latitudes\.$/,
    ],
    [
      'with credits that cannot be shown',
      () => file('credits.pmtiles', smallPack({ credits: [{ text: 'A', href: 'javascript:alert(1)' }] }, bounds)),
      /has metadata that cannot be used: credits\.0\.href: /,
    ],
    [
      'with metadata that is no object',
      () => file('list.pmtiles', smallPack([], bounds)),
      /metadata that cannot be used: /,
    ],
  ])('%s', async (_, path, sentence) => {
    await expect(startTestApp({ env: { MAP_PACK: path() } })).rejects.toThrow(sentence)
  })
})

describe('an online style of the operator', () => {
  it('is sent to browsers with its key, and pages may load from its origin', async () => {
    const app = await appForTest({
      env: {
        MAP_STYLE_URL: 'https://tiles.example.ch:8443/style.json?key={key}',
        MAP_KEY: 'a b&$&c',
        MAP_ORIGINS: 'https://fonts.example.ch, https://sprites.example.ch/',
      },
    })
    const { body, headers } = await api(app, '/api/map/config')
    expect(body.styleUrl).toBe('https://tiles.example.ch:8443/style.json?key=a%20b%26%24%26c')
    expect(body.packUrl).toBeNull()
    expect(body.hosts).toEqual(['tiles.example.ch:8443', 'fonts.example.ch', 'sprites.example.ch'])
    expect(connectSrc(headers)).toBe(
      "'self' https://tiles.example.ch:8443 https://fonts.example.ch https://sprites.example.ch",
    )
    const policy = headers.get('content-security-policy')!
    expect(policy.replace(/connect-src [^;]*/, '')).not.toContain('example.ch')
  })
  it('works together with a pack, which is used when the style fails', async () => {
    const app = await appForTest({ env: { MAP_STYLE_URL: 'http://localhost:9/style.json', MAP_PACK: packFile } })
    const { body, headers } = await api(app, '/api/map/config')
    expect([body.styleUrl, body.packUrl]).toEqual(['http://localhost:9/style.json', expect.stringMatching(/^\/map\//)])
    expect(connectSrc(headers)).toBe("'self' http://localhost:9")
  })
})

const reference = new URL('../../../../shared/data/basel/basel.pmtiles', import.meta.url).pathname
describe.skipIf(!existsSync(reference))('the reference pack of shared/data/basel', () => {
  it('is used as configured', async () => {
    const app = await appForTest({ env: { MAP_PACK: reference } })
    const { body } = await api(app, '/api/map/config')
    expect(body.credits.pack).toEqual([{ text: '© OpenStreetMap contributors (ODbL), Kanton Basel-Stadt (CC BY)' }])
    expect(body.bounds).toEqual({ west: 7.44, south: 47.46, east: 7.73, north: 47.64 })
    expect((await fetch(`${app.url}${body.packUrl}`, { method: 'HEAD' })).headers.get('content-length')).toBe('390440')
  })
})
