import type { Page } from 'playwright-core'
import { expect } from 'vitest'

export const small = { width: 1100, height: 720 }

/** Waits until the map shows something. @returns the basemap */
export async function mapReady(page: Page): Promise<string | null> {
  await page.locator('[data-map-ready]').waitFor()
  return page.locator('[data-map-ready]').getAttribute('data-map-ready')
}

/** `mapReady`, no search is running, and its pins are drawn: before that a click finds no pin. */
export async function mapAtRest(page: Page): Promise<string | null> {
  const shown = await mapReady(page)
  await expect.poll(() => page.getByText('Updating Deals...').or(page.locator('#map [aria-busy]')).count()).toBe(0)
  return shown
}

export const list = (page: Page) => page.getByRole('region', { name: 'Deals and places on the map' })
export const items = (page: Page) => list(page).getByRole('listitem')
export const names = (page: Page) => items(page).getByRole('heading').allInnerTexts()
export const searches = (page: Page) => {
  const asked: URL[] = []
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.pathname === '/api/deals/search') asked.push(url)
  })
  return asked
}

/** Delays requests to an address. @returns a function that lets them continue */
export async function hold(page: Page, url: string | RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(url, async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

/** Mean colour of a square of 8 × 8 pixels of the page. */
export async function colourAt(page: Page, x: number, y: number): Promise<[number, number, number]> {
  const png = (await page.screenshot({ clip: { x: x - 4, y: y - 4, width: 8, height: 8 } })).toString('base64')
  return page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
    const picture = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
    const pen = new OffscreenCanvas(8, 8).getContext('2d')!
    pen.drawImage(picture, 0, 0)
    const { data } = pen.getImageData(0, 0, 8, 8)
    const sum = [0, 0, 0]
    for (let at = 0; at < data.length; at++) if (at % 4 < 3) sum[at % 4]! += data[at]!
    return sum.map((each) => Math.round(each / 64)) as [number, number, number]
  }, png)
}

export const rgb = (hex: string) =>
  [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as [number, number, number]

/** Whether a square of that half side around a spot contains a colour. */
export async function hasColour(page: Page, x: number, y: number, [r, g, b]: [number, number, number], reach = 14) {
  const clip = { x: x - reach, y: y - reach, width: reach * 2, height: reach * 2 }
  const png = (await page.screenshot({ clip })).toString('base64')
  return page.evaluate(
    async ({ base64, wanted }) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
      const picture = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
      const pen = new OffscreenCanvas(picture.width, picture.height).getContext('2d')!
      pen.drawImage(picture, 0, 0)
      const { data } = pen.getImageData(0, 0, picture.width, picture.height)
      let found = 0
      for (let at = 0; at < data.length; at += 4)
        if (wanted.every((value, channel) => Math.abs(value - data[at + channel]!) < 12)) found++
      return found > 20
    },
    { base64: png, wanted: [r, g, b] },
  )
}

/** Where a place is on the page, px, while the map shows `centre` with `zoom`. */
export async function spot(
  page: Page,
  place: { latitude: number; longitude: number },
  centre: typeof place,
  zoom: number,
  within?: { x: number; y: number; width: number; height: number },
) {
  const box = within ?? (await page.locator('.maplibregl-canvas').boundingBox())!
  const world = 512 * 2 ** zoom
  const x = (longitude: number) => ((longitude + 180) / 360) * world
  const y = (latitude: number) =>
    (0.5 - Math.log(Math.tan(Math.PI / 4 + (latitude * Math.PI) / 360)) / (2 * Math.PI)) * world
  return {
    x: box.x + box.width / 2 + x(place.longitude) - x(centre.longitude),
    y: box.y + box.height / 2 + y(place.latitude) - y(centre.latitude),
  }
}

/** The middle of the first mark of a still map that nothing covers, and the number in it. */
export const uncovered = (page: Page, selector: string) =>
  page.locator(`#map ${selector}`).evaluateAll((all) => {
    const spots = all.map((each) => ({ each, box: each.getBoundingClientRect() }))
    const middles = spots.map(({ each, box }) => ({ each, x: box.x + box.width / 2, y: box.y + box.height / 2 }))
    const found = middles.find(({ each, x, y }) => each.contains(document.elementFromPoint(x, y)))
    return found && { x: found.x, y: found.y, count: Number(found.each.textContent) }
  })

/** Opens the map at the festival, without the visitor's position. */
export const here = '/dealsmap?near=centre'

export const withoutWebGl = () => {
  const { value } = Object.getOwnPropertyDescriptor(HTMLCanvasElement.prototype, 'getContext')!
  HTMLCanvasElement.prototype.getContext = new Proxy(value as HTMLCanvasElement['getContext'], {
    apply: (getContext, canvas, args: [string]) =>
      args[0].startsWith('webgl') ? null : Reflect.apply(getContext, canvas, args),
  })
}

/** Touches of fingers on the page, as a phone reports them. */
export async function touch(page: Page) {
  const session = await page.context().newCDPSession(page)
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: [number, number][]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) })
  return async (...path: [number, number][][]) => {
    await send('touchStart', path[0]!)
    for (const points of path.slice(1)) await send('touchMove', points)
    await send('touchEnd', [])
  }
}

/** Moves the map by keys until another search is offered; each step ends, and is in the address, before the next. */
export async function walkEast(page: Page) {
  const button = page.getByRole('button', { name: 'Search this area' })
  await page.locator('.maplibregl-canvas').focus()
  const step = async () => {
    const before = page.url()
    await page.keyboard.press('ArrowRight')
    await page.waitForURL(({ href }) => href !== before)
    return button.count()
  }
  await expect.poll(step).toBe(1)
  return button
}
