import ICAL from 'ical.js'
import { UnreadableFile } from '../../../kit/server/unreadable-file.ts'
import { ownZones, type Zone } from './own-zone.ts'
import { atEvent, importText, type ImportText } from '../../../kit/server/import-text.ts'
import { readCalendarLines, type CalendarLines, type EventLines, type Property } from './calendar-lines.ts'
import { markdownOfHtml, plainOfHtml } from './html-text.ts'
import { newestVersions } from './identity.ts'
import { zoneNamed } from './zone-names.ts'
import { repeatsOf, type SearchBudget } from './repeat-rule.ts'
import { itemsMost, type ReadingOptions, type ScheduleFile, type ScheduleItem } from './schedule-item.ts'

/** Times of an entry that repeats. */
const repeatsMost = 200
/** How long an entry without an end repeats if the end of the festival is not known, in days. */
const endlessDays = 31
/** Days searched for all repeating entries of a file. */
const searchMostDays = 3_000_000
/** Days of the festival begin at this hour. */
const dayBegins = Temporal.PlainTime.from({ hour: 6 })

/**
 * Reads iCalendar, one or several calendars, also without required parts (PRODID, DTSTAMP, VTIMEZONE). Entries that repeat are
 * written out.
 * @throws `UnreadableFile`
 */
export function readCalendar(text: string, options: ReadingOptions): ScheduleFile {
  const read = readCalendarLines(text)
  if (!read)
    throw new UnreadableFile(
      'The file ends too early: its iCalendar is incomplete. Export it again.',
      importText('fileCutOff', { format: 'iCalendar' }),
    )
  const entries = read.calendars
    .flatMap((calendar) => {
      const clocks = clocksOf(calendar, options)
      return calendar.events.map((event) => ({ event, clocks }))
    })
    .map(({ event, clocks }, index) => entryOf(event, index, clocks))
  // before entries are written out: an older version may repeat at other times
  const { kept, older } = newestVersions(entries, ({ item }) => item)
  const { items, notes } = writtenOut(kept, options)
  const calendarName = read.calendars[0]?.own.get('x-wr-calname') || read.calendars[0]?.own.get('name')
  return {
    format: 'iCalendar',
    // "ical": the same programme in another format has other ids
    source: `${calendarName?.trim() || options.name.replace(/\..*$/, '')} ical`,
    notes: [
      ...(entries.some(({ isZoneGuessed }) => isZoneGuessed)
        ? [importText('zoneGuessed', { zone: options.zone })]
        : []),
      ...(older > 0 ? [importText('olderVersions', { n: older })] : []),
      ...notes,
    ],
    unread: read.unread,
    items,
  }
}

/** The clocks of a calendar. */
interface Clocks {
  /** Zone of times that name none; null: the one of the festival is assumed. */
  usual: string | null
  /** null: unknown zone. */
  named: (name: string) => Zone | null
  /** The zone of the festival. */
  own: Zone
  ownName: string
}

const zoneBy =
  (name: string): Zone =>
  (wall) =>
    wall.toZonedDateTime(name).toInstant()

function clocksOf(calendar: CalendarLines, { zone }: ReadingOptions): Clocks {
  const defined = ownZones(new ICAL.Component(['vcalendar', [], calendar.zones] as never))
  const found = new Map<string, Zone | null>()
  return {
    usual: calendar.own.get('x-wr-timezone')?.trim() || null,
    named: (name) =>
      found.getOrInsertComputed(name, () => {
        const known = zoneNamed(name)
        // a zone that the calendar defines goes before guesses at its name
        return (known === name ? null : defined.get(name)) ?? (known ? zoneBy(known) : null)
      }),
    own: zoneBy(zone),
    ownName: zone,
  }
}

/** An entry of a calendar; it may repeat. */
interface Entry {
  item: ScheduleItem
  uid: string
  start: Moment | null
  endOf: (start: Moment) => Temporal.Instant | null
  /** Which time of a repeating entry this one replaces. */
  replaces: Moment | null
  rules: string[]
  added: Moment[]
  left: Moment[]
  clocks: Clocks
  isZoneGuessed: boolean
}

/** A time or a day of a calendar. */
interface Moment {
  at: Temporal.Instant
  wall: Temporal.PlainDateTime
  zone: Zone
  isDay: boolean
  isUtc: boolean
}

function entryOf(event: EventLines, index: number, clocks: Clocks): Entry {
  const notes: ImportText[] = event.broken.map((name) => importText('brokenProperty', { name: name.slice(0, 40) }))
  const text = (name: string) => (event.properties.get(name)?.[0]?.values[0] ?? '').trim()
  const moment = (name: string) => momentOf(event.properties.get(name)?.[0], clocks, notes)
  const moments = (name: string) => momentsOf(event.properties.get(name) ?? [], clocks, notes)
  const [start, end, replaces] = [moment('dtstart'), moment('dtend'), moment('recurrence-id')]
  const [uid, recurrence] = [text('uid'), text('recurrence-id')]
  const endOf = endBy({ start, end, duration: text('duration') }, clocks, notes)
  if (text('dtend') !== '' && !end) notes.push(importText('openEnd', { text: text('dtend').slice(0, 40) }))
  const fault =
    (/^(private|confidential)$/i.test(text('class')) ? importText('notPublic') : null) ??
    (start ? null : importText(text('dtstart') ? 'badProperty' : 'noDtstart', { name: 'DTSTART', lacks: 'all' }))
  const ends = start && endOf(start)
  return {
    uid,
    start,
    endOf,
    replaces,
    rules: (event.properties.get('rrule') ?? []).map(({ values }) => values[0]!),
    added: moments('rdate'),
    left: moments('exdate'),
    clocks,
    isZoneGuessed: clocks.usual === null && (event.properties.get('dtstart') ?? []).some(isFloating),
    item: {
      place: atEvent(index, uid),
      id: [uid, replaces ? nameOf(replaces) : recurrence.slice(0, 40)].filter(Boolean).join(' '),
      title: plainOfHtml(text('summary')),
      description: markdownOfHtml(text('description') || text('x-alt-desc')),
      kinds: (event.properties.get('categories') ?? []).flatMap(({ values }) =>
        values.map((each) => plainOfHtml(each)),
      ),
      starts: start?.at ?? null,
      isAllDay: start?.isDay ?? false,
      version: { sequence: sequenceOf(text('sequence')), modified: moment('last-modified')?.at.toString() ?? '' },
      ends,
      room: plainOfHtml(text('location')),
      position: positionOf(text('geo') || text('x-apple-structured-location')),
      people: [],
      languages: [],
      status: text('status'),
      isFamilyFriendly: false,
      notes,
      ...(fault === null ? {} : { fault }),
    },
  }
}

const sequenceOf = (text: string) => (/^\d{1,9}$/.test(text) ? Number(text) : 0)

/** A time without a zone, and no day. */
const isFloating = ({ tzid, values: [value = ''] }: Property) =>
  tzid === '' && /T/i.test(value) && !/Z\s*$/i.test(value)

/** "47.56;7.59", also with a comma between, and Apple's "geo:47.56,7.59". */
function positionOf(text: string): ScheduleItem['position'] {
  if (text === '') return null
  const [latitude = Number.NaN, longitude = Number.NaN] = text
    .replace(/^geo:/i, '')
    .split(/[;,]/)
    .map((part) => (part.trim() === '' ? Number.NaN : Number(part)))
  return { latitude, longitude }
}

/** How a time is called in an id: as RECURRENCE-ID has it, but in the form of ISO. */
const nameOf = ({ wall, isDay, isUtc }: Moment) =>
  isDay ? wall.toPlainDate().toString() : `${wall.toString({ smallestUnit: 'second' })}${isUtc ? 'Z' : ''}`

const writtenTime = /^(\d{4})-?(\d\d)-?(\d\d)(?:[T ](\d\d):?(\d\d)(?::?(\d\d))?(?:[.,]\d{1,9})?(Z|[+-]\d\d:?\d\d)?)?$/i

/** A time in the zone beside it; `Z` is UTC; without a zone it is in the zone of the file. Eight digits are a day. null: no time. */
function momentOf(property: Property | undefined, clocks: Clocks, notes: ImportText[]): Moment | null {
  const [, year, month, day, hour, minute, second, offset] =
    writtenTime.exec(property?.values[0]?.slice(0, 60).trim() ?? '') ?? []
  if (!property || day === undefined) return null
  const isDay = hour === undefined
  const isUtc = offset?.toUpperCase() === 'Z'
  try {
    const date = Temporal.PlainDate.from(
      { year: Number(year), month: Number(month), day: Number(day) },
      { overflow: 'reject' },
    )
    if (isDay) {
      const wall = date.toPlainDateTime(dayBegins)
      return { at: clocks.own(wall), wall, zone: clocks.own, isDay, isUtc: false }
    }
    // "24:00" is the end of the day
    const isMidnight = hour === '24' && minute === '00'
    const time = {
      hour: isMidnight ? 0 : Number(hour),
      minute: Number(minute),
      second: Math.min(59, Number(second ?? 0)),
    }
    const wall = date
      .add({ days: isMidnight ? 1 : 0 })
      .toPlainDateTime(Temporal.PlainTime.from(time, { overflow: 'reject' }))
    const zone = offset ? zoneBy(isUtc ? 'UTC' : offset.replace(/^(...):?/, '$1:')) : zoneOf(property, clocks, notes)
    return { at: zone(wall), wall, zone, isDay, isUtc }
  } catch {
    return null
  }
}

function zoneOf({ tzid }: Property, clocks: Clocks, notes: ImportText[]): Zone {
  const label = tzid || clocks.usual
  if (!label) return clocks.own
  const zone = clocks.named(label)
  if (zone) return zone
  const note = importText('zoneUnknown', { zone: label.slice(0, 60), read: clocks.ownName })
  if (!notes.some(({ key }) => key === note.key)) notes.push(note)
  return clocks.own
}

/** Times of RDATE and EXDATE, also periods, of which the start counts. */
const momentsOf = (properties: Property[], clocks: Clocks, notes: ImportText[]): Moment[] =>
  properties
    .flatMap(({ tzid, values }) =>
      values[0]!
        .split(',')
        .slice(0, repeatsMost * 5)
        .map((value) => ({ tzid, values: [value.split('/')[0]!] })),
    )
    .map((property) => momentOf(property, clocks, notes))
    .filter((moment) => moment !== null)

/** How an entry ends, for each time that it repeats: the wall times stay over a change of the clocks. */
function endBy(
  { start, end, duration }: { start: Moment | null; end: Moment | null; duration: string },
  clocks: Clocks,
  notes: ImportText[],
): Entry['endOf'] {
  const length = duration && !end ? durationOf(duration, notes) : null
  if (start?.isDay) {
    const last = end ? end.wall.toPlainDate().add({ days: end.isDay ? 0 : 1 }) : null
    const fromEnd = last ? start.wall.toPlainDate().until(last).days : (length?.days ?? 1)
    const days = Math.max(1, fromEnd)
    return ({ wall }) => clocks.own(wall.add({ days }))
  }
  if (length)
    // days and weeks keep the wall time over a change of clocks, hours are exact
    return ({ wall, zone }) => zone(wall.add({ days: length.days })).add({ seconds: length.seconds })
  if (!start || !end || end.isDay) {
    if (end?.isDay && start) notes.push(importText('badProperty', { name: 'DTEND', lacks: 'timeOfDay' }))
    return () => null
  }
  const isSameZone = end.zone === start.zone && end.isUtc === start.isUtc
  if (!isSameZone) return ({ at }) => at.add(start.at.until(end.at))
  const wallLength = start.wall.until(end.wall)
  return ({ wall, zone }) => zone(wall.add(wallLength))
}

function durationOf(text: string, notes: ImportText[]): { days: number; seconds: number } | null {
  try {
    const { weeks, days, hours, minutes, seconds, isNegative } = ICAL.Duration.fromString(text)
    const sign = isNegative ? -1 : 1
    const length = { days: sign * (weeks * 7 + days), seconds: sign * ((hours * 60 + minutes) * 60 + seconds) }
    // more than a year is a mistake, and may be beyond what dates can hold
    if (Math.abs(length.days) <= 366 && Math.abs(length.seconds) <= 366 * 86_400) return length
  } catch {
    // named below
  }
  notes.push(importText('badDuration', { text: text.slice(0, 40) }))
  return null
}

/** Each time of each entry as an item of its own; an entry with RECURRENCE-ID replaces the time that it names. */
function writtenOut(entries: Entry[], { lastDay = null }: ReadingOptions): Pick<ScheduleFile, 'items' | 'notes'> {
  const items: ScheduleItem[] = []
  const budget: SearchBudget = { days: searchMostDays }
  const replacing = Map.groupBy(
    entries.filter(({ replaces }) => replaces !== null),
    ({ uid }) => uid,
  )
  let [repeating, times] = [0, 0]
  for (const entry of entries) {
    const { item, start, rules, added, replaces } = entry
    if (items.length > itemsMost) break
    if (!start || replaces || item.fault || (rules.length === 0 && added.length === 0)) {
      items.push(item)
      continue
    }
    const all = timesOf(entry, lastDay, budget)
    // the first time keeps the id that the entry has while it does not repeat
    const idOf = (time: Moment) => (nameOf(time) === nameOf(start) ? entry.uid : `${entry.uid} ${nameOf(time)}`)
    const others = replacing.get(entry.uid) ?? []
    for (const other of others) {
      const replaced = all.find((each) => isSameTime(other.replaces!, each))
      // an id in the form of the repeating entry, also where RECURRENCE-ID is in another zone
      if (replaced) other.item.id = idOf(replaced)
    }
    const shown = all.filter((each) => !others.some((other) => isSameTime(other.replaces!, each)))
    repeating++
    times += all.length
    items.push(
      ...shown.map((each, n) => ({
        ...item,
        id: idOf(each),
        starts: each.at,
        ends: entry.endOf(each),
        notes: n === 0 ? (item.notes ?? []) : [],
      })),
    )
  }
  return { items, notes: repeating > 0 ? [importText('repeatsWritten', { n: repeating, events: times })] : [] }
}

/** EXDATE and RECURRENCE-ID may name the day alone. */
const isSameTime = (named: Moment, time: Moment) =>
  named.isDay ? named.wall.toPlainDate().equals(time.wall.toPlainDate()) : named.at.equals(time.at)

const isEndless = (rule: string) => !/(?:^|;)\s*(?:COUNT|UNTIL)=/i.test(rule)

/** The times of a repeating entry, in order. */
function timesOf(entry: Entry, lastDay: string | null, budget: SearchBudget): Moment[] {
  const { item, rules, added, left } = entry
  const start = entry.start!
  const notes = (item.notes ??= [])
  const found = new Map<string, Moment>([[nameOf(start), start]])
  let isCut = false
  // a series of years is wanted at the festival, not at its beginning
  const keepsLast = lastDay !== null && rules.some(isEndless)
  for (const rule of rules.slice(0, 5)) {
    const endless = lastDay ?? start.wall.toPlainDate().add({ days: endlessDays }).toString()
    const repeats = repeatsOf({
      start: start.wall,
      rule,
      isWithin: isEndless(rule)
        ? (wall) => Temporal.PlainDate.compare(wall.toPlainDate(), endless) <= 0
        : withinUntil(rule, entry),
      most: repeatsMost,
      keepsLast: lastDay !== null && isEndless(rule),
      budget,
    })
    if (!repeats) {
      notes.push(importText('repeatsUnread', { rule: rule.slice(0, 80) }))
      continue
    }
    if (isEndless(rule)) notes.push(importText('repeatsEndless', { day: endless }))
    isCut ||= repeats.isCut
    for (const wall of repeats.walls) {
      const moment = { ...start, wall, at: start.zone(wall) }
      found.set(nameOf(moment), moment)
    }
  }
  for (const moment of added) {
    const same = start.isDay === moment.isDay ? moment : { ...start, wall: moment.wall, at: moment.at }
    found.set(nameOf(same), same)
  }
  const [leftAt, leftDays] = [
    new Set(left.filter(({ isDay }) => !isDay).map(({ at }) => at.epochMilliseconds)),
    new Set(left.filter(({ isDay }) => isDay).map(({ wall }) => wall.toPlainDate().toString())),
  ]
  const times = [...found.values()]
    .filter(({ at, wall }) => !leftAt.has(at.epochMilliseconds) && !leftDays.has(wall.toPlainDate().toString()))
    .toSorted((a, b) => Temporal.Instant.compare(a.at, b.at))
  if (isCut || times.length > repeatsMost)
    notes.push(importText(keepsLast ? 'repeatsLast' : 'repeatsMany', { max: repeatsMost }))
  return keepsLast ? times.slice(-repeatsMost) : times.slice(0, repeatsMost)
}

/** UNTIL counts too: a day, a wall time or an instant. */
function withinUntil(rule: string, { start, clocks }: Entry): (wall: Temporal.PlainDateTime) => boolean {
  const value = /(?:^|;)\s*UNTIL=([^;]*)/i.exec(rule)?.[1]
  const until = momentOf(value === undefined ? undefined : { tzid: '', values: [value] }, clocks, [])
  if (!until) return () => true
  if (until.isDay || start!.isDay)
    return (wall) => Temporal.PlainDate.compare(wall.toPlainDate(), until.wall.toPlainDate()) <= 0
  if (until.isUtc) return (wall) => Temporal.Instant.compare(start!.zone(wall), until.at) <= 0
  return (wall) => Temporal.PlainDateTime.compare(wall, until.wall) <= 0
}
