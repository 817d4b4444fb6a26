import ICAL from 'ical.js'

/** The parts of an iCalendar that are read. */
export interface CalendarLines {
  /** Values of properties of the calendar itself by lower-case name. */
  own: Map<string, string>
  /** Its time zones, as jCal. */
  zones: unknown[]
  events: EventLines[]
}

export interface EventLines {
  /** Properties by lower-case name, in the order of the file. */
  properties: Map<string, Property[]>
  /** Names of properties whose line cannot be parsed. */
  broken: string[]
}

export interface Property {
  /** Name of the zone of a time; empty: none. */
  tzid: string
  /** The values; of times and rules the text as the file has it. */
  values: string[]
}

/** Read as written: the library takes month 13 for January of the next year, and throws for other mistakes. */
const asWritten = new Set([
  'dtstart',
  'dtend',
  'recurrence-id',
  'rdate',
  'exdate',
  'rrule',
  'duration',
  'geo',
  'last-modified',
])
const readNames = new Set([
  ...asWritten,
  ...'uid summary description x-alt-desc location categories class status sequence x-apple-structured-location'.split(
    ' ',
  ),
])
const calendarNames = new Set(['x-wr-calname', 'x-wr-timezone', 'name'])

/** Names that say nothing to visitors. */
const silentNames = new Set(
  'created transp prodid version method calscale priority dtstamp exrule related-to request-status refresh-interval acknowledged'.split(
    ' ',
  ),
)
const isSilent = (name: string) =>
  silentNames.has(name) || /^x-(?:lic|wr|ms|microsoft|moz|apple|evolution|published)-/.test(name)

/** Names of unread properties; a file may hold thousands. */
const unreadMost = 40

/**
 * Reads the lines of calendars. Alarms, tasks and other components are skipped, and so are lines outside a calendar and those
 * without a name. null: a component is not closed, so the file ends too early.
 */
export function readCalendarLines(text: string): { calendars: CalendarLines[]; unread: string[] } | null {
  const calendars: CalendarLines[] = []
  const unread = new Set<string>()
  let calendar: CalendarLines | null = null
  let event: EventLines | null = null
  let zone: unknown[][] | null = null
  let part: unknown[][] | null = null
  /** Component that is skipped. */
  let skipped = ''
  for (const line of linesOf(text)) {
    const [, name = '', sign = ''] = /^([a-z0-9-]{1,100})([:;])/i.exec(line) ?? []
    if (name === '') continue
    const key = name.toLowerCase()
    const component =
      key === 'begin' || key === 'end'
        ? line
            .slice(name.length + 1, 100)
            .trim()
            .toLowerCase()
        : ''
    if (key === 'begin') {
      if (component === 'vcalendar') {
        calendars.push((calendar = { own: new Map(), zones: [], events: [] }))
        ;[event, zone, part, skipped] = [null, null, null, '']
      } else if (component === 'vevent') {
        if (!calendar) calendars.push((calendar = { own: new Map(), zones: [], events: [] }))
        calendar.events.push((event = { properties: new Map(), broken: [] }))
        ;[zone, part, skipped] = [null, null, '']
      } else if (component === 'vtimezone' && calendar && !event && !skipped) {
        zone = [[], []]
        calendar.zones.push(['vtimezone', ...zone])
      } else if ((component === 'standard' || component === 'daylight') && zone) {
        part = [[], []]
        zone[1]!.push([component, ...part])
      } else skipped ||= component
    } else if (key === 'end') {
      if (component === 'vcalendar') [calendar, event, zone, part, skipped] = [null, null, null, null, '']
      else if (component === 'vevent') [event, skipped] = [null, '']
      else if (component === 'vtimezone') [zone, part] = [null, null]
      else if (component === skipped) skipped = ''
      else part = null
    } else if (skipped) continue
    else if (event) addProperty(event, key, sign, line, unread)
    else if (zone) addOfZone(part ?? zone, key, line)
    else if (calendar && calendarNames.has(key)) calendar.own.set(key, propertyOf(key, line)?.values[0] ?? '')
  }
  return calendar || event ? null : { calendars, unread: [...unread] }
}

/** Lines without their folds. */
function* linesOf(text: string): Generator<string> {
  let whole: string[] = []
  for (let from = 0; from < text.length;) {
    lineEnd.lastIndex = from
    const end = lineEnd.exec(text)
    const line = text.slice(from, end?.index ?? text.length)
    from = end ? lineEnd.lastIndex : text.length
    if (/^[ \t]/.test(line) && whole.length > 0) whole.push(line.slice(1))
    else {
      if (whole.length > 0) yield whole.join('')
      whole = [line]
    }
  }
  if (whole.length > 0) yield whole.join('')
}
const lineEnd = /\r\n|\n|\r/g

function addProperty(event: EventLines, key: string, sign: string, line: string, unread: Set<string>) {
  if (!readNames.has(key)) {
    const holds = sign === ';' || line.slice(key.length + 1).trim() !== ''
    if (holds && !isSilent(key) && unread.size < unreadMost) unread.add(key.toUpperCase().slice(0, 40))
    return
  }
  const property = propertyOf(key, line)
  if (!property) return void event.broken.push(key.toUpperCase())
  const earlier = event.properties.get(key)
  if (earlier) earlier.push(property)
  else event.properties.set(key, [property])
}

/** null: the line cannot be parsed. */
function propertyOf(key: string, line: string): Property | null {
  if (asWritten.has(key)) return propertyAsWritten(line)
  try {
    return { tzid: '', values: (ICAL.parse.property(line) as unknown[]).slice(3).map(String) }
  } catch {
    return null
  }
}

/** A value up to the end of the line; the name of its zone may hold a colon ("TZID=UTC+01:00:20261128T200000"). */
function propertyAsWritten(line: string): Property | null {
  const time = line.search(/:\d{4}-?\d\d-?\d\d(?:[T ,/]|\s*$)/i)
  const at = time === -1 ? (/^[^":]*(?:"[^"]*"[^":]*)*:/.exec(line)?.[0].length ?? 0) - 1 : time
  if (at < 0) return null
  const tzid = /;TZID=(?:"([^"]*)"|([^;]*))/i.exec(line.slice(0, at)) ?? []
  return { tzid: (tzid[1] ?? tzid[2] ?? '').trim(), values: [line.slice(at + 1)] }
}

/** jCal of a property of a zone. Lines that cannot be parsed are left out: the zone is then unknown. */
function addOfZone(component: unknown[][], key: string, line: string) {
  const raw = propertyOf(key, line)
  if (key === 'dtstart' || key === 'rdate') {
    if (raw) component[0]!.push([key, {}, 'text', ...raw.values[0]!.split(',')])
    return
  }
  if (!['tzid', 'tzoffsetfrom', 'tzoffsetto', 'rrule'].includes(key)) return
  try {
    component[0]!.push(ICAL.parse.property(line))
  } catch {
    component[0]!.push([key, {}, 'text', ''])
  }
}
