import { readJson } from '../../../kit/server/read-json.ts'
import { UnreadableFile } from '../../../kit/server/unreadable-file.ts'
import { atEvent, importText } from '../../../kit/server/import-text.ts'
import { markdownOfHtml, plainOfHtml } from './html-text.ts'
import { endNote, minutesOf, momentOf, notesOfZone, startFault, startOf, type ProgrammeDay } from './read-times.ts'
import { zoneOfFile } from './zone-names.ts'
import type { ReadingOptions, ScheduleFile, ScheduleItem } from './schedule-item.ts'

/**
 * Reads schedule JSON of frab, pretalx and c3voc, or a plain list of events with `start_date` and `end_date`, as camps publish it.
 * @throws `UnreadableFile`
 */
export function readScheduleJson(text: string, { zone, name }: ReadingOptions): ScheduleFile {
  const json = readJson(text)
  const stem = name.replace(/\..*$/, '')
  if (Array.isArray(json)) {
    const times = json.flatMap((each) => [text_(at(each, 'start_date')), text_(at(each, 'end_date'))])
    return {
      format: 'schedule JSON',
      source: stem,
      notes: notesOfZone(times, zone),
      unread: unreadOf(json, readOfList),
      items: json.map((each, index) => plainItem(each, index, zone)),
    }
  }
  const conference = at(at(json, 'schedule'), 'conference')
  const days = at(conference, 'days')
  if (!Array.isArray(days))
    throw new UnreadableFile(
      'The file is JSON but not a schedule: it is not a list, and has no “schedule.conference.days”.',
      importText('fileOtherJson'),
    )
  const named = zoneOfFile(text_(at(conference, 'time_zone_name')), zone)
  const change = text_(at(conference, 'day_change'))
  const found = days.flatMap((each: unknown) => {
    const day = {
      date: text_(at(each, 'date')),
      start: text_(at(each, 'day_start')) || text_(at(each, 'start')),
      end: text_(at(each, 'day_end')) || text_(at(each, 'end')),
      change,
    }
    return eventsOf(each).map((event) => ({ ...event, day }))
  })
  const times = found.map(({ event }) => text_(at(event, 'date')) || text_(at(event, 'start')))
  return {
    format: 'schedule JSON',
    source: text_(at(conference, 'acronym')) || stem,
    notes: [...named.notes, ...(text_(at(conference, 'time_zone_name')) ? [] : notesOfZone(times, zone))],
    unread: unreadOf(
      found.map(({ event }) => event),
      readOfSchedule,
    ),
    items: found.map(({ event, room, day }, index) => frabItem(event, { room, day, index, zone: named.zone })),
  }
}

const readOfList = new Set(
  'id guid title description type track start_date end_date venue latlon speaker status is_family_friendly'.split(' '),
)
const readOfSchedule = new Set(
  'id guid title subtitle abstract description date start end duration room type track persons language status'.split(
    ' ',
  ),
)

/** False for a name that says nothing to visitors, such as an address of the web. */
export const isWorthNaming = (name: string) =>
  !/^(?:slug|code|guid|id|recording|do_not_record|.*_url|version|source|start_time|end_time)$/i.test(name)

/** Names of keys; a file may hold thousands. */
const unreadMost = 40

/** Keys of events that hold something and are not read. */
function unreadOf(events: unknown[], read: Set<string>): string[] {
  const names = new Set<string>()
  for (const event of events) {
    if (typeof event !== 'object' || event === null || Array.isArray(event)) continue
    for (const [key, value] of Object.entries(event))
      if (!read.has(key) && names.size < unreadMost && isWorthNaming(key) && holdsSomething(value)) names.add(key)
  }
  return [...names]
}

const holdsSomething = (value: unknown) =>
  value !== null &&
  value !== '' &&
  value !== false &&
  (typeof value !== 'object' || Object.keys(value as object).length > 0)

/** The events of a day: of its rooms, by name or as a list of `{ name, events }`, and events without a room. */
function eventsOf(day: unknown): { event: unknown; room: string }[] {
  const rooms = at(day, 'rooms')
  const named: [string, unknown][] = Array.isArray(rooms)
    ? rooms.map((room: unknown) => [text_(at(room, 'name')), at(room, 'events')])
    : Object.entries((rooms as object | undefined | null) ?? {})
  return [...named, ['', at(day, 'events')] as const].flatMap(([room, events]) =>
    (Array.isArray(events) ? events : []).map((event: unknown) => ({ event, room })),
  )
}

function plainItem(each: unknown, index: number, zone: string): ScheduleItem {
  const id = text_(at(each, 'id')) || text_(at(each, 'guid'))
  const speaker = plainOfHtml(text_(at(each, 'speaker')))
  const read = (text: string) => momentOf(text, zone)
  const [starts, ends] = [text_(at(each, 'start_date')), text_(at(each, 'end_date'))]
  const fault = typeof each === 'object' && each !== null ? startFault(starts, '', read(starts)) : importText('noEvent')
  return {
    place: atEvent(index, id),
    id,
    title: plainOfHtml(text_(at(each, 'title'))),
    // some exports hold the escapes of line ends as text
    description: markdownOfHtml(text_(at(each, 'description')).replaceAll('\\r\\n', '\n').replaceAll('\\n', '\n')),
    kinds: [text_(at(each, 'type')), text_(at(each, 'track'))].filter(Boolean),
    starts: read(starts),
    isAllDay: false,
    version: null,
    ends: read(ends),
    room: plainOfHtml(text_(at(each, 'venue'))),
    position: positionOf(at(each, 'latlon')),
    people: speaker ? [{ id: speaker, name: speaker }] : [],
    languages: [],
    status: text_(at(each, 'status')),
    isFamilyFriendly: at(each, 'is_family_friendly') === true,
    notes: endNote(ends, read(ends)),
    ...(fault === null ? {} : { fault }),
  }
}

/** `[lat, lon]` or `{ lat, lon }`, in numbers. */
function positionOf(latlon: unknown): ScheduleItem['position'] {
  if (latlon === undefined || latlon === null || latlon === '') return null
  const [latitude, longitude] = Array.isArray(latlon) ? (latlon as unknown[]) : [at(latlon, 'lat'), at(latlon, 'lon')]
  if ((latitude ?? longitude ?? null) === null && typeof latlon === 'object') return null
  const number = (value: unknown) => (typeof value === 'number' ? value : Number.NaN)
  return { latitude: number(latitude), longitude: number(longitude) }
}

interface Around {
  room: string
  day: ProgrammeDay
  index: number
  zone: string
}

function frabItem(event: unknown, { room, day, index, zone }: Around): ScheduleItem {
  const id = text_(at(event, 'guid')) || text_(at(event, 'id'))
  const [date, start] = [text_(at(event, 'date')), text_(at(event, 'start'))]
  const starts = startOf(date, start, day, zone)
  const duration = text_(at(event, 'duration'))
  const minutes = minutesOf(duration)
  const end = momentOf(text_(at(event, 'end')), zone)
  const persons = at(event, 'persons')
  const fault = startFault(date, start, starts)
  return {
    place: atEvent(index, text_(at(event, 'id')) || id),
    id,
    title: plainOfHtml(text_(at(event, 'title'))),
    description: descriptionOf(
      [at(event, 'subtitle'), at(event, 'abstract'), at(event, 'description')].map((part) =>
        markdownOfHtml(text_(part)),
      ),
    ),
    kinds: [text_(at(event, 'type')), text_(at(event, 'track'))].filter(Boolean),
    starts,
    isAllDay: false,
    version: null,
    ends: end ?? (starts && minutes !== null ? starts.add({ minutes }) : null),
    room: plainOfHtml(text_(at(event, 'room')) || room),
    position: null,
    people: (Array.isArray(persons) ? persons : []).flatMap((person: unknown) => {
      const name = plainOfHtml(text_(at(person, 'name')) || text_(at(person, 'public_name')))
      return name ? [{ id: text_(at(person, 'guid')) || text_(at(person, 'id')) || name, name }] : []
    }),
    languages: languagesOf(text_(at(event, 'language'))),
    status: text_(at(event, 'status')),
    isFamilyFriendly: false,
    notes: duration && minutes === null && !end ? [importText('noDuration', { text: duration.slice(0, 40) })] : [],
    ...(fault === null ? {} : { fault }),
  }
}

/** "de, en" as its parts. */
export const languagesOf = (list: string) =>
  list
    .split(/[,;/]/)
    .map((part) => [...part.trim()].slice(0, 20).join(''))
    .filter(Boolean)
    .slice(0, 10)

/** The parts that are not empty, each once, as one text. */
export const descriptionOf = (parts: string[]) =>
  [...new Set(parts.map((part) => part.trim()).filter(Boolean))].join('\n\n')

function at(of: unknown, key: string): unknown {
  return typeof of === 'object' && of !== null && Object.hasOwn(of, key)
    ? (of as Record<string, unknown>)[key]
    : undefined
}

const text_ = (value: unknown): string =>
  typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : ''
