import { chromium, type Browser, type Page } from 'playwright-core'
import { onSlowNetwork, slowDown } from './phone.ts'

/** One way from a cold start to a deal that can be used now, near me. */
export interface WayToNow {
  way: string
  /** After the question for the position, which is allowed beforehand. */
  taps: number
  /** From the address to the list with its first running deal: the median, ms. */
  ms: number
  /** What stands first in the list, and whether it can be used by what the API says of it. */
  first: string
  isUsable: boolean
}

const here = { latitude: 47.5612, longitude: 7.5905, accuracy: 20 }
const flags = ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--no-first-run']

type Tap = (page: Page) => Promise<void>
/** As soon as it is seen, be the page alive or not. */
const tap =
  (selector: string): Tap =>
  async (page) => {
    const link = page.locator(selector).first()
    await link.waitFor({ state: 'visible', timeout: 60_000 })
    await link.tap()
  }

const now = 'main a[href*="openNow=true"][href*="near=centre"]'
const ways: Record<string, { from: string; taps: Tap[] }> = {
  'home, now near me': { from: '/', taps: [tap(now)] },
  'home, food, now near me': { from: '/', taps: [tap('main a[href*="category=food"]'), tap(`${now}[href*="food"]`)] },
  'deals, now near me': { from: '/deals', taps: [tap(now)] },
}

/**
 * "Food, open, near me" as on a phone that was never here: as slow as phone.ts says, 1.6 Mbit/s with 150 ms there and back, a new browser for
 * each run.
 */
export async function measureNow(executablePath: string, base: string, runs: number): Promise<WayToNow[]> {
  const found: WayToNow[] = []
  for (const [way, { from, taps }] of Object.entries(ways)) {
    const times: number[] = []
    let first = ''
    for (let run = 0; run < runs; run++) {
      const browser = await chromium.launch({ executablePath, args: flags })
      try {
        const page = await phone(browser)
        const began = performance.now()
        await page.goto(base + from, { waitUntil: 'commit' })
        for (const each of taps) await each(page)
        first = await firstRunning(page)
        times.push(performance.now() - began)
      } finally {
        await browser.close()
      }
    }
    const deal = (await (await fetch(`${base}/api/deals/${first}`)).json()) as {
      deal_name: string
      usable_now: boolean
    }
    found.push({
      way,
      taps: taps.length,
      ms: times.toSorted((a, b) => a - b)[Math.floor(runs / 2)]!,
      first: deal.deal_name,
      isUsable: deal.usable_now,
    })
  }
  return found
}

async function phone(browser: Browser): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 390, height: 664 },
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
    geolocation: here,
    permissions: ['geolocation'],
  })
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await slowDown(context, devtools)
  await onSlowNetwork(devtools)
  return page
}

/** The id of the first deal of a list around the position, once it is there and says that it can be used. */
async function firstRunning(page: Page): Promise<string> {
  const found = await page.waitForFunction(
    () => {
      if (!location.search.includes('lat=')) return null
      const card = document.querySelector('main li article')
      if (!card?.querySelector('.text-moss-text') || document.querySelector('main[aria-busy]')) return null
      return card.querySelector<HTMLAnchorElement>('a[href^="/deal/"]')?.pathname.split('/').pop() ?? null
    },
    undefined,
    { polling: 'raf', timeout: 60_000 },
  )
  return String(await found.jsonValue())
}
