import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import ICAL from 'ical.js'
import { chromium } from 'playwright-core'
import type { ListedEvent } from '../src/events/contract.ts'
import { importSchedule } from '../src/events/server/import-schedule.ts'
import { parseSchedule } from '../src/events/server/import/schedule-file.ts'
import { systemClock } from '../src/kit/server/clock.ts'
import { openDatabase } from '../src/kit/server/database.ts'
import { startEmbeddedPostgres } from '../src/kit/server/embedded-postgres.ts'
import { startJobs } from '../src/kit/server/jobs.ts'
import { migrate } from '../src/kit/server/migrate.ts'
import { autoplan, priorities } from '../src/schedule/autoplan.ts'
import { command } from '../src/staff/server/staff.ts'
import { startServer } from './servers.ts'
import { socketUrl } from './town.ts'

const file = '../shared/data/schedules/38c3-2024.schedule.xml'

export interface EventFigures {
  events: number
  /** 95th percentile of the list page from the server, one after another, each another part of the programme. */
  listP95Ms: number
  /** Best plan of sixty events. */
  autoplanMs: number
  /** null: no Chromium. */
  grid: {
    events: number
    /** From the navigation until its buttons are there, on a phone: 150 ms, 1.6 Mbit/s, CPU ÷ 4. */
    interactiveMs: number
    /** The longest task while it is scrolled, and how many last more than 50 ms. */
    longestTaskMs: number
    longTasks: number
    /** From the tap on a save button until it is pressed. */
    addMs: number
  } | null
  /** Events of the whole calendar as khal and ical.js read it; khal is null where it is not installed. */
  calendar: { ical: number; khal: number | null }
}

/** A large real programme on a server of its own; null where the file is not there. */
export async function measureEvents(script: string, executablePath: string | null): Promise<EventFigures | null> {
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
  const schedule = parseSchedule(readFileSync(file), { zone, name: '38c3.xml' })
  const { counts } = await importSchedule(room, { file: schedule, fileName: '38c3.xml', dryRun: false, actor: command })
  await db.destroy()
  const server = await startServer(
    script,
    { DATABASE_URL: url, DATA_DIR: dataDir, DEMO_DATA: 'off', FESTIVAL_ZONE: zone },
    { probe: '/readyz' },
  )
  try {
    const programme = await answer<{ days: { day: string; events: number }[]; stages: { stage_id: string }[] }>(
      `${server.base}/api/events/programme`,
    )
    const day = programme.days.toSorted((a, b) => b.events - a.events)[0]!
    const events = await answer<ListedEvent[]>(`${server.base}/api/events?day=${day.day}`)
    return {
      events: counts.new,
      listP95Ms: await pages(server.base, programme),
      autoplanMs: planOf(events.slice(0, 60)),
      grid: executablePath ? await gridOn(executablePath, `${server.base}/events?view=grid&day=${day.day}`) : null,
      calendar: calendarsOf(await (await fetch(`${server.base}/api/events.ics`)).text()),
    }
  } finally {
    await server.stop()
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function answer<Body>(url: string): Promise<Body> {
  return (await (await fetch(url)).json()) as Body
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

function planOf(events: ListedEvent[]): number {
  const wishes = events.map((event, index) => ({ ...event, priority: priorities[index % 3]! }))
  const began = performance.now()
  autoplan(wishes)
  return performance.now() - began
}

const flags = ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--no-first-run']

async function gridOn(executablePath: string, url: string): Promise<EventFigures['grid']> {
  const browser = await chromium.launch({ executablePath, args: flags })
  try {
    const page = await (await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true })).newPage()
    const phone = await page.context().newCDPSession(page)
    await phone.send('Emulation.setCPUThrottlingRate', { rate: 4 })
    await phone.send('Network.enable')
    const kbytes = (1.6 * 1024 * 1024) / 8
    const speed = { downloadThroughput: kbytes, uploadThroughput: kbytes / 2 }
    await phone.send('Network.emulateNetworkConditions', { offline: false, latency: 150, ...speed })
    await page.goto(url, { waitUntil: 'commit' })
    const button = page.locator('table [aria-pressed]').first()
    await button.waitFor({ state: 'attached', timeout: 60_000 })
    const interactiveMs = await page.evaluate(() => performance.now())
    await page.evaluate(() => {
      const tasks: number[] = []
      Object.assign(window, { tasks })
      new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
        type: 'longtask',
      })
    })
    await page.locator('table').hover({ position: { x: 200, y: 200 } })
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

function calendarsOf(text: string): EventFigures['calendar'] {
  const ical = new ICAL.Component(ICAL.parse(text) as never).getAllSubcomponents('vevent').length
  const folder = mkdtempSync(join(tmpdir(), 'rheinklang-khal-'))
  try {
    writeFileSync(join(folder, 'config'), `[calendars]\n[[bench]]\npath = ${join(folder, 'calendar')}\n`)
    writeFileSync(join(folder, 'all.ics'), text)
    const khal = (...args: string[]) =>
      execFileSync('khal', ['-c', join(folder, 'config'), ...args], {
        encoding: 'utf8',
        timeout: 60_000,
        env: { ...process.env, XDG_DATA_HOME: folder, XDG_CACHE_HOME: folder, LC_ALL: 'C.UTF-8' },
      })
    khal('import', '--batch', '-a', 'bench', join(folder, 'all.ics'))
    const first = /DTSTART[^:]*:(\d{4})(\d\d)(\d\d)/.exec(text)!
    const listed = khal('list', '--format', '{uid}', '--day-format', '', first.slice(1, 4).join('-'), '400d')
    return { ical, khal: new Set(listed.split('\n').filter(Boolean)).size }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { ical, khal: null }
    throw error
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
