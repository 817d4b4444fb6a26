import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import lighthouse from 'lighthouse'
import { chromium, type Browser, type Page } from 'playwright-core'
import { findChromium } from '../scripts/find-chromium.ts'
import { mapInks } from '../src/map/inks.ts'
import { basemapStyle } from '../src/map/web/basemap-style.ts'
import { noOverlay, overlay, overlaySources } from '../src/map/web/overlay.ts'

export interface MapRow {
  what: string
  ours: string
  ceiling: string
  ratio: string
  bar: string
  met: boolean | null
}

const desktop = { width: 1280, height: 800 }
const phone = { width: 390, height: 844 }
const runs = 5
const pans = 9
const debugPort = 9334

/**
 * The map in a real browser with software WebGL. At the size of the demo (below 2,000 deals in the circle) also the
 * phone, Lighthouse, and MapLibre alone with the same data and basemap, loaded by a page without anything else.
 */
export async function measureMap(base: string, deals: number, withAll: boolean): Promise<MapRow[]> {
  const executablePath = findChromium()
  if (!executablePath) return []
  const browser = await chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      '--use-gl=angle',
      '--use-angle=swiftshader-webgl',
      '--ignore-gpu-blocklist',
      `--remote-debugging-port=${debugPort}`,
    ],
  })
  const bare = await bareMap(base)
  const size = deals.toLocaleString('en')
  const extraMs = deals >= 100_000 ? 1500 : deals >= 10_000 ? 1000 : 0
  try {
    // by turns, so that what else the machine does falls on both
    const [ours, ceiling] = await readyMs(browser, [`${base}/dealsmap`, bare.url], desktop)
    const rows = [row(`Map ready, desktop, ${size} deals`, ours, `≤ ${2500 + extraMs} ms`, ours <= 2500 + extraMs)]
    if (withAll) {
      const [onPhone] = await readyMs(browser, [`${base}/dealsmap`], phone)
      rows.push(row(`Map ready, phone, ${size} deals`, onPhone, `≤ ${2000 + extraMs} ms`, onPhone <= 2000 + extraMs))
      rows.push(...(await lighthouseRows(`${base}/dealsmap`)))
    }
    rows.push(beside('map ready beside bare MapLibre', ours, ceiling, 1.3, deals))
    rows.push(...(await panRows(browser, base, deals)))
    rows.push(await heaviestView(base, size))
    return rows
  } finally {
    await browser.close()
    bare.server.close()
  }
}

const row = (what: string, ms: number, bar: string, met: boolean): MapRow => ({
  what,
  ours: `${ms} ms`,
  ceiling: '',
  ratio: '',
  bar,
  met,
})

/** F4 speaks of 100,000 deals; the others stand beside it. */
function beside(what: string, ms: number, ceiling: number, bar: number, deals: number): MapRow {
  const isMeant = deals === 100_000
  return {
    what: `${isMeant ? 'F4' : 'beside it:'} ${what}, ${deals.toLocaleString('en')} deals`,
    ours: `${ms.toFixed(ms < 100 ? 1 : 0)} ms`,
    ceiling: `${ceiling.toFixed(ceiling < 100 ? 1 : 0)} ms`,
    ratio: (ms / ceiling).toFixed(2),
    bar: isMeant ? `≤ ${bar}` : '',
    met: isMeant ? ms / ceiling <= bar : null,
  }
}

/** Medians from the start of the navigation to the map's health check, each with an empty cache, the pages by turns. */
async function readyMs<const Urls extends string[]>(browser: Browser, urls: Urls, viewport: typeof desktop) {
  const times = urls.map((): number[] => [])
  for (let n = 0; n < runs; n++)
    for (const [which, url] of urls.entries()) {
      const { page, close } = await open(browser, viewport)
      await page.goto(url)
      times[which]!.push(await untilReady(page))
      await close()
    }
  return times.map((each) => Math.round(median(each))) as { [Which in keyof Urls]: number }
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!

async function open(browser: Browser, viewport: typeof desktop) {
  const context = await browser.newContext({ viewport })
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

/** Script a frame and frames while the map is moved by hand, and the longest task from the start. */
async function pan(browser: Browser, url: string) {
  const { page, context, close } = await open(browser, desktop)
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

/** Beside the map without deals: one that looks for what nobody has. */
async function panRows(browser: Browser, base: string, deals: number): Promise<MapRow[]> {
  const size = deals.toLocaleString('en')
  const all: Record<'full' | 'empty', Awaited<ReturnType<typeof pan>>[]> = { full: [], empty: [] }
  for (let n = 0; n < pans; n++) {
    all.full.push(await pan(browser, `${base}/dealsmap`))
    all.empty.push(await pan(browser, `${base}/dealsmap?q=zzzzxqzz`))
  }
  const of = (which: keyof typeof all, what: 'script' | 'frame' | 'longest') =>
    median(all[which].map((each) => each[what]))
  return [
    {
      what: `F4 script a frame while panning, ${size} deals`,
      ours: `${of('full', 'script').toFixed(1)} ms`,
      ceiling: '',
      ratio: '',
      bar: '≤ 12 ms',
      met: of('full', 'script') <= 12,
    },
    beside('frame while panning beside the map without deals', of('full', 'frame'), of('empty', 'frame'), 1.2, deals),
    row(`F4 longest task, ${size} deals`, Math.round(of('full', 'longest')), '≤ 500 ms', of('full', 'longest') <= 500),
  ]
}

/** What the map fetches for a view, compressed as the server does, at the zooms between the city and a street. */
async function heaviestView(base: string, size: string): Promise<MapRow> {
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
  return {
    what: `F5 map data for the heaviest view, ${size} deals`,
    ours: `${kb.toFixed(0)} kB`,
    ceiling: '',
    ratio: '',
    bar: '≤ 60 kB',
    met: kb <= 60,
  }
}

async function lighthouseRows(url: string): Promise<MapRow[]> {
  const scores: { score: number; lcp: number; tbt: number }[] = []
  for (let n = 0; n < 3; n++) {
    const result = await lighthouse(url, {
      port: debugPort,
      output: 'json',
      logLevel: 'error',
      onlyCategories: ['performance'],
    })
    const { audits, categories } = result!.lhr
    scores.push({
      score: Math.round((categories['performance']!.score ?? 0) * 100),
      lcp: audits['largest-contentful-paint']!.numericValue ?? 0,
      tbt: audits['total-blocking-time']!.numericValue ?? 0,
    })
  }
  const { score, lcp, tbt } = scores.sort((a, b) => b.score - a.score)[1]!
  const plain = (what: string, ours: string, bar: string, met: boolean) => ({
    what,
    ours,
    ceiling: '',
    ratio: '',
    bar,
    met,
  })
  return [
    plain('F3 Lighthouse of the map, mobile', String(score), '≥ 90', score >= 90),
    plain('F3 largest contentful paint', `${(lcp / 1000).toFixed(2)} s`, '≤ 1.5 s', lcp <= 1500),
    plain('F3 total blocking time', `${Math.round(tbt)} ms`, '≤ 350 ms', tbt <= 350),
  ]
}

/**
 * MapLibre alone, as it comes: the same basemap and deals, in a page that is nothing but the map. It is ready when all is
 * drawn, as ours is: at `idle` its last frame is only on its way.
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
  const page = `<!doctype html><div id="map" style="position:absolute;inset:0 0 0 416px"></div><script type="module">
    const [{ Map, setWorkerUrl }, style, rows] = await Promise.all([
      import('/maplibre/maplibre-gl.mjs'),
      fetch('/style').then((answer) => answer.json()),
      fetch('/rows').then((answer) => answer.json()),
    ])
    setWorkerUrl(location.origin + '/maplibre/maplibre-gl-worker.mjs')
    const of = (kept) => ({ type: 'FeatureCollection', features: rows.filter(kept).map((row) => ({
      type: 'Feature', geometry: { type: 'Point', coordinates: [row.longitude, row.latitude] },
      properties: row.cluster ? { count: row.cluster, heap: 1 } : { key: row.deal_id, icon: row.is_premium ? 'premium' : 'deal', count: 1 } })) })
    style.sources['${overlaySources.premium}'].data = of((row) => row.is_premium)
    style.sources['${overlaySources.deals}'].data = of((row) => !row.is_premium)
    const map = new Map({ container: 'map', style, center: [7.5886, 47.5596], zoom: 13, attributionControl: false })
    map.setMissingStyleImageResolver((id) => map.addImage(id, new ImageData(32, 32)))
    map.once('idle', () => {
      const gl = map.getCanvas().getContext('webgl2')
      gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4))
      document.getElementById('map').setAttribute('data-map-ready', 'drawing')
    })
  </script>`
  const maplibre = join(import.meta.dirname, '../node_modules/maplibre-gl/dist')
  const server = createServer((request, response) => {
    const url = request.url!
    if (url === '/') return response.setHeader('content-type', 'text/html').end(page)
    if (url === '/style') return response.setHeader('content-type', 'application/json').end(JSON.stringify(style))
    if (url.startsWith('/maplibre/'))
      return response.setHeader('content-type', 'text/javascript').end(readFileSync(join(maplibre, basename(url))))
    fetch(url === '/rows' ? rows : base + url).then(
      async (answer) => {
        response.setHeader('content-type', answer.headers.get('content-type') ?? 'application/octet-stream')
        response.end(Buffer.from(await answer.arrayBuffer()))
      },
      () => response.writeHead(502).end(),
    )
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, server }
}
