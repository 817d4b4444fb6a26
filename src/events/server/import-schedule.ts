import { setTimeout as sleep } from 'node:timers/promises'
import { asDate } from '../../kit/server/clock.ts'
import type { Database, Sql } from '../../kit/server/database.ts'
import { newId } from '../../kit/server/ids.ts'
import { withPauses } from '../../kit/server/with-pauses.ts'
import { isUuid } from '../../kit/shared/input.ts'
import { record, type Actor } from '../../staff/server/staff.ts'
import { announced, applyChanges, same, type Change, type Changing, type Snapshot } from './changes.ts'
import { oneLine, type CheckedSchedule, type ImportRemark, type Said, type Taken } from './import/check-schedule.ts'
import { importText, type ImportText, type Speaker } from './import/import-text.ts'
import * as store from './store.ts'

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
  file: CheckedSchedule
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
  const { read, taken, remarks } = wish.file
  await lockImports(trx, wish.waitMs ?? patienceMs)
  const entryId = newId()
  const plan = await planned(trx, room, source, taken, wish.dryRun)
  const changes = plan.changes.filter(({ before }) => before !== null)
  const report: ScheduleReport = {
    counts: {
      read,
      new: plan.changes.length - changes.length,
      changed: changes.length,
      same: taken.length - plan.changes.length,
      refused: read - taken.length,
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

/** No other import runs until the end of the transaction. Throws `ScheduleImportBusy`. */
export async function lockImports(trx: Sql, waitMs: number): Promise<void> {
  const deadline = performance.now() + waitMs
  // asked again and again, because a statement that waits is cut off after seconds
  while (!(await store.tryImportLock(trx))) {
    if (performance.now() >= deadline) throw new ScheduleImportBusy('Another import is still running. Try again later.')
    await sleep(100)
  }
}

/** What is to be done, in the transaction that will do it. */
async function planned(trx: Sql, { clock, zone }: Changing, source: string, taken: Taken[], dryRun: boolean) {
  const known = new Map((await store.findImported(trx, source)).map((row) => [row.source_id, row]))
  const deletedByStaff = ({ id }: Taken) => {
    const row = known.get(id)
    return row?.is_deleted === true && row.source_said !== null
  }
  const fresh: Taken[] = []
  for await (const each of withPauses(taken))
    if (!deletedByStaff(each) && !same(known.get(each.id)?.source_said, each.said)) fresh.push(each)
  const before = fresh.flatMap(({ id }) => (known.get(id)?.source_said ?? []) as unknown as Said)
  const ids = await placesAndPeople(trx, source, fresh, before, asDate(clock.now()), dryRun)
  const current = await store.lockEvents(
    trx,
    fresh.flatMap(({ id }) => known.get(id)?.event_id ?? []),
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
  for await (const { id, place, title, said: now } of withPauses(fresh.filter((each) => !deletedByStaff(each)))) {
    const row = known.get(id)
    const stored = row && !row.is_deleted ? (current.get(row.event_id)?.snapshot ?? null) : null
    const event_id = row?.event_id ?? newId()
    const wanted = snapshotOf(now, ids)
    said.push({ event_id, source_id: id, source_said: now })
    if (!stored) {
      changes.push({ event_id, before: null, after: wanted })
      remarks.push({ kind: 'new', place, title, texts: [plain(wallTime(now.starts_at, zone))] })
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
    if (texts.length > 0) remarks.push({ kind: 'changed', place, title, texts })
  }
  for (const { place, title } of taken.filter(deletedByStaff))
    remarks.push({ kind: 'note', place, title, texts: [importText('deletedByStaff')] })
  const present = new Set(taken.map(({ id }) => id))
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
  const rooms = new Map<string, Taken['position']>()
  for (const { position, said } of taken) if (said.stage) rooms.set(said.stage, rooms.get(said.stage) ?? position)
  const people = new Map<string, string>()
  for await (const { said } of withPauses(taken)) for (const name of said.people) people.set(name, personKey(name))
  const keysBefore: string[] = []
  for await (const { stage, people: names } of withPauses(last))
    keysBefore.push(...names.map(personKey), ...(stage === null ? [] : [stageKey(stage)]))
  const known = await store.knownOfSource(trx, [...[...rooms.keys()].map(stageKey), ...people.values(), ...keysBefore])
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
  const performersWanted: Parameters<typeof store.performersOfSource>[1][number][] = []
  for await (const [performer_name, source_id] of withPauses(people, 1000))
    performersWanted.push({ performer_id: newId(), source_id, performer_name })
  const performers = await store.performersOfSource(trx, performersWanted)
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
