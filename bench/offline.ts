import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type BrowserContext } from 'playwright-core'
import { page as at } from '../src/site-map.ts'
import { startServer, type RunningServer } from './servers.ts'
import { slowDown } from './phone.ts'

/** My Schedule on a phone that was switched off, without a network, its CPU slowed down four times. */
export interface ColdStart {
  runs: number
  /** From the address to the painted schedule, of the median run, ms. */
  shownMs: number
  slowestMs: number
  /** Of the median run, ms from the address: the document has come, the last file before the schedule has come. */
  documentMs: number
  filesMs: number
  files: number
  /** What the main thread was busy with in tasks over 50 ms until then, ms. */
  busyMs: number
  /** Figures of its storage: all that the phone keeps, bytes. */
  keptBytes: number
}

type Start = Omit<ColdStart, 'runs' | 'slowestMs' | 'keptBytes'>

const entries = 20
const flags = ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--no-first-run']

export async function measureColdStart(executablePath: string, runs: number): Promise<ColdStart> {
  const folder = mkdtempSync(join(tmpdir(), 'rheinklang-bench-offline-'))
  const env = { DATA_DIR: join(folder, 'data'), DEMO_DATA: 'on' }
  let server: RunningServer | null = await startServer('build/app/main.mjs', env, { probe: '/readyz' })
  const phone = (offline: boolean) => startPhone(executablePath, join(folder, 'phone'), offline)
  try {
    const { base } = server
    const session = await aVisitorWithPlan(base)
    const online = await phone(false)
    const first = online.pages()[0]!
    await first.goto(base + at.mySchedule)
    await first.evaluate((values) => Object.assign(localStorage, values), session)
    await first.goto(base + at.mySchedule)
    await first.locator('main article').first().waitFor()
    await first.waitForFunction(() => localStorage.getItem('kept') !== null, undefined, { timeout: 120_000 })
    const keptBytes = await first.evaluate(async () => (await navigator.storage.estimate()).usage ?? 0)
    await online.close()
    await server.stop()
    server = null
    const starts: Start[] = []
    for (let run = 0; run < runs; run++) {
      const context = await phone(true)
      starts.push(await coldStart(context, base))
      await context.close()
    }
    const sorted = starts.toSorted((a, b) => a.shownMs - b.shownMs)
    return { runs, ...sorted[Math.floor(runs / 2)]!, slowestMs: sorted.at(-1)!.shownMs, keptBytes }
  } finally {
    await server?.stop()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

const startPhone = (executablePath: string, dataDir: string, offline: boolean): Promise<BrowserContext> =>
  chromium.launchPersistentContext(dataDir, {
    executablePath,
    args: flags,
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
    offline,
  })

async function coldStart(context: BrowserContext, base: string): Promise<Start> {
  const page = context.pages()[0]!
  const devtools = await context.newCDPSession(page)
  await slowDown(context, devtools)
  await page.addInitScript(() => {
    const busy: number[] = []
    new PerformanceObserver((list) => busy.push(...list.getEntries().map(({ duration }) => duration))).observe({
      type: 'longtask',
      buffered: true,
    })
    const look = () => {
      if (!document.querySelector('main article')) return requestAnimationFrame(look)
      // the frame after the one in which it is there has been painted with it
      return requestAnimationFrame(() => {
        const shownMs = performance.now()
        const files = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
        const [document] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
        const scripts = files.filter(({ name, responseEnd }) => name.includes('/assets/') && responseEnd <= shownMs)
        Object.assign(window, {
          coldStart: {
            shownMs,
            documentMs: document!.responseEnd,
            filesMs: Math.max(...scripts.map(({ responseEnd }) => responseEnd)),
            files: scripts.length,
            busyMs: busy.reduce((sum, each) => sum + each, 0),
          },
        })
      })
    }
    requestAnimationFrame(look)
  })
  await page.goto(base + at.mySchedule, { waitUntil: 'commit' })
  await page.waitForFunction(() => 'coldStart' in window, undefined, { timeout: 60_000 })
  return page.evaluate(() => (window as unknown as { coldStart: Start }).coldStart)
}

/** Signs up and saves the first events of the programme; answers what the browser keeps of the login. */
async function aVisitorWithPlan(base: string): Promise<Record<string, string>> {
  const call = async (path: string, body?: object, token?: string) => {
    const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) }
    const answer = await fetch(base + path, {
      headers,
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    })
    if (!answer.ok) throw new Error(`${path} answers ${answer.status}.`)
    return answer.json()
  }
  const who = { email: 'bench@example.org', password: randomBytes(12).toString('hex') }
  await call('/api/auth/signup', { display_name: 'Bench', accepts_terms: true, ...who })
  const login = (await call('/api/auth/login', who)) as Record<string, string>
  const { authToken = '', refreshToken = '' } = login
  const programme = (await call(`/api/events?limit=${entries}`)) as { event_id: string }[]
  for (const { event_id } of programme) await call('/api/schedule', { event_id }, authToken)
  return { authToken, refreshToken, userType: 'user' }
}
