import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { chromium, type Browser, type Page } from 'playwright-core'
import { mapInks } from '../src/map/inks.ts'
import { basemapStyle } from '../src/map/web/basemap-style.ts'
import { noOverlay, overlay, overlaySources } from '../src/map/web/overlay.ts'
import { builtServer, startServer } from '../test/built-server.ts'
import { temporaryFolder } from './folder.ts'
import { browserFlags, chromiumPath, measurePage, type PageFigures } from './pages.ts'
import { count, median, plain, type Row } from './report.ts'
import { buildTown } from './town.ts'

const runs = 5
const pans = 9
const webgl = ['--use-gl=angle', '--use-angle=swiftshader-webgl', '--ignore-gpu-blocklist']

/**
 * F3 to F5: the map in a browser with software WebGL, beside a page that has nothing but MapLibre with the same basemap and deals.
 * Lighthouse (F3) on the smallest town.
 */
export async function mapRows(sizes: number[]): Promise<Row[]> {
  const executablePath = chromiumPath()
  const rows: Row[] = []
  for (const [which, deals] of sizes.entries()) {
    await using town = await buildTown(deals)
    using folder = temporaryFolder()
    const env = { DATABASE_URL: town.url, DATA_DIR: folder.path }
    await using app = await startServer(builtServer, env, { probe: '/readyz' })
    const browser = await chromium.launch({ executablePath, args: [...browserFlags, ...webgl] })
    const bare = await bareMap(app.base)
    try {
      // in turn, so that other work of the machine falls on both
      const [ours, ceiling] = await readyMs(browser, [`${app.base}/dealsmap`, bare.url])
      rows.push(beside(`F4 map ready beside bare MapLibre, ${count(deals)} deals`, ours, ceiling, 1.3))
      rows.push(...(await panRows(browser, app.base, deals)), await heaviestView(app.base, deals))
      if (which === 0) rows.push(...(await lighthouseRows(executablePath, `${app.base}/dealsmap`, `${bare.url}?whole`)))
    } finally {
      await browser.close()
      bare.server.close()
    }
  }
  return rows
}

function beside(what: string, ms: number, other: number, atMost: number): Row {
  const ratio = ms / other
  const text = (value: number) => `${value.toFixed(value < 100 ? 1 : 0)} ms`
  return { what, ours: text(ms), beside: text(other), bar: `${ratio.toFixed(2)} × ≤ ${atMost}`, met: ratio <= atMost }
}

/** Medians from the start of the navigation until the map is ready, with an empty cache; the pages in turn. */
async function readyMs<const Urls extends string[]>(browser: Browser, urls: Urls) {
  const times = urls.map((): number[] => [])
  for (let n = 0; n < runs; n++)
    for (const [which, url] of urls.entries()) {
      const { page, close } = await open(browser)
      await page.goto(url)
      times[which]!.push(await untilReady(page))
      await close()
    }
  return times.map((each) => Math.round(median(each))) as { [Which in keyof Urls]: number }
}

async function open(browser: Browser) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  const page = await context.newPage()
  await page.addInitScript(() => {
    const seen = window as unknown as { readyAt?: number; tasks: number[] }
    seen.tasks = []
    new MutationObserver(() => {
      if (seen.readyAt === undefined && document.querySelector('[data-map-ready]')) seen.readyAt = performance.now()
    }).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ['data-map-ready'] })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.tasks.push(entry.duration)
    }).observe({ type: 'longtask', buffered: true })
  })
  return { page, context, close: () => context.close() }
}

async function untilReady(page: Page): Promise<number> {
  await page.waitForFunction(() => (window as unknown as { readyAt?: number }).readyAt !== undefined, undefined, {
    timeout: 60_000,
  })
  return page.evaluate(() => (window as unknown as { readyAt: number }).readyAt)
}

/** Script time per frame and frame time while the map is dragged, and the longest task since the start; ms. */
async function pan(browser: Browser, url: string) {
  const { page, context, close } = await open(browser)
  await page.goto(url)
  await untilReady(page)
  const box = (await page.locator('.maplibregl-canvas').boundingBox())!
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  const cdp = await context.newCDPSession(page)
  await cdp.send('Performance.enable')
  const script = async () =>
    (await cdp.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'ScriptDuration')!.value * 1000
  await page.evaluate(() => {
    const seen = window as unknown as { frames: number[] }
    seen.frames = []
    const count = (at: number) => {
      seen.frames.push(at)
      requestAnimationFrame(count)
    }
    requestAnimationFrame(count)
  })
  const before = await script()
  await page.mouse.move(x, y)
  await page.mouse.down()
  for (let step = 1; step <= 40; step++) await page.mouse.move(x - step * 6, y - step * 2)
  const spent = (await script()) - before
  const frames = await page.evaluate(() => (window as unknown as { frames: number[] }).frames)
  await page.mouse.up()
  const longest = await page.evaluate(() => Math.max(0, ...(window as unknown as { tasks: number[] }).tasks))
  await close()
  const steps = Math.max(1, frames.length - 1)
  return { script: spent / steps, frame: (frames.at(-1)! - frames[0]!) / steps, longest }
}

/** Compares with the map without deals, by a search that finds nothing. */
async function panRows(browser: Browser, base: string, deals: number): Promise<Row[]> {
  const all: Record<'full' | 'empty', Awaited<ReturnType<typeof pan>>[]> = { full: [], empty: [] }
  for (let n = 0; n < pans; n++) {
    all.full.push(await pan(browser, `${base}/dealsmap`))
    all.empty.push(await pan(browser, `${base}/dealsmap?q=zzzzxqzz`))
  }
  const of = (which: keyof typeof all, what: 'script' | 'frame' | 'longest') =>
    median(all[which].map((each) => each[what]))
  const size = `${count(deals)} deals`
  const [script, longest] = [of('full', 'script'), of('full', 'longest')]
  return [
    plain(`F4 script a frame while panning, ${size}`, `${script.toFixed(1)} ms`, '≤ 12 ms', script <= 12),
    beside(
      `F4 frame while panning beside the map without deals, ${size}`,
      of('full', 'frame'),
      of('empty', 'frame'),
      1.2,
    ),
    plain(`F4 longest task, ${size}`, `${longest.toFixed(0)} ms`, '≤ 500 ms', longest <= 500),
  ]
}

/** The largest map data of a view, compressed like the server's, at zooms from the city to a street. */
async function heaviestView(base: string, deals: number): Promise<Row> {
  let worst = 0
  for (const half of [0.15, 0.06, 0.03, 0.015, 0.007]) {
    const box = [7.5886 - half * 1.5, 47.5596 - half, 7.5886 + half * 1.5, 47.5596 + half].map((each) =>
      each.toFixed(4),
    )
    const asked = 'category=&openNow=false&sponsored=false&radius=5&lat=47.5596&lon=7.5886&view=map&compact=true'
    for (const area of [`&bbox=${box.join(',')}`, '']) {
      const answer = await fetch(`${base}/api/deals/search?${asked}${area}`)
      const bytes = brotliCompressSync(Buffer.from(await answer.arrayBuffer()), {
        params: { [constants.BROTLI_PARAM_QUALITY]: 4 },
      })
      worst = Math.max(worst, bytes.length)
    }
  }
  const kb = worst / 1000
  return plain(`F5 map data for the heaviest view, ${count(deals)} deals`, `${kb.toFixed(0)} kB`, '≤ 60 kB', kb <= 60)
}

const turns = 3

/** Each run has a new browser without compiled shaders. WebGL runs in software, so only the ratio to the bare page counts. */
async function lighthouseRows(executablePath: string, ours: string, bare: string): Promise<Row[]> {
  const figures = { ours: [] as PageFigures[], bare: [] as PageFigures[] }
  for (let n = 0; n < turns; n++) {
    figures.ours.push(await measurePage(executablePath, ours, webgl))
    figures.bare.push(await measurePage(executablePath, bare, webgl))
  }
  const of = (which: keyof typeof figures, name: 'performance' | 'lcpMs' | 'tbtMs') =>
    median(figures[which].map((each) => each[name]))
  const [score, bareScore] = [of('ours', 'performance'), of('bare', 'performance')]
  const lcp = of('ours', 'lcpMs')
  const [tbt, bareTbt] = [of('ours', 'tbtMs'), of('bare', 'tbtMs')]
  const better = score - bareScore
  const scores = plain('F3 Lighthouse of the map beside bare MapLibre', `${score}`, `+${better} ≥ 15`, better >= 15)
  return [
    { ...scores, beside: `${bareScore}` },
    plain('F3 largest contentful paint', `${(lcp / 1000).toFixed(2)} s`, '≤ 1.6 s', lcp <= 1600),
    beside('F3 total blocking time', tbt, bareTbt, 0.5),
  ]
}

/**
 * A page with nothing but MapLibre, the same basemap and deals. It is ready when everything is drawn, like the product's map: at `idle` the
 * last frame is not drawn yet, so it waits for a pixel. The map is as wide as the product's on a desktop. With `?whole` it fills the page,
 * as on a phone, and has an attribution: Lighthouse takes a page with nothing but WebGL for not painted.
 */
async function bareMap(base: string): Promise<{ url: string; server: Server }> {
  const rows = `${base}/api/deals/search?category=&openNow=false&sponsored=false&radius=5&lat=47.5596&lon=7.5886&view=map&compact=true`
  const own = overlay(noOverlay, mapInks.paper)
  const basemap = basemapStyle(mapInks.paper, 'drawing')
  const style = {
    ...basemap,
    sources: { ...basemap.sources, ...own.sources },
    layers: [...basemap.layers, ...own.layers],
  }
  const page = (
    inset: string,
  ) => `<!doctype html><html lang="en"><title>Map</title><meta name="viewport" content="width=device-width"><div id="map" style="position:absolute;inset:${inset}"></div><script type="module">
    const [{ Map, setWorkerUrl }, style, rows] = await Promise.all([
      import('/maplibre/maplibre-gl.mjs'),
      fetch('/style').then((answer) => answer.json()),
      fetch('/rows').then((answer) => answer.json()),
    ])
    setWorkerUrl(location.origin + '/maplibre/maplibre-gl-worker.mjs')
    const features = rows.map((row) => ({
      type: 'Feature', geometry: { type: 'Point', coordinates: [row.longitude, row.latitude] },
      properties: row.cluster ? { count: row.cluster, lanterns: row.premium, fromServer: 1 } : { key: row.deal_id, icon: row.is_premium ? 'premium' : 'deal', count: 1, lanterns: Number(row.is_premium) } }))
    style.sources['${overlaySources.deals}'].data = { type: 'FeatureCollection', features }
    const map = new Map({ container: 'map', style, center: [7.5886, 47.5596], zoom: 13,
      attributionControl: location.search ? { customAttribution: '© OpenStreetMap contributors' } : false })
    map.setMissingStyleImageResolver((id) => map.addImage(id, new ImageData(32, 32)))
    map.once('idle', () => {
      const gl = map.getCanvas().getContext('webgl2')
      gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4))
      document.getElementById('map').setAttribute('data-map-ready', 'drawing')
    })
  </script>`
  const maplibre = join(import.meta.dirname, '../node_modules/maplibre-gl/dist')
  const read = async (url: string): Promise<{ type: string; body: string | Buffer }> => {
    if (url === '/') return { type: 'text/html', body: page('0 0 0 416px') }
    if (url === '/?whole') return { type: 'text/html', body: page('0') }
    if (url === '/style') return { type: 'application/json', body: JSON.stringify(style) }
    if (url.startsWith('/maplibre/'))
      return { type: 'text/javascript', body: readFileSync(join(maplibre, basename(url))) }
    const answer = await fetch(url === '/rows' ? rows : base + url)
    return {
      type: answer.headers.get('content-type') ?? 'application/octet-stream',
      body: Buffer.from(await answer.arrayBuffer()),
    }
  }
  // compressed like the product's answers, each once
  const cache = new Map<string, Promise<{ type: string; small: Buffer }>>()
  const server = createServer((request, response) => {
    const url = request.url!
    const made =
      cache.get(url) ??
      read(url).then(({ type, body }) => ({
        type,
        small: brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
      }))
    cache.set(url, made)
    made.then(
      ({ type, small }) => response.writeHead(200, { 'content-type': type, 'content-encoding': 'br' }).end(small),
      () => response.writeHead(502).end(),
    )
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, server }
}
