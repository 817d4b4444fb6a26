import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import ICAL from 'ical.js'
import { goodPassword } from '../test/good-password.ts'
import type { Database } from '../src/kit/server/database.ts'
import { entriesMost, picksMost } from '../src/schedule/contract.ts'

/** How many events readers of a calendar find at the start and the end that the source says; null: not installed. */
export interface ReadCalendar {
  ical: number
  khal: number | null
}

/** `expected`: start and end by our ids. */
export function calendarsOf(text: string, expected: Map<string, string>): ReadCalendar {
  const right = (found: Map<string, string>) =>
    found.size === expected.size ? [...expected].filter(([id, said]) => found.get(id) === said).length : -found.size
  const calendar = new ICAL.Component(ICAL.parse(text) as never)
  // no zone but those that the calendar brings along
  ICAL.TimezoneService.reset()
  for (const zone of calendar.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(zone)
  const ical = calendar.getAllSubcomponents('vevent').map((each) => {
    const { uid, startDate, endDate } = new ICAL.Event(each)
    return [idOf(uid), span(startDate.toJSDate().getTime(), endDate.toJSDate().getTime())] as const
  })
  const khal = readByKhal(text)
  return { ical: right(new Map(ical)), khal: khal && right(khal) }
}

/** The personal calendar of a visitor who saves as many of the events as a schedule holds. */
export async function ownCalendarOf(
  base: string,
  expected: Map<string, string>,
): Promise<{ text: string; saved: Map<string, string> }> {
  const person = { email: 'calendar@example.org', password: goodPassword }
  let authToken = ''
  const post = async (path: string, body: object) => {
    const answer = await fetch(base + path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...(authToken ? { authorization: `Bearer ${authToken}` } : {}) },
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as { authToken: string; feed_url: string }
  }
  await post('/api/auth/signup', { ...person, display_name: 'Bench', accepts_terms: true })
  authToken = (await post('/api/auth/login', person)).authToken
  const saved = [...expected].slice(0, entriesMost)
  for (let at = 0; at < saved.length; at += picksMost)
    await post('/api/schedule/import', { event_ids: saved.slice(at, at + picksMost).map(([id]) => id) })
  const { feed_url } = await post('/api/schedule/feed/rotate', {})
  const feed = await fetch(base + new URL(feed_url).pathname)
  return { text: await feed.text(), saved: new Map(saved) }
}

const idOf = (uid: string) => uid.split('@')[0]!

/** Debian's calendar for the terminal; null where it is not installed. */
function readByKhal(text: string): Map<string, string> | null {
  const folder = mkdtempSync(join(tmpdir(), 'rheinklang-khal-'))
  try {
    const iso = 'dateformat = %Y-%m-%d\nlongdateformat = %Y-%m-%d\ntimeformat = %H:%M\n'
    const both = 'datetimeformat = %Y-%m-%dT%H:%M:00Z\nlongdatetimeformat = %Y-%m-%dT%H:%M:00Z\n'
    writeFileSync(
      join(folder, 'config'),
      `[calendars]\n[[bench]]\npath = ${join(folder, 'calendar')}\n[locale]\nlocal_timezone = UTC\ndefault_timezone = UTC\n${iso}${both}`,
    )
    writeFileSync(join(folder, 'all.ics'), text)
    const khal = (...args: string[]) =>
      execFileSync('khal', ['-c', join(folder, 'config'), ...args], {
        encoding: 'utf8',
        timeout: 60_000,
        maxBuffer: 2 ** 24,
        env: { ...process.env, XDG_DATA_HOME: folder, XDG_CACHE_HOME: folder, LC_ALL: 'C.UTF-8' },
      })
    khal('import', '--batch', '-a', 'bench', join(folder, 'all.ics'))
    // an event of the small hours may begin on the day before by the clock of the list
    const [, year, month, day] = /DTSTART[^:]*:(\d{4})(\d\d)(\d\d)/.exec(text.slice(text.indexOf('BEGIN:VEVENT')))!
    const first = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day) - 1)).toISOString().slice(0, 10)
    const format = ['--once', '--format', '{uid} {start-long} {end-long}', '--day-format', '']
    const lines = khal('list', ...format, first, '400d')
      .split('\n')
      .filter(Boolean)
    return new Map(
      lines.map((line) => {
        const [uid, start, end] = line.split(' ')
        return [idOf(uid!), span(Date.parse(start!), Date.parse(end!))]
      }),
    )
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Start and end of each event, ms, as the source says them, read without our parser; by our ids. */
export async function saidBySource(db: Database, text: string): Promise<Map<string, string>> {
  const said = new Map(
    text
      .split('<event ')
      .slice(1)
      .map((event) => {
        const of = (pattern: RegExp) => pattern.exec(event)![1]!
        const start = Date.parse(of(/<date>([^<]+)</))
        const [hours, minutes] = of(/<duration>([^<]+)</)
          .split(':')
          .map(Number)
        return [of(/guid="([^"]+)"/), span(start, start + (hours! * 60 + minutes!) * 60_000)]
      }),
  )
  const rows = await db.selectFrom('events').select(['event_id', 'source_id']).orderBy('starts_at').execute()
  return new Map(rows.map(({ event_id, source_id }) => [event_id, said.get(source_id ?? '') ?? '']))
}

const span = (start: number, end: number) => `${new Date(start).toISOString()} ${new Date(end).toISOString()}`
