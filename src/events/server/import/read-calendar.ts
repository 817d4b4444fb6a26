import ICAL from 'ical.js'
import { placeOf } from './read-schedule-json.ts'
import { isZone } from './read-times.ts'
import { UnreadableSchedule, type ReadingOptions, type ScheduleFile, type ScheduleItem } from './schedule-item.ts'

/**
 * iCalendar, also where a file leaves out what the standard demands (PRODID, DTSTAMP, VTIMEZONE): a zone is known by its
 * name. Throws `UnreadableSchedule`.
 */
export function readCalendar(
  text: string,
  { zone, name }: ReadingOptions,
): Omit<ScheduleFile, 'source'> & { source: string } {
  let calendar: ICAL.Component
  try {
    // the one type that is written, in a form that the parser takes for an unknown one
    const parsed = ICAL.parse(text.replace(/;VALUE=DATE-TIME(?=[;:])/gi, '')) as unknown[]
    calendar = new ICAL.Component((Array.isArray(parsed[0]) ? parsed[0] : parsed) as never)
  } catch (error) {
    throw new UnreadableSchedule(`The file is no valid iCalendar: ${(error as Error).message.slice(0, 200)}.`)
  }
  const ownZone = textOf(calendar, 'x-wr-timezone') || zone
  const events = calendar.getAllSubcomponents('vevent')
  return {
    format: 'iCalendar',
    // the same programme in another format has other ids
    source: `${textOf(calendar, 'x-wr-calname') || name.replace(/\..*$/, '')} ical`,
    notes: [],
    items: events.map((event, index) => itemOf(event, index, ownZone)),
  }
}

function itemOf(event: ICAL.Component, index: number, zone: string): ScheduleItem {
  const uid = textOf(event, 'uid')
  const start = timeOf(event, 'dtstart', zone)
  const end = timeOf(event, 'dtend', zone)
  const duration = event.getFirstPropertyValue('duration')
  const seconds = duration instanceof ICAL.Duration ? duration.toSeconds() : null
  const starts = start.at
  const geo = event.getFirstPropertyValue('geo') as unknown
  const [latitude, longitude] = Array.isArray(geo) ? (geo as number[]) : []
  const fault = event.getFirstProperty('rrule')
    ? 'it repeats (RRULE); write each time as an event of its own'
    : (start.fault ?? (starts ? end.fault : 'its DTSTART is missing'))
  return {
    place: placeOf(index, uid),
    id: [uid, textOf(event, 'recurrence-id')].filter(Boolean).join(' '),
    title: textOf(event, 'summary'),
    description: textOf(event, 'description'),
    kinds: event.getAllProperties('categories').flatMap((property) => property.getValues().map(String)),
    starts,
    ends: end.at ?? (starts && seconds !== null ? starts.add({ seconds }) : null),
    room: textOf(event, 'location'),
    position: typeof latitude === 'number' && typeof longitude === 'number' ? { latitude, longitude } : null,
    people: [],
    languages: [],
    url: textOf(event, 'url'),
    isCancelled: textOf(event, 'status').toUpperCase() === 'CANCELLED',
    isFamilyFriendly: false,
    ...(fault ? { fault } : {}),
  }
}

/** In the zone that is named beside it; `Z` is UTC, and what names none is in the zone of the file. */
function timeOf(event: ICAL.Component, name: string, zone: string): { at: Temporal.Instant | null; fault?: string } {
  const property = event.getFirstProperty(name)
  const value: unknown = property?.getFirstValue()
  if (!property || value === null || value === undefined) return { at: null }
  if (!(value instanceof ICAL.Time)) return { at: null, fault: `its ${name.toUpperCase()} is no time` }
  if (value.isDate) return { at: null, fault: `its ${name.toUpperCase()} has no time of day` }
  const said = String(property.getParameter('tzid') ?? '').replace(/^"|"$/g, '')
  const named = value.zone === ICAL.Timezone.utcTimezone || /z$/i.test(value.toString()) ? 'UTC' : said || zone
  if (!isZone(named)) return { at: null, fault: `the zone "${named.slice(0, 60)}" is unknown` }
  try {
    const { year, month, day, hour, minute, second } = value
    const wall = Temporal.PlainDateTime.from({ year, month, day, hour, minute, second }, { overflow: 'reject' })
    return { at: wall.toZonedDateTime(named).toInstant() }
  } catch {
    return { at: null, fault: `its ${name.toUpperCase()} is no time` }
  }
}

const textOf = (component: ICAL.Component, name: string) => {
  const value: unknown = component.getFirstPropertyValue(name)
  return value === null || value === undefined ? '' : String(value).trim()
}
