import lighthouse from 'lighthouse'
import { throttling } from 'lighthouse/core/config/constants.js'
import { chromium } from 'playwright-core'
import { findChromium } from '../scripts/find-chromium.ts'
import { builtServer, startServer } from '../test/built-server.ts'
import { freePort } from '../test/free-port.ts'
import type { Checkout } from './checkouts.ts'
import { temporaryFolder } from './folder.ts'
import { phoneSlowdown } from './phone.ts'
import { median, plain, type Row } from './report.ts'
import { scriptKb } from './scripts.ts'

/** Results of Lighthouse's mobile preset for a page (150 ms RTT, 1.6 Mbit/s, a phone's CPU: `phone.ts`). */
export interface PageFigures {
  /** 0 to 100 each. */
  performance: number
  accessibility: number
  bestPractices: number
  seo: number
  lcpMs: number
  tbtMs: number
  cls: number
  /** Ids of failed audits. */
  failed: string[]
}

export const browserFlags = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

/** F1 and F2: the eleven public pages of the demo, medians of `runs`, in turn with another checkout. */
export async function pageRows(
  checkouts: Checkout[],
  { only, runs }: { only: string[]; runs: number },
): Promise<Row[]> {
  const executablePath = chromiumPath()
  await using stack = new AsyncDisposableStack()
  const sites: { root: string; base: string; pages: string[] }[] = []
  for (const { root } of checkouts) {
    const folder = stack.use(temporaryFolder())
    const env = { DATA_DIR: folder.path, DATABASE_URL: '' }
    const { base } = stack.use(await startServer(builtServer, env, { probe: '/readyz', cwd: root }))
    sites.push({ root, base, pages: await publicPages(base) })
  }
  const rows: Row[] = []
  for (const [n, path] of sites[0]!.pages.entries()) {
    const name = path.replace(/[\da-f-]{36}/, '…')
    if (only.length > 0 && !only.includes(name)) continue
    const figures = sites.map((): PageFigures[] => [])
    for (let run = 0; run < runs; run++)
      for (const [which, { base, pages }] of sites.entries())
        figures[which]!.push(await measurePage(executablePath, base + pages[n]!))
    const [ours, before] = figures.map(medianOf) as [PageFigures, PageFigures?]
    const { performance, accessibility, bestPractices, seo, lcpMs, tbtMs, cls } = ours
    const isPerfect = Math.min(accessibility, bestPractices, seo) === 100
    const met = performance >= 97 && isPerfect && lcpMs <= 1600 && tbtMs <= 100 && cls <= 0.02
    const bar = '≥ 97, 100, 100, 100; ≤ 1.6 s, ≤ 100 ms, ≤ 0.02'
    rows.push({ ...plain(`F2 ${name}`, textOf(ours), bar, met), beside: before ? textOf(before) : '' })
    const kb: number[] = []
    for (const { root, base, pages } of sites) kb.push(scriptKb(root, await (await fetch(base + pages[n]!)).text()))
    const [scripts, scriptsBefore] = kb.map((each) => `${each.toFixed(0)} kB`) as [string, string?]
    rows.push({ ...plain(`F1 scripts of ${name}`, scripts, '≤ 150 kB', kb[0]! <= 150), beside: scriptsBefore ?? '' })
  }
  return rows
}

export function chromiumPath(): string {
  const path = findChromium()
  if (!path) throw new Error('There is no browser, so nothing can be measured.')
  return path
}

async function publicPages(base: string): Promise<string[]> {
  const first = async (path: string) => ((await (await fetch(base + path)).json()) as Record<string, string>[])[0]!
  const { deal_id, business_id } = await first('/api/deals?limit=1')
  const { event_id } = await first('/api/events?limit=1')
  const { topic_id } = await first('/api/forum/topics?limit=1')
  const things = [`/deal/${deal_id}`, `/business/${business_id}`, `/event/${event_id}`, `/topic/${topic_id}`]
  return ['/', '/deals', '/business', '/events', '/forum', '/help', '/contact', ...things]
}

function textOf({ performance, accessibility, bestPractices, seo, lcpMs, tbtMs, cls, failed }: PageFigures): string {
  const scores = `${performance}, ${accessibility}, ${bestPractices}, ${seo}`
  const odd = failed.length > 0 ? ` (${failed.join(', ')})` : ''
  return `${scores}; ${(lcpMs / 1000).toFixed(2)} s, ${tbtMs.toFixed(0)} ms, ${cls.toFixed(3)}${odd}`
}

function medianOf(figures: PageFigures[]): PageFigures {
  const of = (name: Exclude<keyof PageFigures, 'failed'>) => median(figures.map((each) => each[name]))
  return {
    performance: of('performance'),
    accessibility: of('accessibility'),
    bestPractices: of('bestPractices'),
    seo: of('seo'),
    lcpMs: of('lcpMs'),
    tbtMs: of('tbtMs'),
    cls: of('cls'),
    failed: [...new Set(figures.flatMap(({ failed }) => failed))],
  }
}

/** Measures a page in a new browser. Lighthouse sometimes fails to record a good page, so it tries up to three times. */
export async function measurePage(executablePath: string, url: string, args: string[] = []): Promise<PageFigures> {
  for (let tries = 1; ; tries++) {
    const port = await freePort()
    using folder = temporaryFolder()
    const context = await chromium.launchPersistentContext(folder.path, {
      executablePath,
      args: [...browserFlags, ...args, `--remote-debugging-port=${port}`],
    })
    try {
      return await run(url, port, await phoneSlowdown(context))
    } catch (error) {
      if (tries === 3) throw error
    } finally {
      await context.close()
    }
  }
}

async function run(url: string, port: number, slowdown: number): Promise<PageFigures> {
  const result = await lighthouse(url, {
    port,
    logLevel: 'error',
    output: 'json',
    throttling: { ...throttling.mobileSlow4G, cpuSlowdownMultiplier: slowdown },
  })
  if (!result || result.lhr.runtimeError)
    throw new Error(`Lighthouse: ${result?.lhr.runtimeError?.message ?? 'no answer'}`)
  const { audits, categories } = result.lhr
  const score = (id: string) => Math.round((categories[id]?.score ?? 0) * 100)
  const value = (id: string) => audits[id]?.numericValue ?? Number.NaN
  const counted = ['accessibility', 'best-practices', 'seo'].flatMap((id) => categories[id]?.auditRefs ?? [])
  return {
    performance: score('performance'),
    accessibility: score('accessibility'),
    bestPractices: score('best-practices'),
    seo: score('seo'),
    lcpMs: value('largest-contentful-paint'),
    tbtMs: value('total-blocking-time'),
    cls: value('cumulative-layout-shift'),
    failed: counted
      .filter(({ id, weight }) => weight > 0 && audits[id]?.score !== null && (audits[id]?.score ?? 1) < 1)
      .map(({ id }) => id),
  }
}
