import type { Position } from '../../../kit/shared/geo.ts'
import { canBeSeen, unfitForName } from '../../../kit/shared/input.ts'
import { oneLine, type ImportRemark } from '../../../staff/server/import-report.ts'
import type { EventCategory } from '../../contract.ts'
import { mostPerformers } from '../../limits.ts'
import type { Snapshot } from '../store.ts'
import { importText, type ImportText } from '../../../kit/server/import-text.ts'
import { ownIdentities } from './identity.ts'
import type { ScheduleFile, ScheduleItem } from './schedule-item.ts'

/** A schedule file after its check: plain data, because it comes from the thread that reads files. */
export interface CheckedSchedule extends Pick<ScheduleFile, 'format' | 'source' | 'notes' | 'table'> {
  /** How many events the file has, refused ones included; without older versions and repetitions of the same. */
  read: number
  /** Events that can be stored. */
  accepted: CheckedEvent[]
  /** Ids of the other ones: the source still has these events. */
  refusedIds: string[]
  remarks: ImportRemark[]
}

export interface CheckedEvent extends Pick<ScheduleItem, 'id' | 'place' | 'title' | 'position'> {
  fields: SourceFields
}

/** A longer event may have a wrong date. */
const longestHours = 7 * 24

/** An event as its source says it; stored as `source_said`, to be compared with the next file. */
export interface SourceFields extends Omit<
  Snapshot,
  'state' | 'stage_id' | 'performers' | 'previous_starts_at' | 'previous_place'
> {
  isCancelled: boolean
  stage: string | null
  people: string[]
}

/** Letters of a title in a report; a file may hold a title of millions. */
const titleMost = 300

/** Refuses events that cannot be stored, and shortens texts that are too long; each gets a remark. */
export function checkSchedule({ items, format, source, notes, table }: ScheduleFile): CheckedSchedule {
  const remarks: ImportRemark[] = []
  const identified = ownIdentities(items)
  const accepted: CheckedEvent[] = []
  const refusedIds: string[] = []
  const shared = new Map<string, SharedRemark>()
  for (const { item, notes: ofIdentity } of identified) {
    const fault = faultOf(item)
    const title = item.title.slice(0, titleMost)
    if (fault) {
      refusedIds.push(item.id)
      remarks.push({ kind: 'refused', place: item.place, title, texts: [fault] })
      continue
    }
    const note = (text: ImportText) => remarks.push({ kind: 'note', place: item.place, title, texts: [text] })
    const position = item.position && isOnEarth(item.position) ? item.position : null
    if (item.position && !position) note(importText('badPosition'))
    const endNote = endNoteOf(item)
    if (endNote) note(endNote.text)
    const fields = sourceFieldsOf(endNote?.isOpen ? { ...item, ends: null } : item, note)
    const noteOnce = (text: ImportText) =>
      addRemarkOnce({ kind: 'note', place: item.place, title: fields.title, texts: [text] }, shared, remarks)
    for (const text of [...(item.notes ?? []), ...ofIdentity]) noteOnce(text)
    if (!isKnownKind(item)) noteOnce(importText('unknownKind', { text: oneLine(item.kinds.join(', '), 80) }))
    if (meaningOf(item.status) === null) noteOnce(importText('unknownStatus', { text: oneLine(item.status, 40) }))
    accepted.push({ id: item.id, place: item.place, title, position, fields })
  }
  for (const { remark, more } of shared.values())
    if (more > 0) remark.texts = [importText('andMore', { text: remark.texts[0]!, n: more })]
  return { format, source, notes, read: identified.length, accepted, refusedIds, remarks, ...(table ? { table } : {}) }
}

/** A remark that holds for `more` other events too. */
interface SharedRemark {
  remark: ImportRemark
  more: number
}

/** Adds a remark, or counts it where an earlier event has the same one. */
function addRemarkOnce(remark: SharedRemark['remark'], shared: Map<string, SharedRemark>, remarks: ImportRemark[]) {
  const key = JSON.stringify(remark.texts)
  const earlier = shared.get(key)
  if (earlier) return void earlier.more++
  shared.set(key, { remark, more: 0 })
  remarks.push(remark)
}

/** The status that a source gives an event in its own word; null: an unknown word. */
function meaningOf(status: string): 'scheduled' | 'cancelled' | 'draft' | null {
  const word = status.trim().normalize('NFC')
  if (/^(cancell?ed|abgesagt|entfällt|annul[ée]e?s?)$/i.test(word)) return 'cancelled'
  if (/^(draft|entwurf|brouillon)$/i.test(word)) return 'draft'
  return /^(scheduled|confirmed|moved|delayed|tentative)?$/i.test(word) ? 'scheduled' : null
}

function faultOf(item: ScheduleItem): ImportText | null {
  if (item.fault) return item.fault
  if (meaningOf(item.status) === 'draft') return importText('draft')
  if (!item.title || unfitForName(item.title) === 'invisible') return importText('noTitle')
  const names = item.people.map(({ name }) => name)
  // each text by itself: joined, broken surrogates of two texts could form a valid character
  if ([item.title, item.description, item.room, ...names, ...item.languages].some(isUnreadable))
    return importText('unstorable')
  if (!item.starts) return importText('noStart')
  const { epochMilliseconds: start } = item.starts
  if (start < Date.UTC(1990, 0) || start > Date.UTC(2200, 0)) return importText('startFarOff')
  return null
}

/** A later end is a mistake: one wrong digit of a year would show the event on the days of centuries. */
const mostDays = 366

/** What is odd about an end. An event whose end cannot be meant gets an open one. */
function endNoteOf({ starts, ends }: ScheduleItem): { text: ImportText; isOpen: boolean } | null {
  if (!ends) return null
  const lasts = ends.epochMilliseconds - starts!.epochMilliseconds
  if (lasts < 0) return { text: importText('endsBefore'), isOpen: true }
  if (lasts === 0) return { text: importText('endsAsItBegins'), isOpen: true }
  if (lasts > mostDays * 86_400_000) return { text: importText('endFarOff'), isOpen: true }
  return lasts > longestHours * 3_600_000 ? { text: importText('tooLong'), isOpen: false } : null
}

const isUnreadable = (text: string) => text.includes('\0') || !text.isWellFormed()
const isOnEarth = ({ latitude, longitude }: Position) => Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180

function sourceFieldsOf(item: ScheduleItem, note: (text: ImportText) => void): SourceFields {
  const cut = (text: string, max: number, what: 'title' | 'description' | 'place') => {
    const letters = text.length > max ? [...text] : []
    if (letters.length <= max) return text
    note(importText('cut', { what, n: letters.length, max }))
    return `${letters.slice(0, max - 1).join('')}…`
  }
  // NFC: a file saved on another machine may spell ü in two characters, and its stages would look new
  const spelled = (text: string) => text.normalize('NFC')
  const oneLineOf = (text: string) =>
    spelled(text)
      // marks that change the direction of text
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
    all_day: item.isAllDay,
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

/** Words of sources for a category; the first pattern that matches counts. */
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

/** True: the words name a category, or say "other", or there are none. */
const isKnownKind = (item: ScheduleItem) =>
  categoryOf(item) !== 'other' || item.kinds.every((kind) => /^(?:other|ander|sonstig|autre|divers|misc)/i.test(kind))
