import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { sql } from 'kysely'
import { chromium } from 'playwright-core'
import type { ListedEvent } from '../src/events/contract.ts'
import { importSchedule } from '../src/events/server/import-schedule.ts'
import { read as readSchedule } from '../src/events/server/import/schedule-file.ts'
import { systemClock } from '../src/kit/server/clock.ts'
import { openDatabase, type Database } from '../src/kit/server/database.ts'
import { startEmbeddedPostgres } from '../src/kit/server/embedded-postgres.ts'
import { startJobs } from '../src/kit/server/jobs.ts'
import { migrate } from '../src/kit/server/migrate.ts'
import { autoplan, priorities } from '../src/schedule/autoplan.ts'
import { command } from '../src/staff/server/staff.ts'
import { findEvent } from '../src/events/server/store/event-rows.ts'
import { listEvents } from '../src/events/server/store/programme.ts'
import { byTurns, cpuRatio } from './beside.ts'
import { calendarsOf, ownCalendarOf, saidBySource, type ReadCalendar } from './calendars.ts'
import { load, type Figure } from './load.ts'
import { recordSql } from './recorded-sql.ts'
import { startServer } from './servers.ts'
import { socketUrl } from './town.ts'
import { onSlowNetwork, slowDown } from './phone.ts'

const folder = '../shared/data/schedules/'
const file = `${folder}38c3-2024.schedule.xml`
/** As many times the programme for the second size. */
const times = 10

export interface EventFigures {
  events: number
  /** Reading the file, in which the process does nothing else, and the whole import. */
  import: { readMs: number; totalMs: number }
  /** Beside a bare server that does the same work (P1, P3, P4). */
  beside: Record<'list' | 'item' | 'page' | 'listPage', [Figure, Figure]>
  /** Median of one request after another, ms, for this programme and for one of ten times as many events. */
  growth: Record<'list' | 'item' | 'day' | 'page', [before: number, after: number]>
  /** 95th percentile of the list page from the server, one after another, each another part of the programme. */
  listP95Ms: number
  /** Best plan of sixty events. */
  autoplanMs: number
  /** null: no Chromium. */
  grid: {
    events: number
    /** From the navigation until its buttons are there, on a phone: 150 ms, 1.6 Mbit/s, as slow as phone.ts says. */
    interactiveMs: number
    /** While it is scrolled, of all turns: the longest task, and how many of more than 50 ms each turn had. */
    longestTaskMs: number
    longTasks: number[]
    /** From the tap on a save button until it is pressed. */
    addMs: number
  } | null
  calendar: ReadCalendar
  /** Of a visitor who has as much of it in the schedule as there is room for. */
  ownCalendar: ReadCalendar & { events: number }
  /** What speaks against the published schemas; null: xmllint is not installed. */
  faults: { json: string[]; xml: string[] | null }
}

interface Programme {
  db: Database
  url: string
  server: Awaited<ReturnType<typeof startServer>>
  postmaster: number
  events: number
  import: EventFigures['import']
  /** Start and end of each event by our ids, as the source says them. */
  expected: Map<string, string>
}

/** A large real programme on a server of its own; null where the file is not there. */
async function onProgramme<Figures>(
  script: string,
  measure: (programme: Programme) => Promise<Figures>,
): Promise<Figures | null> {
  if (!existsSync(file)) return null
  const dataDir = mkdtempSync(join(tmpdir(), 'rheinklang-bench-events-'))
  const postgres = await startEmbeddedPostgres({ dataDir })
  const url = socketUrl(postgres)
  const { db } = openDatabase({ connectionString: url }, { patient: true })
  await migrate(db)
  // the clock of the congress, by the name of a zone that a festival may have
  const zone = 'Europe/Zurich'
  await (await startJobs(db, () => ({}), { zone, log: () => {} })).stop()
  const room = { db, clock: systemClock, zone, jobs: { enqueue: async () => {} } }
  // next year's: what is over has no button to save it. The same days of a winter, so the clocks stand alike
  const nextYear = `${new Date().getUTCFullYear() + 1}-12-`
  const bytes = Buffer.from(readFileSync(file, 'utf8').replaceAll('2024-12-', nextYear))
  const began = performance.now()
  const schedule = readSchedule(bytes, { zone, name: '38c3.xml' })
  const readMs = performance.now() - began
  const { counts } = await importSchedule(room, { file: schedule, fileName: '38c3.xml', dryRun: false, actor: command })
  const totalMs = performance.now() - began
  const expected = await saidBySource(db, bytes.toString('utf8'))
  const server = await startServer(
    script,
    { DATABASE_URL: url, DATA_DIR: dataDir, DEMO_DATA: 'off', FESTIVAL_ZONE: zone },
    { probe: '/readyz' },
  )
  try {
    return await measure({
      db,
      url,
      server,
      postmaster: postgres.pid!,
      events: counts.new,
      import: { readMs, totalMs },
      expected,
    })
  } finally {
    await db.destroy()
    await server.stop()
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Only what readers of calendars make of the feeds. */
export const measureCalendars = (script: string) =>
  onProgramme(script, async ({ server, events, expected }) => ({ events, ...(await calendars(server.base, expected)) }))

const text = async (url: string) => (await ask(url)).text()

async function calendars(base: string, expected: Map<string, string>) {
  // both are fetched first: while khal reads, the server closes connections that rest
  const whole = await text(`${base}/api/events.ics`)
  const own = await ownCalendarOf(base, expected)
  return {
    calendar: calendarsOf(whole, expected),
    ownCalendar: { events: own.saved.size, ...calendarsOf(own.text, own.saved) },
  }
}

export const measureEvents = (
  script: string,
  executablePath: string | null,
  seconds: number,
): Promise<EventFigures | null> =>
  onProgramme(script, async ({ db, url, server, postmaster, events: all, import: imported, expected }) => {
    const programme = await answer<{ days: { day: string; events: number }[]; stages: { stage_id: string }[] }>(
      `${server.base}/api/events/programme`,
    )
    const day = programme.days.toSorted((a, b) => b.events - a.events)[0]!
    const events = await answer<ListedEvent[]>(`${server.base}/api/events?day=${day.day}`)
    const pids = [server.pid, postmaster]
    const on = { databaseUrl: url, postmaster, seconds }
    const cost = (paths: string[]) => () => load(server.base, paths, { seconds, pids })
    const ids = [...expected.keys()]
    const lists = ids.map((_, offset) => offset)
    const oneDay = programme.stages.map(({ stage_id }) => stage_id)
    const listSql = await recordSql(url, async (db) => {
      for (const offset of lists) await listEvents(db, everything, { after: null, offset, limit: 20 })
    })
    const itemSql = await recordSql(url, async (db) => {
      for (const id of ids) await findEvent(db, id)
    })
    const daySql = await recordSql(url, async (db) => {
      for (const stage of oneDay)
        await listEvents(db, { ...everything, day: day.day, stage }, { after: null, offset: 0, limit: 100 })
    })
    const found = {
      events: all,
      import: imported,
      listP95Ms: await pages(server.base, programme),
      autoplanMs: planOf(events.slice(0, 60)),
      grid: executablePath ? await gridInTurns(executablePath, `${server.base}/events?view=grid&day=${day.day}`) : null,
      ...(await calendars(server.base, expected)),
      faults: faultsOf(await text(`${server.base}/api/events.json`), await text(`${server.base}/api/events.xml`)),
      beside: {
        list: await byTurns(
          on,
          { kind: 'pg', recorded: listSql },
          cost(lists.map((offset) => `/api/events?limit=20&offset=${offset}`)),
        ),
        item: await byTurns(on, { kind: 'pg', recorded: itemSql }, cost(ids.map((id) => `/api/events/${id}`))),
        page: await byTurns(
          on,
          { kind: 'react', recorded: itemSql, body: await text(`${server.base}/event/${ids[0]}`) },
          cost(ids.map((id) => `/event/${id}`)),
          cpuRatio,
        ),
        listPage: await byTurns(
          on,
          {
            kind: 'react',
            recorded: daySql,
            body: await text(`${server.base}/events?day=${day.day}&stage=${oneDay[0]}`),
          },
          cost(oneDay.map((stage) => `/events?day=${day.day}&stage=${stage}`)),
          cpuRatio,
        ),
      },
    }
    const before = await medians(server.base, day.day, ids.slice(0, 200))
    await multiply(db)
    // other events, so that nothing is known of them yet
    const after = await medians(server.base, day.day, ids.slice(200, 400))
    const growth = (name: keyof typeof before): [number, number] => [before[name], after[name]]
    return {
      ...found,
      growth: { list: growth('list'), item: growth('item'), day: growth('day'), page: growth('page') },
    }
  })

const everything = {
  day: null,
  dayFrom: null,
  dayTo: null,
  category: null,
  stage: null,
  venue: null,
  q: null,
  free: false,
  family: false,
  upcoming: false,
  from: null,
  to: null,
  ids: null,
}

/** A connection that rested while something else was measured may just be closing when the next request takes it. */
const ask = (url: string) => fetch(url).catch(() => fetch(url))

async function answer<Body>(url: string): Promise<Body> {
  return (await (await ask(url)).json()) as Body
}

async function pages(base: string, { days, stages }: { days: { day: string }[]; stages: { stage_id: string }[] }) {
  const paths = days.flatMap(({ day }) => [
    `/events?day=${day}`,
    ...stages.slice(0, 40).map(({ stage_id }) => `/events?day=${day}&stage=${stage_id}`),
  ])
  for (const path of paths.slice(0, 20)) await (await fetch(base + path)).arrayBuffer()
  const times: number[] = []
  for (const path of paths) {
    const began = performance.now()
    await (await fetch(base + path)).arrayBuffer()
    times.push(performance.now() - began)
  }
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)]!
}

async function medians(base: string, day: string, ids: string[]) {
  const median = async (paths: string[]) => {
    const times: number[] = []
    for (const path of paths) {
      const began = performance.now()
      await (await ask(base + path)).arrayBuffer()
      times.push(performance.now() - began)
    }
    return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!
  }
  return {
    list: await median(ids.map((_, n) => `/api/events?limit=20&offset=${n}`)),
    item: await median(ids.map((id) => `/api/events/${id}`)),
    day: await median(ids.slice(0, 40).map((_, n) => `/events?day=${day}&unread=${n}`)),
    page: await median(ids.map((id) => `/event/${id}`)),
  }
}

/** The programme again and again, week after week. */
async function multiply(db: Database) {
  await sql`
    insert into events
    select (jsonb_populate_record(null::events, to_jsonb(e) || jsonb_build_object(
      'event_id', gen_random_uuid(), 'source', null, 'source_id', null,
      'starts_at', e.starts_at + make_interval(weeks => week), 'over_at', e.over_at + make_interval(weeks => week),
      'ends_at', e.ends_at + make_interval(weeks => week), 'festival_day', e.festival_day + 7 * week))).*
    from events e, generate_series(1, ${times - 1}) week`.execute(db)
  await sql`analyze events`.execute(db)
}

function planOf(events: ListedEvent[]): number {
  const wishes = events.map((event, index) => ({ ...event, priority: priorities[index % 3]! }))
  const began = performance.now()
  autoplan(wishes)
  return performance.now() - began
}

const flags = ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--no-first-run']

/** The middle of three, each in a browser that has seen nothing of it; the first is also the server's first of the page. */
async function gridInTurns(executablePath: string, url: string): Promise<EventFigures['grid']> {
  const turns: Awaited<ReturnType<typeof gridOn>>[] = []
  while (turns.length < 3) turns.push(await gridOn(executablePath, url))
  return {
    ...turns.toSorted((one, other) => one.interactiveMs - other.interactiveMs)[1]!,
    longestTaskMs: Math.max(...turns.map(({ longestTaskMs }) => longestTaskMs)),
    longTasks: turns.map(({ longTasks }) => longTasks),
  }
}

async function gridOn(executablePath: string, url: string) {
  const browser = await chromium.launch({ executablePath, args: flags })
  try {
    const page = await (await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true })).newPage()
    const phone = await page.context().newCDPSession(page)
    await slowDown(page.context(), phone)
    await onSlowNetwork(phone)
    // the page itself notes when they come: the tool looks every half second
    await page.addInitScript(() => {
      const watcher = new MutationObserver(() => {
        if (!document.querySelector('table [aria-pressed]')) return
        watcher.disconnect()
        Object.assign(window, { interactiveMs: performance.now() })
      })
      watcher.observe(document, { childList: true, subtree: true })
    })
    await page.goto(url, { waitUntil: 'commit' })
    const button = page.locator('table [aria-pressed]').first()
    await button.waitFor({ state: 'attached', timeout: 60_000 })
    const interactiveMs = await page.evaluate(() => (window as unknown as { interactiveMs: number }).interactiveMs)
    // before tasks are looked at: finding out what lies below the pointer is work of the tool
    await page.locator('table').hover({ position: { x: 200, y: 200 } })
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
    await page.evaluate(() => {
      const tasks: number[] = []
      Object.assign(window, { tasks })
      new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
        type: 'longtask',
      })
    })
    for (let turn = 0; turn < 20; turn++) {
      await page.mouse.wheel(turn % 4 === 3 ? 200 : 0, 300)
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)))
    }
    const tasks = await page.evaluate(() => (window as unknown as { tasks: number[] }).tasks)
    const addMs = await button.evaluate(
      (element) =>
        new Promise<number>((resolve) => {
          const began = performance.now()
          new MutationObserver(() => resolve(performance.now() - began)).observe(element, {
            attributeFilter: ['aria-pressed'],
          })
          ;(element as HTMLElement).click()
        }),
    )
    return {
      events: await page.locator('[data-event]').count(),
      interactiveMs,
      longestTaskMs: Math.max(0, ...tasks),
      longTasks: tasks.length,
      addMs,
    }
  } finally {
    await browser.close()
  }
}

function faultsOf(json: string, xml: string): EventFigures['faults'] {
  const reader = new Ajv({ strict: false, allErrors: true, logger: false })
  reader.addMetaSchema(createRequire(import.meta.url)('ajv/dist/refs/json-schema-draft-06.json') as object)
  ;(addFormats as unknown as (to: Ajv) => void)(reader)
  const fits = reader.compile(JSON.parse(readFileSync(`${folder}schema-c3voc-schedule.schema.json`, 'utf8')) as object)
  fits(JSON.parse(json))
  const lint = spawnSync('xmllint', ['--noout', '--schema', `${folder}schema-c3voc-schedule.xsd`, '-'], {
    input: xml,
    encoding: 'utf8',
  })
  return {
    json: (fits.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`),
    xml: lint.error ? null : lint.stderr.split('\n').filter((line) => line && line !== '- validates'),
  }
}
