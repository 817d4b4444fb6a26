import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadOnlineStyle, tileSign, tileSources, watchTiles, type TileSign } from './load-style.ts'

const style = {
  version: 8,
  sources: {
    city: { type: 'vector', url: 'https://tiles.example/city.json' },
    unused: { type: 'vector', url: 'https://tiles.example/unused.json' },
    frame: { type: 'geojson', data: { type: 'FeatureCollection', features: [] } },
  },
  layers: [
    { id: 'ground', type: 'background' },
    { id: 'water', type: 'fill', source: 'city', 'source-layer': 'water' },
    { id: 'frame', type: 'line', source: 'frame' },
  ],
}
const without = (key: string) => Object.fromEntries(Object.entries(style).filter(([name]) => name !== key))
const withLayers = (...layers: unknown[]) => ({ ...style, layers: [...style.layers, ...layers] })

/** A provider of styles that fails by its path. */
const answers: Record<string, (response: ServerResponse) => void> = {
  '/healthy': (response) => json(response, 200, style),
  '/gone': (response) => json(response, 404, style),
  '/broken': (response) => json(response, 500, style),
  '/wrong-key': (response) => json(response, 401, { error: 'invalid key' }),
  '/expired-key': (response) => json(response, 403, style),
  '/hangs': () => {},
  '/hangs-in-the-middle': (response) => response.write(JSON.stringify(style).slice(0, 40)),
  '/cut-off': (response) => {
    response.writeHead(200, { 'content-length': 4000 })
    response.write('{"version":8,', () => response.destroy())
  },
  '/html': (response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Sign in</title>')
  },
  '/empty': (response) => void response.end(),
  '/error-body': (response) => json(response, 200, { error: 'quota exceeded' }),
  '/moved': (response) => void response.writeHead(302, { location: '/healthy' }).end(),
}
const json = (response: ServerResponse, status: number, body: unknown) =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

let provider: Server
let origin = ''
let body: unknown
beforeAll(async () => {
  provider = createServer((request, response) => {
    const answer = answers[request.url ?? '']
    if (answer) answer(response)
    else json(response, 200, body)
  })
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
})
afterAll(async () => {
  provider.closeAllConnections()
  await new Promise((resolve) => provider.close(resolve))
})

const onPage = new AbortController().signal
const load = (path: string, timeoutMs = 4_000, signal = onPage) =>
  loadOnlineStyle(`${origin}${path}`, { timeoutMs, signal })
const loadBody = (json: unknown) => {
  body = json
  return load('/body')
}

/** Plays signs at their times (ms). Returns the verdict and its time. */
function watched(signs: [atMs: number, event: object][], untilMs = 20_000) {
  let now = 0
  const sources = tileSources(style as never)
  const watch = watchTiles(() => now, sources.size)
  const at = (time: number) => {
    // the caller's timer
    const due = watch.decidesInMs()
    if (due !== null && now + due <= time) {
      now += due
      const verdict = watch.verdict()
      if (verdict !== 'waiting') return { verdict, atMs: now }
    }
    now = time
    return null
  }
  for (const [time, event] of signs) {
    const fallen = at(time)
    if (fallen) return fallen
    const sign = tileSign(event as never, sources)
    const verdict = sign ? watch.note(sign) : watch.verdict()
    if (verdict !== 'waiting') return { verdict, atMs: now }
  }
  return at(untilMs) ?? { verdict: watch.verdict(), atMs: now }
}
// events of MapLibre for the source of the style's layers
const of = (type: string, rest: object = {}) => ({ type, sourceId: 'city', ...rest })
const described = of('sourcedata', { sourceDataType: 'metadata' })
const tile = of('sourcedata', { tile: {} })
const tileError = of('error', { tile: {} })

describe('an online style that fails, case by case (map screen: src/map/web; here what can be judged without a map)', () => {
  it('404: the loader decides', async () => {
    expect(await load('/gone')).toBeNull()
    expect(await load('/broken')).toBeNull()
  })
  it('401 and 403: the loader decides', async () => {
    expect(await load('/wrong-key')).toBeNull()
    expect(await load('/expired-key')).toBeNull()
  })
  it('an answer that hangs, before or in its body: the loader decides at its timeout', async () => {
    for (const path of ['/hangs', '/hangs-in-the-middle']) {
      const started = performance.now()
      expect(await load(path, 150)).toBeNull()
      expect(performance.now() - started).toBeGreaterThanOrEqual(140)
    }
  })
  it('HTML, an empty or a half answer: the loader decides', async () => {
    expect(await load('/html')).toBeNull()
    expect(await load('/empty')).toBeNull()
    expect(await load('/cut-off')).toBeNull()
  })
  it('200 with an error in its body: the loader decides', async () => {
    expect(await load('/error-body')).toBeNull()
  })
  it('TileJSON 403: the watch decides, at once', () => {
    expect(watched([[300, of('error')]])).toEqual({ verdict: 'given_up', atMs: 300 })
  })
  it('TileJSON with an error in its body: the watch decides, by tiles that cannot be requested', () => {
    expect(watched([[300, described], ...[301, 302, 303].map((at): [number, object] => [at, tileError])])).toEqual({
      verdict: 'given_up',
      atMs: 303,
    })
  })
  it('tiles 401: the watch decides, by the third error', () => {
    expect(
      watched([
        [200, described],
        [400, tileError],
        [500, tileError],
      ]),
    ).toEqual({ verdict: 'given_up', atMs: 6200 })
    expect(
      watched([
        [200, described],
        [400, tileError],
        [500, tileError],
        [600, tileError],
      ]),
    ).toEqual({ verdict: 'given_up', atMs: 600 })
  })
  it('tiles that hang: the watch decides, by silence', () => {
    expect(watched([[500, described]])).toEqual({ verdict: 'given_up', atMs: 6500 })
    expect(watched([])).toEqual({ verdict: 'given_up', atMs: 6000 })
  })
  it('blocked by CSP, or no server: the loader decides; browsers report both as a failed fetch', async () => {
    const nobody = createServer()
    await new Promise<void>((resolve) => nobody.listen(0, '127.0.0.1', resolve))
    const { port } = nobody.address() as AddressInfo
    await new Promise((resolve) => nobody.close(resolve))
    expect(
      await loadOnlineStyle(`http://127.0.0.1:${port}/style.json`, { timeoutMs: 4_000, signal: onPage }),
    ).toBeNull()
    expect(await loadOnlineStyle('no address', { timeoutMs: 4_000, signal: onPage })).toBeNull()
  })
  // "no WebGL" is decided by the map's constructor, which throws: test/stories/map-fallback.e2e.ts
  it('healthy: a style, then a tile', async () => {
    expect(await load('/healthy')).toEqual(style)
    expect(await load('/moved')).toEqual(style)
    const signs: [number, object][] = [
      [200, described],
      [900, tile],
    ]
    expect(watched(signs)).toEqual({ verdict: 'arrived', atMs: 900 })
  })
})

describe('a style', () => {
  it.each([
    ['null', null],
    ['a list', [style]],
    ['a text', 'style'],
    ['version 7', { ...style, version: 7 }],
    ['version "8"', { ...style, version: '8' }],
    ['no sources', without('sources')],
    ['sources as a list', { ...style, sources: [] }],
    ['a source without a type', { ...style, sources: { ...style.sources, city: { url: 'x' } } }],
    ['a source that is null', { ...style, sources: { ...style.sources, other: null } }],
    ['no layers', without('layers')],
    ['an empty list of layers', { ...style, layers: [] }],
    ['nothing but ground', { ...style, layers: [style.layers[0]] }],
    ['a layer that is null', withLayers(null)],
    ['a layer without id', withLayers({ type: 'fill', source: 'city' })],
    ['a layer without type', withLayers({ id: 'x', source: 'city' })],
    ['two layers of one id', withLayers(style.layers[1])],
    ['a layer of a source that is not there', withLayers({ id: 'x', type: 'fill', source: 'toString' })],
    ['a layer of no source', withLayers({ id: 'x', type: 'fill' })],
  ])('is not %s', async (_, json) => {
    expect(await loadBody(json)).toBeNull()
  })
  it('may have anything else, which MapLibre checks: unknown kinds of layers and sources, glyphs, sprite, sky', async () => {
    const modern = {
      ...withLayers({ id: 'x', type: 'color-relief', source: 'dem' }),
      sources: { ...style.sources, dem: { type: 'raster-dem', tiles: [] } },
      sky: {},
      sprite: 'https://tiles.example/sprite',
      glyphs: 'https://tiles.example/{fontstack}/{range}.pbf',
    }
    expect(await loadBody(modern)).toEqual(modern)
  })
})

describe('an aborted load of a style', () => {
  it('ends at once, without a style', async () => {
    const leaving = new AbortController()
    const loading = load('/hangs', 60_000, leaving.signal)
    leaving.abort()
    expect(await loading).toBeNull()
  })
})

describe('the watch over tiles', () => {
  const start = (sources = 1) => {
    const clock = { now: 1000 }
    return { clock, watch: watchTiles(() => clock.now, sources) }
  }
  it('keeps its verdict', () => {
    const arrived = start().watch
    expect(arrived.note('tile')).toBe('arrived')
    for (const sign of ['error', 'error', 'error', 'failed', 'hidden'] satisfies TileSign[])
      expect(arrived.note(sign)).toBe('arrived')
    expect(arrived.decidesInMs()).toBeNull()

    const { clock, watch } = start()
    clock.now += 6000
    expect(watch.note('tile')).toBe('given_up')
    expect(watch.decidesInMs()).toBeNull()
  })
  it('waits for two errors and 5.999 seconds, no more', () => {
    const { clock, watch } = start(2)
    expect([watch.note('error'), watch.note('error')]).toEqual(['waiting', 'waiting'])
    clock.now += 5999
    expect([watch.verdict(), watch.decidesInMs()]).toEqual(['waiting', 1])
    clock.now += 1
    expect(watch.verdict()).toBe('given_up')
  })
  it('goes on while one of several sources may still load tiles', () => {
    const { watch } = start(2)
    expect(watch.note('failed')).toBe('waiting')
    expect(watch.note('failed')).toBe('given_up')
  })
  it('gives up when nothing is loading after an error, but not if nothing has begun to load', () => {
    const { watch } = start()
    expect(watch.note('idle')).toBe('waiting')
    watch.note('error')
    expect(watch.note('idle')).toBe('given_up')
  })
  it('starts the silence anew with the first event of each source only', () => {
    const { clock, watch } = start(1)
    clock.now += 5000
    watch.note('described')
    clock.now += 5000
    watch.note('described')
    expect(watch.decidesInMs()).toBe(1000)
  })
  it('does not count silence while the page is hidden', () => {
    const { clock, watch } = start()
    watch.note('hidden')
    watch.note('described')
    clock.now += 60_000
    expect([watch.verdict(), watch.decidesInMs()]).toEqual(['waiting', null])
    watch.note('shown')
    expect(watch.decidesInMs()).toBe(6000)
  })
  it('only watches tiles of the basemap', () => {
    const sources = tileSources(style as never)
    expect([...sources]).toEqual(['city'])
    expect(tileSign(tile, sources)).toBe('tile')
    for (const other of ['unused', 'frame', 'deals', undefined])
      expect(tileSign({ ...tile, sourceId: other } as never, sources)).toBeNull()
    expect(tileSign(of('sourcedata', { sourceDataType: 'content' }), sources)).toBeNull()
    expect(tileSign(of('sourcedataloading', { tile: {} }), sources)).toBeNull()
    // a missing picture or font is an error of the map, not of a source
    expect(tileSign({ type: 'error' }, sources)).toBeNull()
    expect(tileSign({ type: 'idle' }, sources)).toBe('idle')
  })
  it('watches all sources of a style without tiles', () => {
    expect([...tileSources({ ...style, layers: [style.layers[0], style.layers[2]] } as never)]).toEqual(['frame'])
  })
})
