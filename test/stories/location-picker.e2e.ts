import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import type { Page } from 'playwright-core'
import { build } from 'vite'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectAccessible, inBrowser, phone, useBrowser } from './browser.ts'
import { withoutWebGl } from './map-pages.ts'

const types: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
}

inBrowser('a merchant sets the location', () => {
  const at = useBrowser({})
  const folder = mkdtempSync(join(tmpdir(), 'rheinklang-picker-'))
  let server: Server
  let url = ''

  beforeAll(async () => {
    await build({
      root: join(process.cwd(), 'test/stories/picker'),
      configFile: false,
      logLevel: 'error',
      plugins: [tailwindcss()],
      build: { outDir: folder, target: 'es2023', assetsInlineLimit: 0, modulePreload: { polyfill: false } },
    })
    server = createServer((request, response) => {
      const path = request.url!.split('?')[0]!
      if (path.startsWith('/map/')) {
        // the application serves the drawing, as on its own pages
        void fetch(at.app.url + path).then(async (answer) => response.end(Buffer.from(await answer.arrayBuffer())))
        return
      }
      const file = join(folder, path === '/' ? 'index.html' : path)
      if (!existsSync(file)) return response.writeHead(404).end()
      response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' })
      response.end(readFileSync(file))
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  })
  afterAll(() => {
    server?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const open = async (more: Parameters<typeof at.visit>[1] = {}) => {
    const { page, faults } = await at.visit('/favicon.svg', {
      viewport: phone,
      ...more,
      expected: /foreign|Failed to load resource/,
    })
    return { page, faults }
  }
  const place = (page: Page) => page.locator('[data-place]').innerText()
  const longitudeOf = async (page: Page) => Number((JSON.parse(await place(page)) as { longitude: string }).longitude)
  const ready = (page: Page) => page.locator('[data-map-ready]').waitFor()

  it('by two numbers, and the pin moves there', async () => {
    const { page, faults } = await open()
    await page.goto(url)
    await ready(page)
    await page.getByLabel('Latitude').fill('47,5581')
    await page.getByLabel('Longitude').fill('7.5878')
    await expect.poll(() => place(page)).toBe('{"latitude":"47.5581","longitude":"7.5878"}')
    await page.locator('.maplibregl-marker').waitFor()
    await page.getByLabel('Latitude').fill('975')
    await expect.poll(() => page.getByText(/A number from −90 to 90/).isVisible()).toBe(true)
    // the form sends a wrong number, and the server refuses it
    await expect.poll(() => place(page)).toBe('{"latitude":"975","longitude":"7.5878"}')
    await expectAccessible(page)
    expect(faults).toEqual([])
  })

  it('by dragging the pin', async () => {
    const { page } = await open()
    await page.goto(url)
    await ready(page)
    await page.getByLabel('Latitude').fill('47.5581')
    await page.getByLabel('Longitude').fill('7.5878')
    const pin = page.locator('.maplibregl-marker')
    await pin.scrollIntoViewIfNeeded()
    // the pin rests when it is twice in the same place
    let before = ''
    await expect
      .poll(async () => {
        const now = JSON.stringify(await pin.boundingBox())
        const isStill = now === before
        before = now
        return isStill
      })
      .toBe(true)
    const box = (await pin.boundingBox())!
    await page.mouse.move(box.x + 16, box.y + 14)
    await page.mouse.down()
    await page.mouse.move(box.x + 40, box.y + 14, { steps: 4 })
    await page.mouse.move(box.x + 76, box.y + 14, { steps: 4 })
    await page.mouse.up()
    await expect.poll(async () => Number(await page.getByLabel('Longitude').inputValue())).toBeGreaterThan(7.588)
    expect(Number(await page.getByLabel('Latitude').inputValue())).toBeCloseTo(47.5581, 3)
    await expect.poll(() => longitudeOf(page)).toBe(Number(await page.getByLabel('Longitude').inputValue()))
  })

  it('by a tap on the map, if there is no pin yet', async () => {
    const { page } = await open({ reducedMotion: 'reduce' })
    await page.goto(url)
    await ready(page)
    const map = page.locator('[data-map-ready]')
    await map.scrollIntoViewIfNeeded()
    const box = (await map.boundingBox())!
    await page.mouse.click(box.x + box.width / 2 + 30, box.y + box.height / 2)
    await page.locator('.maplibregl-marker').waitFor()
    await expect.poll(() => longitudeOf(page)).toBeGreaterThan(7.5887)
    expect(Number(await page.getByLabel('Latitude').inputValue())).toBeCloseTo(47.5596, 3)
  })

  it('by keyboard: move the map, set the pin in its middle', async () => {
    const { page } = await open({ reducedMotion: 'reduce' })
    await page.goto(url)
    await ready(page)
    await page.locator('.maplibregl-canvas').focus()
    await page.keyboard.press('ArrowRight')
    await page.getByRole('button', { name: 'Place the pin in the centre of the map' }).focus()
    await expect
      .poll(async () => {
        await page.keyboard.press('Enter')
        return longitudeOf(page)
      })
      .toBeGreaterThan(7.5887)
    await page.getByRole('button', { name: 'No location' }).press('Enter')
    await expect.poll(() => place(page)).toBe('{"latitude":"","longitude":""}')
  })

  it('without WebGL by two numbers, or on the picture of the city', async () => {
    const { page } = await open()
    await page.addInitScript(withoutWebGl)
    await page.goto(url)
    await ready(page)
    await expect.poll(() => page.locator('[data-map-ready]').getAttribute('data-map-ready')).toBe('outline')
    await page.getByLabel('Latitude').fill('47.5581')
    await page.getByLabel('Longitude').fill('7.5878')
    await expect.poll(() => place(page)).toBe('{"latitude":"47.5581","longitude":"7.5878"}')
    await page.locator('[data-mark="pin"]').waitFor()
    const map = page.locator('[data-map-ready]')
    const box = (await map.boundingBox())!
    await map.click({ position: { x: box.width / 2 - 60, y: box.height / 2 } })
    await expect.poll(() => longitudeOf(page)).toBeLessThan(7.5878)
    await page.locator('[data-map-ready]').getByRole('region').focus()
    for (let n = 0; n < 3; n++) await page.keyboard.press('ArrowRight')
    await page.getByRole('button', { name: /centre of the map/ }).focus()
    await expect
      .poll(async () => {
        await page.keyboard.press('Enter')
        return longitudeOf(page)
      })
      .toBeGreaterThan(7.5879)
  })
})
