import { presentChromium } from '../../scripts/find-chromium.ts'
import { measureCalendars, measureEvents, type EventFigures } from '../events.ts'
import { compare, pageRow, plain, type Row } from './row.ts'

function notThere(): Row[] {
  console.log('The programme of 38C3 is not at ../shared/data/schedules, so nothing was measured.')
  return []
}

/** What programs for calendars read in our feeds, alone. */
export async function onlyCalendarRows(): Promise<Row[]> {
  const found = await measureCalendars('build/app/main.mjs')
  return found ? calendarRows(found) : notThere()
}

function calendarRows({
  events,
  calendar,
  ownCalendar,
}: Pick<EventFigures, 'events' | 'calendar' | 'ownCalendar'>): Row[] {
  const row = (name: string, { ical, khal }: EventFigures['calendar'], all: number) =>
    plain(
      `Events: of ${name}, at the start and end of the source by ical.js and by khal`,
      khal === null ? `${ical}; khal is not installed` : `${ical} and ${khal}`,
      `${all} each`,
      ical === all && (khal === null || khal === all),
    )
  return [row('the calendar', calendar, events), row('a personal calendar', ownCalendar, ownCalendar.events)]
}

export async function eventRows(seconds: number): Promise<Row[]> {
  const found = await measureEvents('build/app/main.mjs', presentChromium(), seconds)
  if (!found) return notThere()
  const { events, listP95Ms, autoplanMs, grid } = found
  const { json, xml } = found.faults
  const of = `programme of ${events.toLocaleString('en')} events`
  const ms = (value: number) => `${value.toFixed(0)} ms`
  const rows = [
    plain(`Events, ${of}: list page from the server, p95`, ms(listP95Ms), '≤ 100 ms', listP95Ms <= 100),
    plain('Events: best plan of 60', `${autoplanMs.toFixed(1)} ms`, '≤ 1 s', autoplanMs <= 1000),
  ]
  if (grid) {
    const { interactiveMs, longTasks, longestTaskMs, addMs } = grid
    rows.push(
      plain(
        `Events: timetable of ${grid.events}, interactive on a throttled phone, the middle of three`,
        ms(interactiveMs),
        '≤ 2.5 s',
        interactiveMs <= 2500,
      ),
      plain(
        'Events: tasks over 50 ms while it is scrolled',
        `${longTasks.join(', ')} in three turns, longest ${ms(longestTaskMs)}`,
        '0',
        longTasks.toSorted((one, other) => one - other)[1] === 0,
      ),
      plain('Events: from the tap to the pressed button', ms(addMs), '≤ 100 ms', addMs <= 100),
    )
  }
  rows.push(
    ...calendarRows(found),
    plain(
      'Events: faults of our schedule JSON and XML by the schemas of others',
      xml === null ? `${json.length}; xmllint is not installed` : `${json.length} and ${xml.length}`,
      '0',
      json.length === 0 && (xml === null || xml.length === 0),
    ),
    plain(
      'Events: reading the file, in which the process does nothing else; the whole import',
      `${ms(found.import.readMs)}; ${ms(found.import.totalMs)}`,
      '≤ 1 s; ≤ 20 s',
      found.import.readMs <= 1000 && found.import.totalMs <= 20_000,
    ),
  )
  for (const fault of [...json, ...(xml ?? [])].slice(0, 10)) console.log(`  schema: ${fault}`)
  rows.push(compare('P1 Events: list of 20, JSON', ...found.beside.list, 0.6))
  rows.push(compare('P3 Events: one event, JSON', ...found.beside.item, 0.55))
  rows.push(pageRow('P4 Events: page of one event', ...found.beside.page))
  rows.push(pageRow('P4 Events: programme of a stage and day, page', ...found.beside.listPage))
  for (const [what, [before, after]] of Object.entries(found.growth))
    rows.push(
      plain(
        `P10 Events: ${what}, median from ${events.toLocaleString('en')} to ten times as many`,
        `${before.toFixed(1)} → ${after.toFixed(1)} ms`,
        '≤ 1.3 ×',
        after <= before * 1.3,
      ),
    )
  return rows
}
