import { asDate } from '../../kit/server/clock.ts'
import { FeedAnswer } from '../../kit/server/send-answer.ts'
import type { CheckedInput } from '../../kit/shared/endpoint.ts'
import { isUuid } from '../../kit/shared/input.ts'
import { plainText } from '../../kit/shared/rich-text.ts'
import { slugOf } from '../../kit/shared/slug.ts'
import { eventPage } from '../../site-map.ts'
import { dayEndsAtHour, feedLimit, type eventsCalendar, type ListedEvent } from '../contract.ts'
import { filtersOf, type EventRoom } from './programme.ts'
import { readDescription } from './read-description.ts'
import * as store from './store.ts'

type FeedQuery = Partial<CheckedInput<typeof eventsCalendar>['query']>

/** The programme as iCalendar: stable UIDs, sequence, status, times in UTC. A deleted event is sent until its row is removed. */
export async function calendarFeed(room: EventRoom, query: FeedQuery, origin: string): Promise<FeedAnswer> {
  // loaded with the first calendar, so that the server starts faster
  const { default: ical, ICalCalendarMethod, ICalEventStatus } = await import('ical-generator')
  const [rows, deleted] = await Promise.all([wantedRows(room, query), wantedRows(room, query, { deleted: true })])
  const calendar = ical({
    name: room.name,
    prodId: { company: room.name, product: 'programme', language: 'EN' },
    method: ICalCalendarMethod.PUBLISH,
  })
  for (const row of rows)
    calendar.createEvent({
      id: calendarUid(room, row),
      sequence: row.sequence,
      stamp: new Date(row.updated_at),
      lastModified: new Date(row.updated_at),
      ...(row.all_day
        ? calendarDays(row)
        : { start: new Date(row.starts_at), end: new Date(row.ends_at ?? row.over_at) }),
      summary: row.title,
      description: [peopleOf(row), descriptionOf(row)].filter(Boolean).join('\n\n') || null,
      location: calendarPlace(row),
      url: origin + eventPage(row.event_id),
      categories: [{ name: row.category }],
      status: row.state === 'cancelled' ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    })
  for (const row of deleted)
    calendar.createEvent({ ...deletedInCalendar(room, row), status: ICalEventStatus.CANCELLED })
  return new FeedAnswer(calendar.toString())
}

/** UID of an event in every calendar of the festival. */
export const calendarUid = ({ name }: { name: string }, { event_id }: { event_id: string }) =>
  `${event_id}@${slugOf(name) || 'festival'}`

/** The days of an all-day event in a calendar, where the end is the day after the last one. Dates are written in UTC. */
export const calendarDays = ({ festival_day, last_day }: Pick<ListedEvent, 'festival_day' | 'last_day'>) => ({
  allDay: true,
  start: new Date(festival_day),
  end: new Date(Date.parse(last_day) + 24 * 3_600_000),
})

/** The place of an event in a calendar; null: not known. */
export function calendarPlace({ stage, venue }: Pick<ListedEvent, 'stage' | 'venue'>) {
  const { venue_name = '', address = null, latitude: lat = null, longitude: lon = null } = venue ?? {}
  const lines = [stage, address?.startsWith(venue_name) ? null : venue_name, address].filter(Boolean)
  if (lines.length === 0) return null
  return { title: [...new Set(lines)].join(', '), ...(lat === null || lon === null ? {} : { geo: { lat, lon } }) }
}

/** A deleted event in a calendar, which gets it as cancelled, with title and time alone, and so removes it. */
export const deletedInCalendar = (festival: { name: string }, event: store.DeletedEvent) => ({
  id: calendarUid(festival, event),
  sequence: event.sequence,
  stamp: new Date(event.updated_at),
  lastModified: new Date(event.updated_at),
  start: new Date(event.starts_at),
  end: new Date(event.over_at),
  summary: event.title,
})

export async function frabJsonFeed(room: EventRoom, query: FeedQuery, origin: string): Promise<FeedAnswer> {
  const schedule = frabSchedule(room, await wantedRows(room, query), origin)
  const json = {
    $schema: 'https://c3voc.de/schedule/schema.json',
    generator: { name: 'rheinklang' },
    schedule: {
      version: schedule.version,
      base_url: origin,
      conference: {
        ...schedule.conference,
        daysCount: schedule.days.length,
        rooms: schedule.rooms,
        days: schedule.days.map(({ index, date, start, end, rooms }) => ({
          index,
          date,
          day_start: start,
          day_end: end,
          rooms: Object.fromEntries([...rooms].map(([room, events]) => [room, events])),
        })),
      },
    },
  }
  return new FeedAnswer(JSON.stringify(json))
}

export async function frabXmlFeed(room: EventRoom, query: FeedQuery, origin: string): Promise<FeedAnswer> {
  const { version, conference, days } = frabSchedule(room, await wantedRows(room, query), origin)
  const attributes = (of: Record<string, string | number>) =>
    Object.fromEntries(Object.entries(of).map(([name, value]) => [`@${name}`, value]))
  const xml = {
    '?xml': { '@version': '1.0', '@encoding': 'UTF-8' },
    schedule: {
      generator: attributes({ name: 'rheinklang' }),
      url: `${origin}/api/events.xml`,
      version,
      conference: { ...conference, days: days.length },
      day: days.map(({ index, date, start, end, rooms }) => ({
        ...attributes({ index, date, start, end }),
        room: [...rooms].map(([name, events]) => ({
          ...attributes({ name }),
          event: events.map(({ id, guid, persons, links: _, end: __, ...event }) => ({
            ...attributes({ id, guid }),
            ...event,
            persons: {
              person: persons.map((person) => ({ ...attributes({ guid: person.guid }), '#text': person.name })),
            },
          })),
        })),
      })),
    },
  }
  const { XMLBuilder } = await import('fast-xml-parser')
  const builder = new XMLBuilder({
    attributeNamePrefix: '@',
    ignoreAttributes: false,
    format: true,
    indentBy: ' ',
    suppressEmptyNode: true,
  })
  return new FeedAnswer(builder.build(withoutControls(xml)))
}

/** XML 1.0 cannot hold control characters, not even escaped. */
function withoutControls<T>(value: T): T {
  // oxlint-disable-next-line no-control-regex
  const unspellable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g
  return JSON.parse(
    JSON.stringify(value, (_, each) => (typeof each === 'string' ? each.replace(unspellable, '') : each)),
  )
}

async function wantedRows(room: EventRoom, query: FeedQuery, { deleted = false } = {}): Promise<store.ShownEventRow[]> {
  const { event } = query
  const filters = filtersOf(query, asDate(room.clock.now()))
  if (event !== undefined) filters.ids = isUuid(event) ? [event] : []
  return store.listLatestEvents(room.db, { ...filters, deleted }, feedLimit)
}

/** The description without Markdown, which the readers of these formats would show as typed. */
const descriptionOf = ({ description, content }: store.ShownEventRow) =>
  description === null ? '' : plainText(content ?? readDescription(description))

const peopleOf = (row: store.EventRow) => row.performers.map(({ performer_name }) => performer_name).join(', ')

/** The programme in the frab format, without cancelled events. */
function frabSchedule(room: EventRoom, all: store.ShownEventRow[], origin: string) {
  const rows = all.filter(({ state }) => state !== 'cancelled')
  const acronym = slugOf(room.name).replaceAll('-', '_').padEnd(4, '_')
  const at = (instant: string) =>
    Temporal.Instant.from(instant)
      .toZonedDateTimeISO(room.zone)
      .toString({ timeZoneName: 'never', smallestUnit: 'second' })
  const edge = (day: string, add: number) =>
    Temporal.PlainDate.from(day)
      .add({ days: add })
      .toZonedDateTime({ timeZone: room.zone, plainTime: { hour: dayEndsAtHour } })
      .toString({ timeZoneName: 'never', smallestUnit: 'second' })
  const taken = new Set<number>()
  const numberOf = (id: string) => {
    // the format needs a number beside the guid: the last 31 bits of the id, which are random; the next free one if taken
    let number = Number.parseInt(id.slice(-8), 16) & 0x7fffffff || 1
    while (taken.has(number)) number = (number % 0x7fffffff) + 1
    taken.add(number)
    return number
  }
  const events = rows.map((row) => {
    const minutes = Math.round((Date.parse(row.ends_at ?? row.over_at) - Date.parse(row.starts_at)) / 60_000)
    const date = at(row.starts_at)
    return {
      day: row.festival_day,
      id: numberOf(row.event_id),
      guid: row.event_id,
      room: row.stage ?? 'TBA',
      title: row.title,
      subtitle: '',
      type: row.category,
      date,
      start: date.slice(11, 16),
      end: at(row.ends_at ?? row.over_at),
      duration: `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`,
      abstract: '',
      slug: `${acronym}-${[slugOf(row.title, 40), row.event_id.slice(-12)].filter(Boolean).join('-')}`,
      track: row.category,
      persons: row.performers.map((each) => ({ guid: each.performer_id, name: each.performer_name })),
      language: row.languages.join(', '),
      description: descriptionOf(row),
      url: origin + eventPage(row.event_id),
      links: [],
    }
  })
  const days = [...Map.groupBy(events, ({ day }) => day)].map(([date, ofDay], index) => ({
    index: index + 1,
    date,
    start: edge(date, 0),
    end: edge(date, 1),
    rooms: Map.groupBy(
      ofDay.map(({ day: _, ...event }) => event),
      ({ room: name }) => name,
    ),
  }))
  const stages = new Map(rows.filter(({ stage_id }) => stage_id).map((row) => [row.stage_id!, row.stage!]))
  const today = Temporal.Instant.from(room.clock.now()).toZonedDateTimeISO(room.zone).toPlainDate().toString()
  return {
    version: rows.reduce((newest, { updated_at }) => (updated_at > newest ? updated_at : newest), '') || '0',
    conference: {
      acronym,
      title: room.name,
      start: days[0]?.date ?? today,
      end: days.at(-1)?.date ?? today,
      timeslot_duration: '00:05',
      time_zone_name: room.zone,
      url: origin,
    },
    rooms: [...stages].map(([guid, name]) => ({ guid, name, type: 'stage' })),
    days,
  }
}
