import ICAL from 'ical.js'
import { isProgramFault, UnreadableFile } from '../../../kit/server/unreadable-file.ts'
import { ownZones, type Zone } from './own-zone.ts'
import { atEvent, importText, type ImportText } from './import-text.ts'
import { isZone, unknownZone } from './read-times.ts'
import type { ReadingOptions, ScheduleFile, ScheduleItem } from './schedule-item.ts'

/**
 * iCalendar, also where a file leaves out what the standard demands (PRODID, DTSTAMP, VTIMEZONE): a zone is known by its
 * name, and one of another name by what the calendar says of it. A file may hold several calendars. Throws `UnreadableFile`.
 */
export function readCalendar(
  text: string,
  { zone, name }: ReadingOptions,
): Omit<ScheduleFile, 'source'> & { source: string } {
  let calendars: ICAL.Component[]
  try {
    // the one type that is written, in a form that the parser takes for an unknown one
    const plain = text.replace(/;VALUE=DATE-TIME(?=[;:])/gi, '').replace(/\r(?!\n)/g, '\n')
    const parsed = ICAL.parse(plain) as unknown[]
    calendars = (Array.isArray(parsed[0]) ? parsed : [parsed]).map((each) => new ICAL.Component(each as never))
  } catch (error) {
    if (isProgramFault(error)) throw error
    const { message } = error as Error
    if (message.includes('component began but did not end'))
      throw new UnreadableFile(
        'The file ends too early: its iCalendar is incomplete. Export it again.',
        importText('fileCutOff', { format: 'iCalendar' }),
      )
    throw new UnreadableFile(
      `The file is no valid iCalendar: ${message.slice(0, 200)}.`,
      importText('fileInvalid', { format: 'iCalendar', why: message.slice(0, 200) }),
    )
  }
  const events = calendars.flatMap((calendar) => {
    const own = ownZones(calendar)
    const zones: Zones = {
      usual: textOf(calendar, 'x-wr-timezone') || zone,
      named: (name) => (isZone(name) ? (wall) => wall.toZonedDateTime(name).toInstant() : (own.get(name) ?? null)),
    }
    return calendar.getAllSubcomponents('vevent').map((event) => ({ event, zones }))
  })
  return {
    format: 'iCalendar',
    // the same programme in another format has other ids
    source: `${textOf(calendars[0]!, 'x-wr-calname') || name.replace(/\..*$/, '')} ical`,
    notes: [],
    items: events.map(({ event, zones }, index) => itemOf(event, index, zones)),
  }
}

interface Zones {
  /** Of times that name none. */
  usual: string
  /** null: nobody knows it. */
  named: (name: string) => Zone | null
}

function itemOf(event: ICAL.Component, index: number, zones: Zones): ScheduleItem {
  const uid = textOf(event, 'uid')
  const recurrenceId = textOf(event, 'recurrence-id')
  const start = timeOf(event, 'dtstart', zones)
  const end = timeOf(event, 'dtend', zones)
  const starts = start.at
  const duration = durationOf(event, start)
  const geo = valueOf(event, 'geo')
  const [latitude, longitude] = Array.isArray(geo) ? (geo as number[]) : []
  const repeats = ['RRULE', 'RDATE'].find((name) => event.hasProperty(name.toLowerCase()))
  const fault =
    (repeats ? importText('repeats', { rule: repeats }) : null) ??
    (/^(private|confidential)$/i.test(textOf(event, 'class')) ? importText('notPublic') : null) ??
    start.fault ??
    (starts ? (end.fault ?? duration.fault) : importText('noDtstart')) ??
    (recurrenceId === '' || /^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\dZ?)?$/.test(recurrenceId)
      ? null
      : importText('badProperty', { name: 'RECURRENCE-ID', lacks: 'all' }))
  return {
    place: atEvent(index, uid),
    id: [uid, recurrenceId].filter(Boolean).join(' '),
    title: textOf(event, 'summary'),
    description: textOf(event, 'description'),
    kinds: event.getAllProperties('categories').flatMap(({ jCal }) => (jCal as unknown[]).slice(3).map(String)),
    starts,
    ends: end.at ?? duration.ends,
    room: textOf(event, 'location'),
    position: typeof latitude === 'number' && typeof longitude === 'number' ? { latitude, longitude } : null,
    people: [],
    languages: [],
    status: textOf(event, 'status'),
    isFamilyFriendly: false,
    ...(fault === null ? {} : { fault }),
  }
}

interface Time {
  at: Temporal.Instant | null
  /** As it is written, and how it was read. */
  wall?: Temporal.PlainDateTime
  zone?: Zone
  fault?: ImportText
}

/** In the zone that is named beside it; `Z` is UTC, and what names none is in the zone of the file. */
function timeOf(event: ICAL.Component, name: string, zones: Zones): Time {
  const property = event.getFirstProperty(name)
  if (!property) return { at: null }
  const value = textOf(event, name)
  // eight digits are a day, also where the file does not say so
  if (/^\d{4}-\d\d-\d\d(T::)?$/.test(value))
    return { at: null, fault: importText('badProperty', { name: name.toUpperCase(), lacks: 'timeOfDay' }) }
  const [, wall, utc] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(Z?)$/.exec(value) ?? []
  const label = String(property.getParameter('tzid') ?? '').replace(/^"|"$/g, '')
  const named = utc ? 'UTC' : label || zones.usual
  const zone = zones.named(named)
  if (!zone) return { at: null, fault: unknownZone(named) }
  try {
    const said = Temporal.PlainDateTime.from(wall!)
    return { at: zone(said), wall: said, zone }
  } catch {
    return { at: null, fault: importText('badProperty', { name: name.toUpperCase(), lacks: 'all' }) }
  }
}

/** The end that it gives: days are those of the calendar, also where one has 23 or 25 hours; the rest is time that passes. */
function durationOf(
  event: ICAL.Component,
  { wall, zone }: Time,
): { ends: Temporal.Instant | null; fault?: ImportText } {
  if (!wall || !zone || !event.hasProperty('duration')) return { ends: null }
  const value = textOf(event, 'duration')
  try {
    const { weeks, days, hours, minutes, seconds, isNegative } = ICAL.Duration.fromString(value)
    const sign = isNegative ? -1 : 1
    const sameTime = zone(wall.add({ days: sign * (weeks * 7 + days) }))
    return { ends: sameTime.add({ seconds: sign * ((hours * 60 + minutes) * 60 + seconds) }) }
  } catch {
    return { ends: null, fault: importText('badDuration', { text: value.slice(0, 40) }) }
  }
}

/** As the parser found it: its own reading throws for an odd time, and takes the 20th of a month 13 for one of the next year. */
const valueOf = (component: ICAL.Component, name: string): unknown =>
  (component.getFirstProperty(name)?.jCal as unknown[] | undefined)?.[3]

const textOf = (component: ICAL.Component, name: string) => String(valueOf(component, name) ?? '').trim()
