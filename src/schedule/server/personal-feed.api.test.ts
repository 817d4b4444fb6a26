import ICAL from 'ical.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addEvent } from '../../../test/cast.ts'
import { aVisitor, get, post } from '../../../test/people.ts'
import { startTestApp, type TestApp } from '../../../test/start-app.ts'
import { wayBetween } from '../times.ts'

/** Nights in which the clocks of Basel change: moment, clock, offset, festival day. From Python's zoneinfo. */
const instants = [
  ['2025-10-25T00:00:00Z', '2025-10-25T02:00', '+02:00', '2025-10-24'],
  ['2025-10-25T01:00:00Z', '2025-10-25T03:00', '+02:00', '2025-10-24'],
  ['2025-10-25T18:00:00Z', '2025-10-25T20:00', '+02:00', '2025-10-25'],
  ['2025-10-25T22:00:00Z', '2025-10-26T00:00', '+02:00', '2025-10-25'],
  ['2025-10-25T23:00:00Z', '2025-10-26T01:00', '+02:00', '2025-10-25'],
  ['2025-10-25T23:30:00Z', '2025-10-26T01:30', '+02:00', '2025-10-25'],
  ['2025-10-26T00:00:00Z', '2025-10-26T02:00', '+02:00', '2025-10-25'],
  ['2025-10-26T00:15:00Z', '2025-10-26T02:15', '+02:00', '2025-10-25'],
  ['2025-10-26T00:30:00Z', '2025-10-26T02:30', '+02:00', '2025-10-25'],
  ['2025-10-26T00:45:00Z', '2025-10-26T02:45', '+02:00', '2025-10-25'],
  ['2025-10-26T00:59:00Z', '2025-10-26T02:59', '+02:00', '2025-10-25'],
  ['2025-10-26T01:00:00Z', '2025-10-26T02:00', '+01:00', '2025-10-25'],
  ['2025-10-26T01:01:00Z', '2025-10-26T02:01', '+01:00', '2025-10-25'],
  ['2025-10-26T01:15:00Z', '2025-10-26T02:15', '+01:00', '2025-10-25'],
  ['2025-10-26T01:30:00Z', '2025-10-26T02:30', '+01:00', '2025-10-25'],
  ['2025-10-26T01:45:00Z', '2025-10-26T02:45', '+01:00', '2025-10-25'],
  ['2025-10-26T02:00:00Z', '2025-10-26T03:00', '+01:00', '2025-10-25'],
  ['2025-10-26T02:30:00Z', '2025-10-26T03:30', '+01:00', '2025-10-25'],
  ['2025-10-26T05:00:00Z', '2025-10-26T06:00', '+01:00', '2025-10-26'],
  ['2025-10-27T01:00:00Z', '2025-10-27T02:00', '+01:00', '2025-10-26'],
  ['2026-03-28T00:00:00Z', '2026-03-28T01:00', '+01:00', '2026-03-27'],
  ['2026-03-28T01:00:00Z', '2026-03-28T02:00', '+01:00', '2026-03-27'],
  ['2026-03-28T18:00:00Z', '2026-03-28T19:00', '+01:00', '2026-03-28'],
  ['2026-03-28T22:00:00Z', '2026-03-28T23:00', '+01:00', '2026-03-28'],
  ['2026-03-28T23:00:00Z', '2026-03-29T00:00', '+01:00', '2026-03-28'],
  ['2026-03-28T23:30:00Z', '2026-03-29T00:30', '+01:00', '2026-03-28'],
  ['2026-03-29T00:00:00Z', '2026-03-29T01:00', '+01:00', '2026-03-28'],
  ['2026-03-29T00:15:00Z', '2026-03-29T01:15', '+01:00', '2026-03-28'],
  ['2026-03-29T00:30:00Z', '2026-03-29T01:30', '+01:00', '2026-03-28'],
  ['2026-03-29T00:45:00Z', '2026-03-29T01:45', '+01:00', '2026-03-28'],
  ['2026-03-29T00:59:00Z', '2026-03-29T01:59', '+01:00', '2026-03-28'],
  ['2026-03-29T01:00:00Z', '2026-03-29T03:00', '+02:00', '2026-03-28'],
  ['2026-03-29T01:01:00Z', '2026-03-29T03:01', '+02:00', '2026-03-28'],
  ['2026-03-29T01:15:00Z', '2026-03-29T03:15', '+02:00', '2026-03-28'],
  ['2026-03-29T01:30:00Z', '2026-03-29T03:30', '+02:00', '2026-03-28'],
  ['2026-03-29T01:45:00Z', '2026-03-29T03:45', '+02:00', '2026-03-28'],
  ['2026-03-29T02:00:00Z', '2026-03-29T04:00', '+02:00', '2026-03-28'],
  ['2026-03-29T02:30:00Z', '2026-03-29T04:30', '+02:00', '2026-03-28'],
  ['2026-03-29T05:00:00Z', '2026-03-29T07:00', '+02:00', '2026-03-29'],
  ['2026-03-30T01:00:00Z', '2026-03-30T03:00', '+02:00', '2026-03-29'],
] as const

/** The events of a calendar as read by a program that knows only the zones inside the calendar. */
function read(text: string) {
  const calendar = new ICAL.Component(ICAL.parse(text))
  ICAL.TimezoneService.reset()
  for (const zone of calendar.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(zone)
  return calendar.getAllSubcomponents('vevent').map((event) => ({
    uid: String(event.getFirstPropertyValue('uid')),
    summary: String(event.getFirstPropertyValue('summary')),
    status: event.getFirstPropertyValue('status'),
    sequence: event.getFirstPropertyValue('sequence'),
    zone: event.getFirstProperty('dtstart')!.getParameter('tzid') ?? null,
    starts: new ICAL.Event(event).startDate.toJSDate().toISOString(),
    ends: new ICAL.Event(event).endDate.toJSDate().toISOString(),
    alarms: event.getAllSubcomponents('valarm').map((alarm) => String(alarm.getFirstPropertyValue('trigger'))),
  }))
}

let app: TestApp
let token: string
beforeAll(async () => {
  app = await startTestApp()
  token = (await aVisitor(app)).authToken
})
afterAll(() => app.close())

const pathIn = (url: string) => new URL(url).pathname
const rotate = async () =>
  pathIn((await post(app, '/api/schedule/feed/rotate', undefined, { token })).body.feed_url as string)

describe('the calendar of a schedule', () => {
  it('is a valid calendar while it is empty', async () => {
    const answer = await get(app, await rotate())
    expect(answer.headers.get('content-type')).toBe('text/calendar; charset=utf-8')
    // personal, so no proxy may cache it
    expect(answer.headers.get('cache-control')).toBe('private, no-cache')
    expect(read(answer.text)).toEqual([])
  })

  it('has each event with a stable id, status, sequence and an alarm for each reminder, but no note', async () => {
    const event_id = await addEvent(app.db, 'Rock, Paper; "Scissors"', '2026-06-20T19:00:00Z', { sequence: 3 })
    const cancelled = await addEvent(app.db, 'Dorfrock', '2026-06-20T21:00:00Z', { state: 'cancelled', ends_at: null })
    await post(app, '/api/schedule', { event_id, note: 'Secret crush', reminders: [30, 0] }, { token })
    await post(app, '/api/schedule', { event_id: cancelled, reminders: [10] }, { token })
    const { text } = await get(app, await rotate())
    expect(text).not.toContain('crush')
    // RFC 5545: the properties of a calendar come before its components
    const own = text.slice(0, text.indexOf('BEGIN:VTIMEZONE'))
    expect(own).toMatch(/^X-WR-CALNAME:/m)
    expect(own).toMatch(/^X-PUBLISHED-TTL:/m)
    expect(read(text)).toEqual([
      {
        uid: `${event_id}@rheinklang`,
        summary: 'Rock, Paper; "Scissors"',
        status: 'CONFIRMED',
        sequence: 3,
        zone: 'Europe/Zurich',
        starts: '2026-06-20T19:00:00.000Z',
        ends: '2026-06-20T20:00:00.000Z',
        alarms: ['PT0S', '-PT30M'],
      },
      expect.objectContaining({
        summary: 'Dorfrock',
        status: 'CANCELLED',
        // without an end, an event lasts an hour
        ends: '2026-06-20T22:00:00.000Z',
        alarms: [],
      }),
    ])
  })

  it('answers 304 while it is unchanged', async () => {
    const path = await rotate()
    const first = await get(app, path)
    const etag = first.headers.get('etag')!
    const again = await fetch(app.url + path, { headers: { 'if-none-match': etag } })
    expect(again.status).toBe(304)
    const event_id = await addEvent(app.db, 'Later', '2026-06-20T22:30:00Z')
    await post(app, '/api/schedule', { event_id }, { token })
    expect((await fetch(app.url + path, { headers: { 'if-none-match': etag } })).status).toBe(200)
  })

  it('gets a new address on demand, and the old one is no longer found', async () => {
    const [first, second] = [await rotate(), await rotate()]
    expect(second).not.toBe(first)
    expect(await get(app, first)).toMatchObject({ status: 404, body: { code: 'shared_schedule_not_found' } })
    expect((await get(app, second)).status).toBe(200)
    const { share_url } = (await post(app, '/api/schedule/share', undefined, { token })).body
    const shareToken = String(share_url).split('/').at(-1)
    expect((await get(app, `/api/schedule/feed/${shareToken}.ics`)).status).toBe(404)
  })
})

describe('in the nights in which the clocks change', () => {
  let events: ReturnType<typeof read>
  let listed: { event: { title: string; starts_at: string; festival_day: string } }[]
  beforeAll(async () => {
    const other = await aVisitor(app, 'night@example.org')
    const event_ids: string[] = []
    for (const [at] of instants)
      event_ids.push(
        await addEvent(app.db, at, at, { ends_at: Temporal.Instant.from(at).add({ minutes: 7 }).toString() }),
      )
    await post(app, '/api/schedule/import', { event_ids }, { token: other.authToken })
    const { feed_url } = (await post(app, '/api/schedule/feed/rotate', undefined, { token: other.authToken })).body
    events = read((await get(app, pathIn(feed_url))).text)
    listed = (await get(app, '/api/schedule', other.authToken)).body.entries
  })

  it.each(instants)(
    '%s is %s (%s) on the festival day %s, in the schedule and in the calendar',
    (at, clock, offset, day) => {
      const moment = Temporal.Instant.from(at)
      const wall = moment.toZonedDateTimeISO('Europe/Zurich')
      expect([wall.toPlainDateTime().toString({ smallestUnit: 'minute' }), wall.offset]).toEqual([clock, offset])
      expect(listed.find(({ event }) => event.title === at)!.event).toMatchObject({
        starts_at: moment.toString({ smallestUnit: 'millisecond' }),
        festival_day: day,
      })
      expect(events.find(({ summary }) => summary === at)).toMatchObject({
        starts: moment.toString({ smallestUnit: 'millisecond' }),
        ends: moment.add({ minutes: 7 }).toString({ smallestUnit: 'millisecond' }),
      })
      // 20 minutes on foot, as a time of day
      const there = { latitude: 47.5601, longitude: 7.5897 }
      const way = wayBetween(
        {
          event_id: 'a',
          starts_at: moment.subtract({ hours: 2 }).toString(),
          ends_at: moment.subtract({ hours: 1 }).toString(),
          venue: there,
        },
        { event_id: 'b', starts_at: at, ends_at: null, venue: { ...there, latitude: there.latitude + 0.011 } },
      )
      expect(way).toEqual({
        gap: 60,
        walk: 20,
        fit: 'fits',
        leave_at: moment.subtract({ minutes: 20 }).toString({ smallestUnit: 'millisecond' }),
      })
    },
  )
})
