import { sql } from 'kysely'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { chromium } from 'playwright-core'
import { sumDays } from '../src/analytics/server/analytics.ts'
import { systemClock } from '../src/kit/server/clock.ts'
import { openDatabase } from '../src/kit/server/database.ts'
import { newId } from '../src/kit/server/ids.ts'
import { startServer, type RunningServer } from './servers.ts'
import { buildTown, type Town } from './town.ts'
import { onSlowNetwork, slowDown } from './phone.ts'

const password = 'lanterns over the river'

interface Merchant {
  businessId: string
  authToken: string
  refreshToken: string
}

/** The app on a town, with its database beside it. */
interface Site {
  town: Town
  app: RunningServer
  db: ReturnType<typeof openDatabase>['db']
}

/** `work` on a town of 1,000 deals. */
export async function onTown<Found>(work: (site: Site) => Promise<Found>): Promise<Found> {
  const town = await buildTown(1000)
  const folder = mkdtempSync(join(tmpdir(), 'rheinklang-bench-merchants-'))
  const { db, pool } = openDatabase({ connectionString: town.url }, { patient: true })
  const env = { DATABASE_URL: town.url, DATA_DIR: folder, TRUST_PROXY: 'on' }
  const app = await startServer('build/app/main.mjs', env, { probe: '/readyz' })
  try {
    return await work({ town, app, db })
  } finally {
    await app.stop()
    await pool.end()
    await town.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function aMerchant({ app, db }: Site, name: string): Promise<Merchant> {
  const email = `${name.toLowerCase().replaceAll(' ', '-')}@example.org`
  const form = new FormData()
  for (const [key, value] of Object.entries({ business_name: name, email, password })) form.set(key, value)
  await fetch(`${app.base}/api/business/signup`, { method: 'POST', body: form })
  const login = await fetch(`${app.base}/api/business/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  const merchant = (await login.json()) as Merchant
  await sql`
    update businesses set subscription_tier = 'ULTIMATE' where business_id = ${merchant.businessId}`.execute(db)
  return merchant
}

export interface AnalyticsFigures {
  events: number
  /** Hours of deals in which something was counted. */
  rows: number
  /** Of one answer, asked one after the other. */
  p95Ms: Record<'7 days' | '30 days' | 'all', number>
}

/** Figures of one merchant with about so many events in 40 deals over 120 days, 16 hours each. */
export function measureAnalytics(events: number, asks: number): Promise<AnalyticsFigures> {
  return onTown(async (site) => {
    const { app, db } = site
    const { businessId, authToken } = await aMerchant(site, 'Bar Nord')
    await sql`
      insert into deals (deal_id, business_id, deal_name, created_at, updated_at)
      select gen_random_uuid(), ${businessId}::uuid, 'Deal ' || n, now() - interval '121 days', now()
      from generate_series(1, 40) n`.execute(db)
    const [deals, days, hours] = [40, 120, 16]
    // of ten events six are looks at a list, three opens, one a claim that is redeemed
    const each = events / (deals * days * hours)
    const hoursOfDeals = sql`
      from deals d, generate_series(1, ${days}::int) day, generate_series(8, ${7 + hours}::int) hour
      where d.business_id = ${businessId}::uuid`
    const at = sql`date_trunc('day', now()) - make_interval(days => day) + make_interval(hours => hour)`
    await sql`
      insert into analytics_hours (deal_id, hour, impressions, claims, redemptions, sales_rappen)
      select d.deal_id, ${at}, round(random() * ${each} * 1.2), round(random() * ${each} * 0.1),
        round(random() * ${each} * 0.1), round(random() * ${each} * 100) ${hoursOfDeals}`.execute(db)
    await sql`
      insert into view_hours (kind, subject_id, hour, views, visitors)
      select 'deal', d.deal_id, ${at}, round(random() * ${each} * 0.6), round(random() * ${each} * 0.4)
      ${hoursOfDeals}`.execute(db)
    // as by the hourly job
    await sumDays({ db, clock: systemClock })
    await sql`vacuum analyze analytics_hours, view_hours, analytics_days, analytics_business_hours, deals`.execute(db)
    const {
      rows: [counted],
    } = await sql<{ events: number; rows: number }>`
      select sum(impressions + claims + redemptions)::int + (select sum(views) from view_hours)::int as events,
        count(*)::int as rows from analytics_hours`.execute(db)
    const since = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
    const ask = async (query: string) => {
      const began = performance.now()
      const answer = await fetch(`${app.base}/api/business/${businessId}/analytics${query}`, {
        headers: { authorization: `Bearer ${authToken}` },
      })
      await answer.arrayBuffer()
      if (answer.status !== 200) throw new Error(`The figures were answered with ${answer.status}.`)
      return performance.now() - began
    }
    const p95Ms = { '7 days': 0, '30 days': 0, all: 0 }
    for (const [range, query] of [
      ['7 days', `?from=${since(6)}`],
      ['30 days', `?from=${since(29)}`],
      ['all', ''],
    ] as const) {
      for (let n = 0; n < 5; n++) await ask(query)
      p95Ms[range] = await quantileOf(0.95, asks, () => ask(query))
    }
    return { events: counted!.events, rows: counted!.rows, p95Ms }
  })
}

export interface CountingFigures {
  /** Median of a visitor's search, ms: while nothing and while so many views and clicks a second are counted. */
  quietMs: number
  countingMs: number
  /** What the counting really was. */
  countedPerSecond: number
  failed: number
}

/** A visitor searches while a crowd opens pages of deals and merchants; each of the crowd has another address. */
export function measureCounting(perSecond: number, seconds: number): Promise<CountingFigures> {
  return onTown(async ({ app, town, db }) => {
    const merchants = await db.selectFrom('businesses').select('business_id').limit(200).execute()
    const paths = [
      ...town.sampleDealIds.map((id) => `/api/deals/${id}/view`),
      ...merchants.map(({ business_id }) => `/api/business/${business_id}/view`),
    ]
    let n = 0
    const search = async () => {
      const place = `lat=${(47.55 + (n % 50) / 5000).toFixed(4)}&lon=7.5886`
      const began = performance.now()
      await (await fetch(`${app.base}/api/deals/search?${place}&category=food&limit=20&n=${n++}`)).arrayBuffer()
      return performance.now() - began
    }
    const forSeconds = async () => {
      const times: number[] = []
      const until = performance.now() + seconds * 1000
      while (performance.now() < until) {
        times.push(await search())
        // as far apart as visitors are
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
      return quantile(times, 0.5)
    }
    await forSeconds()
    const quietBefore = await forSeconds()
    const crowd = autocannon({
      url: app.base,
      connections: 20,
      duration: seconds + 1,
      overallRate: perSecond,
      requests: Array.from({ length: 5000 }, (_, visitor) => ({
        method: 'PUT' as const,
        path: paths[visitor % paths.length]!,
        headers: { 'x-forwarded-for': `10.${visitor % 200}.${(visitor >> 4) % 250}.${visitor % 250}` },
      })),
    })
    await new Promise((resolve) => setTimeout(resolve, 500))
    const countingMs = await forSeconds()
    const { requests, errors, non2xx } = await crowd
    const quietMs = (quietBefore + (await forSeconds())) / 2
    return { quietMs, countingMs, countedPerSecond: requests.average, failed: errors + non2xx }
  })
}

export interface WriteFigures {
  /** New deals a second: over HTTP, by 32 merchants with their tokens, each with its `Idempotency-Key`, checked and shaped. */
  oursPerSecond: number
  /** The same row by one prepared statement, over node:http. */
  barePerSecond: number
  failed: number
}

/** P5: by turns, the pair with the median ratio. */
export function measureWrites(seconds: number, turns = 3): Promise<WriteFigures> {
  return onTown(async (site) => {
    const { app, town } = site
    const merchants: Merchant[] = []
    for (let n = 0; n < 32; n++) merchants.push(await aMerchant(site, `Bar ${n}`))
    const body = JSON.stringify({ deal_name: 'Spritz on the river', price: '8.50', category: 'drinks', draft: true })
    let sent = 0
    const ours = () =>
      writes(app.base, seconds, { path: '/api/deals', body }, () => ({
        // as browsers send it, and each time another merchant: 32 at once of one would wait for each other
        authorization: `Bearer ${merchants[sent++ % merchants.length]!.authToken}`,
        'content-type': 'application/json',
        'idempotency-key': newId(),
      }))
    const file = join(tmpdir(), `rheinklang-ceiling-${process.pid}.json`)
    const work = {
      kind: 'pg',
      sql: `insert into deals (deal_id, business_id, deal_name, price, price_rappen, category, state, created_at,
          updated_at, latitude, longitude)
        values (gen_random_uuid(), $1, 'Spritz on the river', '8.50', 850, 'drinks', 'draft', now(), now(), null, null)
        returning *`,
      parameters: merchants.map(({ businessId }) => [businessId]),
    }
    writeFileSync(file, JSON.stringify(work))
    const bare = await startServer(
      'bench/ceiling-server.ts',
      { DATABASE_URL: town.url, WORK: file, NODE_ENV: 'production' },
      { probe: '/' },
    )
    try {
      const pairs: WriteFigures[] = []
      for (let turn = 0; turn < turns; turn++) {
        // else a merchant's list grows beyond what one may have
        await sql`delete from deals where deal_name = 'Spritz on the river'`.execute(site.db)
        const mine = await ours()
        const theirs = await writes(bare.base, seconds, { path: '/' }, () => ({}))
        pairs.push({ oursPerSecond: mine.perSecond, barePerSecond: theirs.perSecond, failed: mine.failed })
      }
      return pairs.sort((a, b) => a.oursPerSecond / a.barePerSecond - b.oursPerSecond / b.barePerSecond)[turns >> 1]!
    } finally {
      await bare.stop()
      rmSync(file)
    }
  })
}

async function writes(
  base: string,
  seconds: number,
  request: { path: string; body?: string },
  headers: () => Record<string, string>,
) {
  const requests = [
    { ...request, method: 'POST', setupRequest: (each: { path: string }) => ({ ...each, headers: headers() }) },
  ]
  const found = await autocannon({ url: base, connections: 32, duration: seconds, requests })
  return { perSecond: found.requests.average, failed: found.errors + found.non2xx }
}

/** From the navigation until the form of a new deal can be filled in, on a phone: 150 ms, 1.6 Mbit/s, as slow as phone.ts says; cold. */
export function measureCreateDeal(executablePath: string, times = 3): Promise<number> {
  return onTown(async (site) => {
    const merchant = await aMerchant(site, 'Bar Nord')
    const browser = await chromium.launch({
      executablePath,
      args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--no-first-run'],
    })
    try {
      return await quantileOf(0.5, times, async () => {
        const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true })
        await context.addInitScript(
          (stored) => {
            for (const [key, value] of Object.entries(stored)) localStorage.setItem(key, value)
          },
          Object.assign({ userType: 'business' }, merchant),
        )
        const page = await context.newPage()
        const phone = await context.newCDPSession(page)
        await slowDown(context, phone)
        await onSlowNetwork(phone)
        await page.goto(`${site.app.base}/create-deal`, { waitUntil: 'commit' })
        const name = page.getByLabel('Deal Name')
        // the form is drawn by the script that makes it work
        await name.waitFor({ timeout: 60_000 })
        const ms = await page.evaluate(() => performance.now())
        await name.fill('Fondue')
        await context.close()
        return ms
      })
    } finally {
      await browser.close()
    }
  })
}

async function quantileOf(share: number, times: number, measure: () => Promise<number>): Promise<number> {
  const found: number[] = []
  for (let n = 0; n < times; n++) found.push(await measure())
  return quantile(found, share)
}

const quantile = (values: number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]!
