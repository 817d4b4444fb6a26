import { existsSync } from 'node:fs'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hydrated, inBrowser, useBrowser } from './browser.ts'
import { small } from './map-pages.ts'

const reference = '../shared/data/basel/basel.pmtiles'

async function basemap(page: Page): Promise<string | null> {
  await page.locator('[data-map-ready]').waitFor()
  return page.locator('[data-map-ready]').getAttribute('data-map-ready')
}

/** The operator's map service, working or failing. */
let answerStyle: (response: ServerResponse) => void
let service: Server
let origin = ''
const json = (response: ServerResponse, status: number, body: unknown) => {
  response.writeHead(status, {
    'content-type': 'application/json',
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
  })
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
}
const area = { type: 'Polygon', coordinates: [[[7, 47], [8, 47], [8, 48], [7, 48], [7, 47]]] } // prettier-ignore
const healthy = {
  version: 8,
  sources: {
    land: {
      type: 'geojson',
      data: { type: 'Feature', properties: {}, geometry: area },
      attribution: '<b>Survey</b> Ltd',
    },
  },
  layers: [{ id: 'land', type: 'fill', source: 'land', paint: { 'fill-color': '#aaddaa' } }],
}
const dead = (kind = 'dead') => ({
  version: 8,
  sources: { tiles: { type: 'vector', tiles: [`${origin}/${kind}/{z}/{x}/{y}.pbf`] } },
  layers: [{ id: 'roads', type: 'line', source: 'tiles', 'source-layer': 'roads' }],
})

const pictures = () => ({
  version: 8,
  sources: { pictures: { type: 'raster', url: `${origin}/tiles.json`, tileSize: 256 } },
  layers: [{ id: 'pictures', type: 'raster', source: 'pictures' }],
})
const onePixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

beforeAll(async () => {
  service = createServer((request, response) => {
    if (request.url!.startsWith('/style')) answerStyle(response)
    else if (request.url!.startsWith('/missing')) json(response, 404, {})
    else if (request.url!.startsWith('/tiles.json'))
      json(response, 200, {
        tilejson: '3.0.0',
        tiles: [`${origin}/picture/{z}/{x}/{y}.png`],
        attribution: '<a href="https://survey.example/licence">&copy; Survey of Pictures</a>',
      })
    else if (request.url!.startsWith('/picture')) {
      response.writeHead(200, {
        'content-type': 'image/png',
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
      })
      response.end(Buffer.from(onePixel, 'base64'))
    } else json(response, 401, { error: 'no key' })
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => service.once('listening', resolve))
  origin = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
  // the stories' application reads these when it starts
  process.env['STORY_STYLE_URL'] = `${origin}/style.json?key={key}`
})
afterAll(() => service.close())

inBrowser('an online map', () => {
  const at = useBrowser({
    demo: true,
    now: null,
    get env() {
      return {
        MAP_STYLE_URL: process.env['STORY_STYLE_URL']!,
        MAP_KEY: 'k 1',
        MAP_ORIGINS: 'http://tiles.example.ch,http://fonts.example.ch',
      }
    },
  })
  const expected = /foreign request|401|404|Failed to load resource|ERR_/

  it('is used if it works, with its own credits as plain text', async () => {
    let asked = ''
    answerStyle = (response) => {
      asked = response.req.url!
      json(response, 200, healthy)
    }
    const { page, faults } = await at.visit('/dealsmap', { viewport: small, expected })
    await expect.poll(() => basemap(page)).toBe('online')
    expect(asked).toBe('/style.json?key=k%201')
    await page.getByText('Survey Ltd').waitFor()
    expect(faults).toEqual([])
  })

  it('with raster tiles is used too, with the credits of its tile description', async () => {
    answerStyle = (response) => json(response, 200, pictures())
    const { page, faults } = await at.visit('/dealsmap', { viewport: small, expected })
    await expect.poll(() => basemap(page)).toBe('online')
    const credit = page.getByRole('link', { name: '© Survey of Pictures' })
    await expect.poll(() => credit.getAttribute('href')).toBe('https://survey.example/licence')
    expect(faults).toEqual([])
  })

  it('is named on the privacy page, with all hosts that it loads from', async () => {
    const { page, faults } = await at.visit('/privacy')
    const hosts = `${new URL(origin).host}, tiles.example.ch, and fonts.example.ch`
    await hydrated(page)
    await expect.poll(() => page.getByText(`from third parties: the map, from ${hosts}`).isVisible()).toBe(true)
    await expect
      .poll(() => page.getByText(`load it from ${hosts}, which can then see your IP address`).isVisible())
      .toBe(true)
    expect(faults).toEqual([])
  })

  type Answer = (response: ServerResponse) => void
  const answers: [string, Answer][] = [
    ['answers a page', (response) => json(response, 200, '<html>')],
    ['has empty tiles', (response) => json(response, 200, dead('missing'))],
    ['is not found', (response) => json(response, 404, {})],
    ['refuses the key', (response) => json(response, 401, {})],
    ['is no style', (response) => json(response, 200, { version: 7 })],
    ['has no tiles', (response) => json(response, 200, dead())],
  ]
  it.each(answers)('that %s is replaced by the drawing, with a message', async (_, answer) => {
    answerStyle = answer
    const { page, faults } = await at.visit('/dealsmap', { viewport: small, expected })
    await expect.poll(() => basemap(page)).toBe('drawing')
    await page
      .getByText(/you see our drawing of Basel/)
      .first()
      .waitFor()
    await expect.poll(() => page.getByText('© Rheinklang').isVisible()).toBe(true)
    expect(faults).toEqual([])
  })
})

describe.skipIf(!existsSync(reference))('with a map pack', () => {
  inBrowser('the map', () => {
    const at = useBrowser({ demo: true, now: null, env: { MAP_PACK: reference } })

    it('is drawn from the pack, with the credits of the pack', async () => {
      const { page, faults } = await at.visit('/dealsmap', { viewport: small })
      await expect.poll(() => basemap(page)).toBe('pack')
      await expect
        .poll(() =>
          page
            .getByText(/OpenStreetMap/)
            .first()
            .isVisible(),
        )
        .toBe(true)
      expect(faults).toEqual([])
    })

    it('is the drawing if the pack cannot be loaded', async () => {
      const { page } = await at.visit('/', { viewport: small })
      await page.route('**/*.pmtiles', (route) => route.abort())
      await page.goto('/dealsmap')
      await expect.poll(() => basemap(page)).toBe('drawing')
      await page
        .getByText(/you see our drawing of Basel/)
        .first()
        .waitFor()
    })
  })
})

inBrowser('a festival outside the drawing', () => {
  const at = useBrowser({ demo: true, now: null, env: { FESTIVAL_LAT: '46.948', FESTIVAL_LON: '7.447' } })

  it('still has a map, with its controls', async () => {
    const { page, faults } = await at.visit('/dealsmap', { viewport: small })
    await expect.poll(() => basemap(page)).toBe('drawing')
    await expect.poll(() => page.getByRole('button', { name: 'Zoom in' }).isVisible()).toBe(true)
    expect(faults).toEqual([])
  })
})

inBrowser('the code of the map', () => {
  const at = useBrowser()

  it('comes only from this server, and the privacy page says so', async () => {
    const { page } = await at.visit('/privacy')
    await expect.poll(() => page.getByText('nothing loaded from third parties').isVisible()).toBe(true)
  })
  const isMapCode = (url: string) => /\/((engine|pack)-|DealsMap)[\w-]*\.js|\/map\/drawing/.test(url)

  it('is not loaded by other pages, until a link to the map is hovered or focused', async () => {
    const { page } = await at.visit('/deals', { viewport: small, savesData: false })
    const loaded: string[] = []
    page.on('request', (request) => loaded.push(request.url()))
    for (const path of ['/', '/deals', '/business']) {
      await page.goto(path, { waitUntil: 'networkidle' })
      await hydrated(page)
    }
    expect(loaded.filter(isMapCode)).toEqual([])
    const engine = page.waitForRequest((request) => /\/engine-/.test(request.url()))
    await page.getByRole('banner').getByRole('link', { name: 'Map' }).hover()
    await engine
    await page.getByRole('banner').getByRole('link', { name: 'Map' }).click()
    await expect.poll(() => basemap(page)).toBe('drawing')
  })
})
