import { setTimeout as sleep } from 'node:timers/promises'
import { asDate } from '../../kit/server/clock.ts'
import type { Database, Sql } from '../../kit/server/database.ts'
import { newId } from '../../kit/server/ids.ts'
import type { Position } from '../../kit/shared/geo.ts'
import { canBeSeen, isUuid, unfitForName } from '../../kit/shared/input.ts'
import { record, type Actor } from '../../staff/server/staff.ts'
import type { EventCategory } from '../contract.ts'
import { announced, applyChanges, same, type Change, type Changing, type Snapshot } from './changes.ts'
import { importText, type ImportText, type Speaker } from './import/import-text.ts'
import type { ScheduleFile, ScheduleItem } from './import/schedule-file.ts'
import * as store from './store.ts'

export interface ImportRemark {
  kind: 'refused' | 'note' | 'changed' | 'new' | 'missing'
  place: ImportText | null
  title: string
  texts: ImportText[]
}

/** A remark as somebody reads it. */
export const spoken = (speak: Speaker, { kind, place, title, texts }: ImportRemark) => ({
  kind,
  place: place ? speak(place) : '',
  title,
  text: texts.map(speak).join('; '),
})

export interface ScheduleReport {
  /** Each event of the file is one of new, changed, same and refused. */
  counts: Record<'read' | 'new' | 'changed' | 'same' | 'refused', number>
  remarks: ImportRemark[]
  /** Of the log; null where nothing was written. */
  entryId: string | null
  /** Changes of events that were there. */
  changes: Change[]
}

/** Another import was still running when this one could wait no longer. */
export class ScheduleImportBusy extends Error {}

interface Wish {
  file: ScheduleFile
  fileName: string
  dryRun: boolean
  actor: Actor
  /** Name of the list; ids are unique within it. */
  source?: string | undefined
  /** How long another import is waited for; a command is patient, a request is not. */
  waitMs?: number
}

const patienceMs = 60_000
/** A request holds a connection to the database while it waits for another import. */
export const requestWaitsMs = 1000

/** A longer event is a wrong date. */
const longestHours = 7 * 24

/** What the source says of an event, as it is stored to be compared with the next file. */
interface Said extends Omit<Snapshot, 'state' | 'stage_id' | 'performers' | 'previous_starts_at' | 'previous_place'> {
  isCancelled: boolean
  stage: string | null
  people: string[]
}

/**
 * Takes a schedule over. An event is known again by its id in the source; of a known one only those fields change that the
 * source says otherwise than the last time, and a field that staff edited meanwhile stays. All or nothing, one import at a
 * time; events that the file has no more stay and are named. Throws `ScheduleImportBusy`.
 */
export function importSchedule(room: Changing & { db: Database }, wish: Wish): Promise<ScheduleReport> {
  return room.db.transaction().execute((trx) => importWithin(trx, room, wish))
}

/** The same within a transaction. */
export async function importWithin(trx: Sql, room: Changing, wish: Wish): Promise<ScheduleReport> {
  const source = wish.source ?? wish.file.source
  const { taken, remarks } = checked(wish.file)
  const refused = wish.file.items.length - taken.length
  await lockImports(trx, wish.waitMs ?? patienceMs)
  const entryId = newId()
  const plan = await planned(trx, room, source, taken, wish.dryRun)
  const changes = plan.changes.filter(({ before }) => before !== null)
  const report: ScheduleReport = {
    counts: {
      read: wish.file.items.length,
      new: plan.changes.length - changes.length,
      changed: changes.length,
      same: taken.length - plan.changes.length,
      refused,
    },
    remarks: [...remarks, ...plan.remarks],
    entryId: null,
    changes,
  }
  if (wish.dryRun || (plan.changes.length === 0 && plan.said.length === 0)) return report
  if (plan.changes.length > 0) {
    await applyChanges(trx, room, entryId, plan.changes, plan.sequences)
    await record(trx, room, wish.actor, entryId, {
      action: 'import-events',
      object: { kind: 'import', id: null, name: wish.fileName },
      after: { source, ...report.counts, made_stages: plan.made.stages, made_venues: plan.made.venues },
    })
    report.entryId = entryId
  }
  await store.rememberSource(trx, source, plan.said)
  return report
}

/** The report as lines for people, the last one "N read, N new, N changed, N same, N refused". */
export function scheduleReportLines({ counts, remarks }: ScheduleReport, speak: Speaker): string[] {
  const { read, changed, same: unchanged, refused } = counts
  const shown = remarks.filter(({ kind }) => kind !== 'new').map((remark) => spoken(speak, remark))
  return [
    ...shown.map(
      ({ kind, place, title, text }) =>
        `${place} (${oneLine(title, 60) || 'no title'}): ${kind}: ${oneLine(text, 300)}`,
    ),
    `${read} read, ${counts.new} new, ${changed} changed, ${unchanged} same, ${refused} refused`,
  ]
}

/** Safe for a terminal, which obeys control characters. */
function oneLine(text: string, max: number): string {
  const characters = [...text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').trim()]
  return characters.length > max ? `${characters.slice(0, max - 1).join('')}…` : characters.join('')
}

/** No other import runs until the end of the transaction. Throws `ScheduleImportBusy`. */
export async function lockImports(trx: Sql, waitMs: number): Promise<void> {
  const deadline = performance.now() + waitMs
  // asked again and again, because a statement that waits is cut off after seconds
  while (!(await store.tryImportLock(trx))) {
    if (performance.now() >= deadline) throw new ScheduleImportBusy('Another import is still running. Try again later.')
    await sleep(100)
  }
}

interface Taken {
  item: ScheduleItem
  said: Said
}

/** Refuses what cannot be an event, and shortens what is too long. */
function checked(file: ScheduleFile): { taken: Taken[]; remarks: ScheduleReport['remarks'] } {
  const remarks: ScheduleReport['remarks'] = []
  const ids = new Set<string>()
  const taken: Taken[] = []
  const noted = new Map<string, Noted>()
  for (const item of file.items) {
    const fault = faultOf(item, ids)
    if (fault) {
      remarks.push({ kind: 'refused', place: item.place, title: item.title, texts: [fault] })
      continue
    }
    ids.add(item.id)
    const note = (text: ImportText) =>
      remarks.push({ kind: 'note', place: item.place, title: item.title, texts: [text] })
    const position = item.position && isOnEarth(item.position) ? item.position : null
    if (item.position && !position) note(importText('badPosition'))
    const said = saidOf(item, note)
    const noteOnce = (text: ImportText) =>
      noteForAll({ kind: 'note', place: item.place, title: said.title, texts: [text] }, noted, remarks)
    if (!isKnownKind(item)) noteOnce(importText('unknownKind', { text: oneLine(item.kinds.join(', '), 80) }))
    if (meaningOf(item.status) === null) noteOnce(importText('unknownStatus', { text: oneLine(item.status, 40) }))
    taken.push({ item: { ...item, position }, said })
  }
  for (const { remark, more } of noted.values())
    if (more > 0) remark.texts = [importText('andMore', { text: remark.texts[0]!, n: more })]
  return { taken, remarks }
}

/** A remark that holds for more events than the one it names. */
interface Noted {
  remark: ScheduleReport['remarks'][number]
  more: number
}

/** Said once for all events of the file of which it holds. */
function noteForAll(remark: Noted['remark'], noted: Map<string, Noted>, remarks: ScheduleReport['remarks']) {
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
  if (people.length > peopleMost) note(importText('manyPerformers', { n: people.length, max: peopleMost }))
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
    people: people.slice(0, peopleMost).map((name) => {
      const letters = [...name]
      if (letters.length > 120) note(importText('cut', { what: 'performer', n: letters.length, max: 120 }))
      return letters.slice(0, 120).join('')
    }),
  }
}

/** Of one event. */
const peopleMost = 40

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

/** What is to be done, in the transaction that will do it. */
async function planned(trx: Sql, { clock, zone }: Changing, source: string, taken: Taken[], dryRun: boolean) {
  const known = new Map((await store.findImported(trx, source)).map((row) => [row.source_id, row]))
  const deletedByStaff = ({ item }: Taken) => {
    const row = known.get(item.id)
    return row?.is_deleted === true && row.source_said !== null
  }
  const fresh = taken.filter((each) => !deletedByStaff(each) && !same(known.get(each.item.id)?.source_said, each.said))
  const before = fresh.flatMap(({ item }) => (known.get(item.id)?.source_said ?? []) as unknown as Said)
  const ids = await placesAndPeople(trx, source, fresh, before, asDate(clock.now()), dryRun)
  const current = await store.lockEvents(
    trx,
    fresh.flatMap(({ item }) => known.get(item.id)?.event_id ?? []),
  )
  // staff may have deleted one, or brought one back, before it was locked
  for (const row of known.values()) row.is_deleted = current.get(row.event_id)?.is_deleted ?? row.is_deleted
  const stages = fresh.flatMap(({ said }) => (said.stage === null ? [] : ids.stageOf(said.stage)))
  const places = await store.placeNames(trx, [
    ...[...current.values()].flatMap(({ snapshot }) => snapshot.stage_id ?? []),
    // a dry run makes no stages, so some have no id yet
    ...stages.filter(isUuid),
  ])
  const changes: Change[] = []
  const said: { event_id: string; source_id: string; source_said: object }[] = []
  const remarks: ScheduleReport['remarks'] = []
  for (const { item, said: now } of fresh.filter((each) => !deletedByStaff(each))) {
    const row = known.get(item.id)
    const stored = row && !row.is_deleted ? (current.get(row.event_id)?.snapshot ?? null) : null
    const event_id = row?.event_id ?? newId()
    const wanted = snapshotOf(now, ids)
    said.push({ event_id, source_id: item.id, source_said: now })
    if (!stored) {
      changes.push({ event_id, before: null, after: wanted })
      remarks.push({ kind: 'new', place: item.place, title: item.title, texts: [plain(wallTime(now.starts_at, zone))] })
      continue
    }
    const last = row?.source_said ? snapshotOf(row.source_said as unknown as Said, ids) : stored
    const merged: Snapshot = { ...stored }
    const texts: ImportText[] = []
    for (const group of mergedFields) {
      const part = (of: Snapshot) =>
        group.fields.map((field) => (field === 'state' ? publishedState(of.state) : of[field]))
      if (same(part(last), part(wanted)) || same(part(stored), part(wanted))) continue
      if (!same(part(stored), part(last))) {
        texts.push(importText('editedByStaff', { field: group.name }))
        continue
      }
      for (const field of group.fields) {
        if (same(stored[field], wanted[field])) continue
        Object.assign(merged, { [field]: wanted[field] })
        const [from, to] = [stored, wanted].map((of) => shownValue(field, of, zone))
        texts.push(
          shownFields.has(field)
            ? importText('changedFromTo', { field, from: from!, to: to! })
            : importText('changed', { field }),
        )
      }
    }
    const after = announced(stored, merged, places)
    if (!same(stored, after)) changes.push({ event_id, before: stored, after })
    if (texts.length > 0) remarks.push({ kind: 'changed', place: item.place, title: item.title, texts })
  }
  for (const { item } of taken.filter(deletedByStaff))
    remarks.push({
      kind: 'note',
      place: item.place,
      title: item.title,
      texts: [importText('deletedByStaff')],
    })
  const present = new Set(taken.map(({ item }) => item.id))
  for (const row of known.values())
    if (!row.is_deleted && !present.has(row.source_id))
      remarks.push({
        kind: 'missing',
        place: importText('atId', { id: row.source_id }),
        title: String(row.source_said?.['title'] ?? ''),
        texts: [importText('missing')],
      })
  const sequences = new Map([...current].map(([id, { sequence }]) => [id, sequence]))
  return { changes, said, remarks, sequences, made: ids.made }
}

/** A source knows no word for moved and delayed: those follow from its times and places. */
const publishedState = (state: Snapshot['state']) => (state === 'moved' || state === 'delayed' ? 'scheduled' : state)

const mergedAlone = [
  'title',
  'description',
  'category',
  'state',
  'stage_id',
  'languages',
  'family_friendly',
  'performers',
] as const satisfies (keyof Snapshot)[]
type MergedField = (typeof mergedAlone)[number] | 'starts_at' | 'ends_at'
const alone = (field: MergedField) => ({ name: field as string, fields: [field] })
/** Start and end are one: that of the file beside that of staff may be no time at all. */
const mergedFields: { name: string; fields: MergedField[] }[] = [
  ...mergedAlone.slice(0, 4).map(alone),
  { name: 'time', fields: ['starts_at', 'ends_at'] },
  ...mergedAlone.slice(4).map(alone),
]
const shownFields = new Set<string>(['title', 'category', 'state', 'starts_at', 'ends_at'])

function shownValue(field: MergedField, of: Snapshot, zone: string): ImportText {
  const value = of[field]
  if (value === null) return plain('–')
  if (field === 'starts_at' || field === 'ends_at') return plain(wallTime(String(value), zone))
  return field === 'title' ? plain(of.title) : importText(field, { value: String(value) })
}

/** Words that are the same in all languages. */
const plain = (text: string) => importText('plain', { text })

/** "2026-06-20 21:15", as the clocks of the festival show it. */
function wallTime(iso: string, zone: string): string {
  const at = Temporal.Instant.from(iso).toZonedDateTimeISO(zone)
  return `${at.toPlainDate().toString()} ${at.toPlainTime().toString({ smallestUnit: 'minute' })}`
}

/** Stages and performers by what the source calls them. */
async function placesAndPeople(trx: Sql, source: string, taken: Taken[], last: Said[], now: Date, dryRun: boolean) {
  const stageKey = (name: string) => `${source}:stage:${name}`.slice(0, 300)
  const personKey = (name: string) => `${source}:person:${name}`.slice(0, 300)
  const rooms = new Map<string, ScheduleItem['position']>()
  for (const { item, said } of taken)
    if (said.stage) rooms.set(said.stage, rooms.get(said.stage) ?? item.position ?? null)
  const people = [...new Set(taken.flatMap(({ said }) => said.people))].filter(Boolean)
  const known = await store.knownOfSource(trx, [
    ...[...rooms.keys(), ...last.flatMap(({ stage }) => stage ?? [])].map(stageKey),
    ...[...people, ...last.flatMap((each) => each.people)].map(personKey),
  ])
  if (dryRun) {
    const named = (key: string) => known.get(key) ?? `new ${key}`
    return {
      stageOf: (name: string) => named(stageKey(name)),
      personOf: (name: string) => named(personKey(name)),
      made: { stages: [], venues: [] },
    }
  }
  const { stages, made } = await store.stagesOfSource(
    trx,
    [...rooms].map(([name, position]) => ({
      stage_id: newId(),
      venue_id: newId(),
      source_id: stageKey(name),
      name,
      latitude: position?.latitude ?? null,
      longitude: position?.longitude ?? null,
    })),
    now,
  )
  const performers = await store.performersOfSource(
    trx,
    people.map((name) => ({ performer_id: newId(), source_id: personKey(name), performer_name: name })),
  )
  return {
    stageOf: (name: string) => stages.get(stageKey(name)) ?? known.get(stageKey(name)) ?? '',
    personOf: (name: string) => performers.get(personKey(name)) ?? known.get(personKey(name)) ?? '',
    made,
  }
}

type Ids = Omit<Awaited<ReturnType<typeof placesAndPeople>>, 'made'>

function snapshotOf({ isCancelled, stage, people, ...said }: Said, { stageOf, personOf }: Ids): Snapshot {
  return {
    ...said,
    state: isCancelled ? 'cancelled' : 'scheduled',
    stage_id: stage === null ? null : stageOf(stage) || null,
    previous_starts_at: null,
    previous_place: null,
    performers: [...new Set(people.map(personOf).filter(Boolean))],
  }
}
