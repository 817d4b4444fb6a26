import ICAL from 'ical.js'
import { isProgramFault, UnreadableFile } from '../../../kit/server/unreadable-file.ts'
import { ownZones, type Zone } from './own-zone.ts'
import { atEvent, importText, type ImportText } from '../../../kit/server/import-text.ts'
import { isZone, unknownZone } from './read-times.ts'
import type { ReadingOptions, ScheduleFile, ScheduleItem } from './schedule-item.ts'

/**
 * Reads iCalendar, one or several calendars, also without required parts (PRODID, DTSTAMP, VTIMEZONE). Zones are IANA names, or
 * names that the calendar defines.
 * @throws `UnreadableFile`
 */
export function readCalendar(text: string, { zone, name }: ReadingOptions): ScheduleFile {
  let calendars: ICAL.Component[]
  try {
    // the parser does not know this type where it is written out, although it is the default
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
    // "ical": the same programme in another format has other ids
    source: `${textOf(calendars[0]!, 'x-wr-calname') || name.replace(/\..*$/, '')} ical`,
    notes: [],
    unread: [],
    items: events.map(({ event, zones }, index) => itemOf(event, index, zones)),
  }
}

interface Zones {
  /** Zone of times that name none. */
  usual: string
  /** null: unknown zone. */
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
    isAllDay: false,
    version: null,
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
  /** The time as written, and the zone it was read in. */
  wall?: Temporal.PlainDateTime
  zone?: Zone
  fault?: ImportText
}

/** A time in the zone beside it; `Z` is UTC; without a zone it is in the zone of the file. */
function timeOf(event: ICAL.Component, name: string, zones: Zones): Time {
  const property = event.getFirstProperty(name)
  if (!property) return { at: null }
  const value = textOf(event, name)
  // eight digits are a day, even without VALUE=DATE
  if (/^\d{4}-\d\d-\d\d(T::)?$/.test(value))
    return { at: null, fault: importText('badProperty', { name: name.toUpperCase(), lacks: 'timeOfDay' }) }
  const [, wall, utc] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(Z?)$/.exec(value) ?? []
  const label = String(property.getParameter('tzid') ?? '').replace(/^"|"$/g, '')
  const named = utc ? 'UTC' : label || zones.usual
  const zone = zones.named(named)
  if (!zone) return { at: null, fault: unknownZone(named) }
  try {
    const read = Temporal.PlainDateTime.from(wall!)
    return { at: zone(read), wall: read, zone }
  } catch {
    return { at: null, fault: importText('badProperty', { name: name.toUpperCase(), lacks: 'all' }) }
  }
}

/** The end by a duration: days and weeks keep the wall time over a change of clocks, hours are exact. */
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

/** The raw value of the parser: its own reading throws for odd times, and takes month 13 for January of the next year. */
const valueOf = (component: ICAL.Component, name: string): unknown =>
  (component.getFirstProperty(name)?.jCal as unknown[] | undefined)?.[3]

const textOf = (component: ICAL.Component, name: string) => String(valueOf(component, name) ?? '').trim()
