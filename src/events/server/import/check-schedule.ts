import type { Position } from '../../../kit/shared/geo.ts'
import { canBeSeen, unfitForName } from '../../../kit/shared/input.ts'
import type { EventCategory } from '../../contract.ts'
import { mostPerformers } from '../../limits.ts'
import type { Snapshot } from '../store.ts'
import { importText, type ImportText } from './import-text.ts'
import type { ScheduleFile, ScheduleItem } from './schedule-item.ts'

/** A schedule of which each event can be stored: plain data, as it comes out of the thread that reads files. */
export interface CheckedSchedule extends Pick<ScheduleFile, 'format' | 'source' | 'notes'> {
  /** How many events the file has, with those that are refused. */
  read: number
  taken: Taken[]
  remarks: ImportRemark[]
}

export interface Taken extends Pick<ScheduleItem, 'id' | 'place' | 'title' | 'position'> {
  said: Said
}

export interface ImportRemark {
  kind: 'refused' | 'note' | 'changed' | 'new' | 'missing'
  place: ImportText | null
  title: string
  texts: ImportText[]
}

/** A longer event is a wrong date. */
const longestHours = 7 * 24

/** What the source says of an event, as it is stored to be compared with the next file. */
export interface Said extends Omit<
  Snapshot,
  'state' | 'stage_id' | 'performers' | 'previous_starts_at' | 'previous_place'
> {
  isCancelled: boolean
  stage: string | null
  people: string[]
}

/** Safe for a terminal, which obeys control characters. */
export function oneLine(text: string, max: number): string {
  const characters = [...text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').trim()]
  return characters.length > max ? `${characters.slice(0, max - 1).join('')}…` : characters.join('')
}

/** Letters of a title in a report; that of the file may have millions. */
const titleMost = 300

/** Refuses what cannot be an event, and shortens what is too long. */
export function checkSchedule({ items, format, source, notes }: ScheduleFile): CheckedSchedule {
  const remarks: ImportRemark[] = []
  const ids = new Set<string>()
  const taken: Taken[] = []
  const noted = new Map<string, Noted>()
  for (const item of items) {
    const fault = faultOf(item, ids)
    const title = item.title.slice(0, titleMost)
    if (fault) {
      remarks.push({ kind: 'refused', place: item.place, title, texts: [fault] })
      continue
    }
    ids.add(item.id)
    const note = (text: ImportText) => remarks.push({ kind: 'note', place: item.place, title, texts: [text] })
    const position = item.position && isOnEarth(item.position) ? item.position : null
    if (item.position && !position) note(importText('badPosition'))
    const said = saidOf(item, note)
    const noteOnce = (text: ImportText) =>
      noteForAll({ kind: 'note', place: item.place, title: said.title, texts: [text] }, noted, remarks)
    if (!isKnownKind(item)) noteOnce(importText('unknownKind', { text: oneLine(item.kinds.join(', '), 80) }))
    if (meaningOf(item.status) === null) noteOnce(importText('unknownStatus', { text: oneLine(item.status, 40) }))
    taken.push({ id: item.id, place: item.place, title, position, said })
  }
  for (const { remark, more } of noted.values())
    if (more > 0) remark.texts = [importText('andMore', { text: remark.texts[0]!, n: more })]
  return { format, source, notes, read: items.length, taken, remarks }
}

/** A remark that holds for more events than the one it names. */
interface Noted {
  remark: ImportRemark
  more: number
}

/** Said once for all events of the file of which it holds. */
function noteForAll(remark: Noted['remark'], noted: Map<string, Noted>, remarks: ImportRemark[]) {
  const said = JSON.stringify(remark.texts)
  const earlier = noted.get(said)
  if (earlier) return void earlier.more++
  noted.set(said, { remark, more: 0 })
  remarks.push(remark)
}

/** What a source says of an event in its words; null: in none that we know. */
function meaningOf(status: string): 'scheduled' | 'cancelled' | 'draft' | null {
  const said = status.trim().normalize('NFC')
  if (/^(cancell?ed|abgesagt|entfällt|annul[ée]e?s?)$/i.test(said)) return 'cancelled'
  if (/^(draft|entwurf|brouillon)$/i.test(said)) return 'draft'
  return /^(scheduled|confirmed|moved|delayed|tentative)?$/i.test(said) ? 'scheduled' : null
}

function faultOf(item: ScheduleItem, ids: Set<string>): ImportText | null {
  if (item.fault) return item.fault
  if (meaningOf(item.status) === 'draft') return importText('draft')
  if (!item.id) return importText('noId')
  if (item.id.length > 300 || isUnreadable(item.id)) return importText('badId')
  if (ids.has(item.id)) return importText('idTwice', { id: item.id })
  if (!item.title || unfitForName(item.title) === 'invisible') return importText('noTitle')
  const names = item.people.map(({ name }) => name)
  // one by one: halves of a letter may join where texts are put together
  if ([item.title, item.description, item.room, ...names, ...item.languages].some(isUnreadable))
    return importText('unstorable')
  if (!item.starts) return importText('noStart')
  const { epochMilliseconds: start } = item.starts
  if (start < Date.UTC(1990, 0) || start > Date.UTC(2200, 0)) return importText('startFarOff')
  if (item.ends && item.ends.epochMilliseconds < start) return importText('endsBefore')
  if (item.ends && item.ends.epochMilliseconds === start) return importText('endsAsItBegins')
  if (item.ends && item.ends.epochMilliseconds - start > longestHours * 3_600_000) return importText('tooLong')
  return null
}

const isUnreadable = (text: string) => text.includes('\0') || !text.isWellFormed()
const isOnEarth = ({ latitude, longitude }: Position) => Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180

function saidOf(item: ScheduleItem, note: (text: ImportText) => void): Said {
  const cut = (text: string, max: number, what: 'title' | 'description' | 'place') => {
    const letters = text.length > max ? [...text] : []
    if (letters.length <= max) return text
    note(importText('cut', { what, n: letters.length, max }))
    return `${letters.slice(0, max - 1).join('')}…`
  }
  // one spelling, or a file saved on another machine would move its stages; marks that turn what follows have no place in a headline
  const spelled = (text: string) => text.normalize('NFC')
  const oneLineOf = (text: string) =>
    spelled(text)
      .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
      .replace(/[\u0000-\u001f\u007f\u2028\u2029]+/g, ' ')
      .trim()
  const people = item.people.map(({ name }) => oneLineOf(name)).filter(canBeSeen)
  if (people.length > mostPerformers) note(importText('manyPerformers', { n: people.length, max: mostPerformers }))
  return {
    title: cut(oneLineOf(item.title), 120, 'title'),
    description: cut(spelled(item.description).replace(/\r\n?/g, '\n').trim(), 5000, 'description') || null,
    category: categoryOf(item),
    isCancelled: meaningOf(item.status) === 'cancelled',
    starts_at: isoOf(item.starts!),
    ends_at: item.ends && isoOf(item.ends),
    stage: cut(oneLineOf(item.room), 120, 'place') || null,
    languages: item.languages,
    price_rappen: null,
    ticket_url: null,
    age_min: null,
    family_friendly: item.isFamilyFriendly,
    image_url: null,
    people: people.slice(0, mostPerformers).map((name) => {
      const letters = [...name]
      if (letters.length > 120) note(importText('cut', { what: 'performer', n: letters.length, max: 120 }))
      return letters.slice(0, 120).join('')
    }),
  }
}

const isoOf = (at: Temporal.Instant) => new Date(at.epochMilliseconds).toISOString()

/** The first that fits the words of the source. */
const words: [RegExp, EventCategory][] = [
  [/family|famil|kids|kinder|child|enfant|youth/i, 'family'],
  [/workshop|hands-?on|atelier|werkstatt/i, 'workshop'],
  [/\bdj\b|party|club|nightlife|nachtleben/i, 'nightlife'],
  [/music|musik|musique|concert|konzert|band|choir|chor|live set/i, 'music'],
  [/food|essen|drink|brunch|apéro|apero|cuisine/i, 'food'],
  [/sport|run|yoga|game/i, 'sport'],
  [
    /talk|lecture|vortrag|film|theat|art|kultur|culture|performance|reading|lesung|podcast|ceremony|entertainment|panel/i,
    'culture',
  ],
]

function categoryOf({ kinds }: ScheduleItem): EventCategory {
  for (const kind of kinds) for (const [pattern, category] of words) if (pattern.test(kind)) return category
  return 'other'
}

/** True also where the file says nothing, or "other" itself. */
const isKnownKind = (item: ScheduleItem) =>
  categoryOf(item) !== 'other' || item.kinds.every((kind) => /^(?:other|ander|sonstig|autre|divers|misc)/i.test(kind))
