import { readFileSync } from 'node:fs'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { chromium, type Browser } from 'playwright-core'
import { PMTiles } from 'pmtiles'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../start-app.ts'
import { desktop, inBrowser, patienceMs } from './browser.ts'

/** How a provider of online maps answers: its style, its tile description, its tiles. */
interface Provider {
  style?: (response: ServerResponse) => void
  tileJson?: (response: ServerResponse) => void
  tiles?: (response: ServerResponse) => void
}
const json = (status: number, body: unknown) => (response: ServerResponse) =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
const silence = () => {}

inBrowser('a map, whatever the provider does', () => {
  let provider: Server
  let behaviour: Provider = {}
  let origin = ''
  let tilesOrigin = ''
  let withPack: TestApp
  let withoutOrigins: TestApp
  let browser: Browser
  let tile: Buffer

  const style = () => ({
    version: 8,
    sources: { city: { type: 'vector', url: `${tilesOrigin}/tiles.json`, attribution: '© Street Provider' } },
    layers: [
      { id: 'ground', type: 'background', paint: { 'background-color': '#ffffff' } },
      { id: 'water', type: 'fill', source: 'city', 'source-layer': 'rhein', paint: { 'fill-color': '#0000ff' } },
      { id: 'streets', type: 'line', source: 'city', 'source-layer': 'strassen', paint: { 'line-width': 6 } },
    ],
  })
  const tileJson = () => ({ tiles: [`${tilesOrigin}/{z}/{x}/{y}.pbf`], minzoom: 9, maxzoom: 13 })

  beforeAll(async () => {
    const packFile = resolve('test/map-pack/town.pmtiles')
    const bytes = Uint8Array.from(readFileSync(packFile))
    const town = new PMTiles({
      getKey: () => 'town',
      getBytes: async (offset, length) => ({ data: bytes.slice(offset, offset + length).buffer }),
    })
    tile = Buffer.from((await town.getZxy(13, 4268, 2862))!.data)
    provider = createServer((request, response) => {
      response.setHeader('access-control-allow-origin', '*')
      const { style: answerStyle, tileJson: describe, tiles } = behaviour
      if (request.url === '/style.json') (answerStyle ?? json(200, style()))(response)
      else if (request.url === '/tiles.json') (describe ?? json(200, tileJson()))(response)
      else if (tiles) tiles(response)
      else response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end(tile)
    })
    await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
    const { port } = provider.address() as AddressInfo
    // two origins of one server, like those of providers
    origin = `http://127.0.0.1:${port}`
    tilesOrigin = `http://localhost:${port}`
    // without deals, so that only the map is visible
    const env = { MAP_STYLE_URL: `${origin}/style.json` }
    withPack = await startTestApp({
      pages: true,
      env: { ...env, MAP_ORIGINS: tilesOrigin, MAP_PACK: packFile },
    })
    withoutOrigins = await startTestApp({ pages: true, env })
    browser = await launch('--use-gl=angle', '--use-angle=swiftshader-webgl', '--ignore-gpu-blocklist')
  })
  afterAll(async () => {
    await browser?.close()
    await withPack?.close()
    await withoutOrigins?.close()
    provider?.closeAllConnections()
    await new Promise((resolve) => provider.close(resolve))
  })

  /** Opens the deals map. @returns the basemap in use */
  async function basemapOf(app: TestApp, of: Provider, by: Browser = browser, path = '/dealsmap') {
    behaviour = of
    const context = await by.newContext({ viewport: desktop, baseURL: app.url, locale: 'en-GB' })
    context.setDefaultTimeout(patienceMs)
    try {
      const page = await context.newPage()
      const exceptions: string[] = []
      const blocked: string[] = []
      page.on('pageerror', (error) => exceptions.push(error.message))
      await page.exposeFunction('reportViolation', (text: string) => blocked.push(text))
      await page.addInitScript(() => {
        document.addEventListener('securitypolicyviolation', (event) => {
          ;(window as unknown as { reportViolation(text: string): void }).reportViolation(
            `${event.violatedDirective} ${new URL(event.blockedURI).origin}`,
          )
        })
      })
      await page.goto(path)
      const map = page.locator('[data-map-ready]')
      await map.waitFor()
      const basemap = await map.getAttribute('data-map-ready')
      const picture = await map.screenshot()
      return {
        basemap,
        exceptions,
        blocked: [...new Set(blocked)],
        credits: await map.innerText(),
        isBlank: await isBlank(picture),
      }
    } finally {
      await context.close()
    }
  }

  const ends = { exceptions: [], blocked: [], isBlank: false }
  const faults: [string, Provider][] = [
    ['a missing style (404)', { style: json(404, {}) }],
    ['an error with status 200', { style: json(200, { error: 'quota exceeded' }) }],
    ['refused tiles (401)', { tiles: json(401, {}) }],
    ['hanging tiles', { tiles: silence }],
    ['an error as tile description', { tileJson: json(200, { error: 'quota exceeded' }) }],
  ]
  it.each(faults)('%s: the map pack takes over', async (_, of) => {
    const seen = await basemapOf(withPack, of)
    expect(seen).toMatchObject({ ...ends, basemap: 'pack' })
    expect(seen.credits).toContain('River: drawn by hand')
    expect(seen.credits).not.toContain('Street Provider')
  })

  it('a zoom beyond that of the pack: the pack, enlarged', async () => {
    const seen = await basemapOf(withPack, { style: json(404, {}) }, browser, '/dealsmap?lat=47.5565&lon=7.6&z=15')
    expect(seen).toMatchObject({ ...ends, basemap: 'pack' })
  })

  it('tiles from an origin that the Content Security Policy does not allow: the drawing takes over', async () => {
    const seen = await basemapOf(withoutOrigins, {})
    expect(seen).toMatchObject({ ...ends, basemap: 'drawing', blocked: [`connect-src ${tilesOrigin}`] })
    expect(seen.credits).toContain('OpenStreetMap contributors')
  })

  it('no WebGL: the outline, with its credits', async () => {
    const plain = await launch('--disable-gpu', '--disable-3d-apis')
    try {
      const seen = await basemapOf(withPack, {}, plain)
      expect(seen).toMatchObject({ ...ends, basemap: 'outline' })
      expect(seen.credits).toContain('OpenStreetMap contributors')
    } finally {
      await plain.close()
    }
  })

  it('a healthy provider: the online map, with its own credits', async () => {
    const seen = await basemapOf(withPack, {})
    expect(seen).toMatchObject({ ...ends, basemap: 'online' })
    expect(seen.credits).toContain('© Street Provider')
  })
})

function launch(...args: string[]): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env['CHROME_PATH'] ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      ...args,
    ],
  })
}

/** Whether the middle of a picture has one colour: the map shows nothing. */
async function isBlank(png: Buffer): Promise<boolean> {
  const { width, height } = await sharp(png).metadata()
  const middle = { left: width >> 2, top: height >> 2, width: width >> 1, height: height >> 1 }
  const { data, info } = await sharp(png).extract(middle).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const colours = new Map<number, number>()
  for (let at = 0; at < data.length; at += info.channels) {
    const colour = (data[at]! << 16) | (data[at + 1]! << 8) | data[at + 2]!
    colours.set(colour, (colours.get(colour) ?? 0) + 1)
  }
  return Math.max(...colours.values()) > 0.995 * info.width * info.height
}
