import { setTimeout as sleep } from 'node:timers/promises'
import { asDate } from '../../kit/server/clock.ts'
import type { Database, Sql } from '../../kit/server/database.ts'
import { newId } from '../../kit/server/ids.ts'
import { withPauses } from '../../kit/server/with-pauses.ts'
import { isUuid } from '../../kit/shared/input.ts'
import type { ImportCounts, ImportRemark } from '../../staff/server/import-report.ts'
import { entriesByIds, record, type Actor } from '../../staff/server/staff.ts'
import { importDecision, isDeletedByStaff, noteMove } from '../policy.ts'
import { applyEdits, contentOf, same, type EventEdit, type EditServices, type Snapshot } from './edits.ts'
import type { CheckedEvent, CheckedSchedule, SourceFields } from './import/check-schedule.ts'
import { importText, type ImportText } from '../../kit/server/import-text.ts'
import * as store from './store.ts'

export interface ScheduleReport {
  counts: ImportCounts
  remarks: ImportRemark[]
  /** The log entry; null: nothing was written. */
  entryId: string | null
  /** Edits of known events. */
  edits: EventEdit[]
  effect: ImportEffect
}

/** What an import does to the events of its source that are not over yet. */
export interface ImportEffect {
  /** How many there are before the import. */
  coming: number
  /** Taken out of the programme, or cancelled. */
  removed: number
  /** On another stage, or with another start by more than `movedFromMinutes`. */
  moved: number
}
/** A smaller shift is a correction of the timetable. */
const movedFromMinutes = 30

/** Another import was still running after the time to wait. */
export class ScheduleImportBusy extends Error {}

interface ImportOptions {
  file: CheckedSchedule
  fileName: string
  dryRun: boolean
  actor: Actor
  /** Name of the list that the file comes from; event ids are unique within it. Default: as the file says. */
  source?: string | undefined
  /** How long to wait for a running import; default a minute. */
  waitMs?: number
  /** Deletes events that the file lacks and that are not over yet. Default: they stay and are reported. */
  removesMissing?: boolean
}

const commandWaitsMs = 60_000
/** Short, because a request holds a database connection while it waits. */
export const requestWaitsMs = 1000

/**
 * Imports a schedule, all or nothing, one import at a time. Events are matched by their id in the source. A field changes
 * where the source says something else than at the last import, unless staff edited it since. Events that the file lacks
 * stay and are reported, unless `removesMissing` says otherwise.
 * @throws `ScheduleImportBusy`
 */
export function importSchedule(room: EditServices & { db: Database }, options: ImportOptions): Promise<ScheduleReport> {
  return room.db.transaction().execute((trx) => importWithin(trx, room, options))
}

/** `importSchedule` within a transaction. */
export async function importWithin(trx: Sql, room: EditServices, options: ImportOptions): Promise<ScheduleReport> {
  const source = options.source ?? options.file.source
  const { read, accepted, remarks } = options.file
  const { dryRun, removesMissing = false } = options
  await lockImports(trx, options.waitMs ?? commandWaitsMs)
  const entryId = newId()
  const plan = await planImport(trx, room, source, options.file, { dryRun, removesMissing })
  const edits = plan.edits.filter(({ before }) => before !== null)
  const removed = edits.filter(({ after }) => after === null).map(({ event_id }) => event_id)
  const fresh = plan.edits.length - edits.length
  const changed = edits.length - removed.length
  const report: ScheduleReport = {
    counts: {
      read,
      new: fresh,
      changed,
      same: accepted.length - fresh - changed,
      refused: read - accepted.length,
    },
    remarks: [...remarks, ...plan.remarks],
    entryId: null,
    edits,
    effect: plan.effect,
  }
  if (dryRun || (plan.edits.length === 0 && plan.sourceRows.length === 0)) return report
  if (plan.edits.length > 0) {
    await applyEdits(trx, room, entryId, plan.edits, plan.sequences)
    await record(trx, room, options.actor, entryId, {
      action: 'import-events',
      object: { kind: 'import', id: null, name: options.fileName },
      after: {
        source,
        ...report.counts,
        removed: removed.length,
        made_stages: plan.made.stages,
        made_venues: plan.made.venues,
      },
    })
    report.entryId = entryId
  }
  await store.writeSourceFields(trx, source, plan.sourceRows)
  // so that they come back when the source has them again: without this they would count as deleted by staff
  await store.clearSourceFields(trx, removed)
  return report
}

/** Locks imports until the end of the transaction. @throws `ScheduleImportBusy` */
export async function lockImports(trx: Sql, waitMs: number): Promise<void> {
  const deadline = performance.now() + waitMs
  // tries in steps, because statements are cancelled after three seconds
  while (!(await store.tryImportLock(trx))) {
    if (performance.now() >= deadline) throw new ScheduleImportBusy('Another import is still running. Try again later.')
    await sleep(100)
  }
}

/** Works out what an import changes and reports. Locks the known events; makes stages and performers unless `dryRun`. */
async function planImport(
  trx: Sql,
  { clock, zone }: EditServices,
  source: string,
  { accepted, refusedIds }: CheckedSchedule,
  { dryRun, removesMissing }: { dryRun: boolean; removesMissing: boolean },
) {
  const now = asDate(clock.now())
  const known = new Map((await store.findImported(trx, source)).map((row) => [row.source_id, row]))
  const staysDeleted = ({ id }: CheckedEvent) => isDeletedByStaff(known.get(id))
  const fresh: CheckedEvent[] = []
  for await (const each of withPauses(accepted))
    if (!staysDeleted(each) && !same(saidBy(known.get(each.id)), each.fields)) fresh.push(each)
  const before = fresh.flatMap(({ id }) => saidBy(known.get(id)) ?? [])
  const ids = await stagesAndPerformers(trx, source, fresh, before, now, dryRun)
  const present = new Set([...accepted.map(({ id }) => id), ...refusedIds])
  const missing = [...known.values()].filter(({ is_deleted, source_id }) => !is_deleted && !present.has(source_id))
  const removable = removesMissing ? await removableOf(trx, missing, now) : new Set<string>()
  const current = await store.lockEvents(trx, [
    ...fresh.flatMap(({ id }) => known.get(id)?.event_id ?? []),
    ...removable,
  ])
  // staff may have deleted or restored events before they were locked
  for (const row of known.values()) row.is_deleted = current.get(row.event_id)?.is_deleted ?? row.is_deleted
  const stages = fresh.flatMap(({ fields }) => (fields.stage === null ? [] : ids.stageOf(fields.stage)))
  const places = await store.placeNames(trx, [
    ...[...current.values()].flatMap(({ snapshot }) => snapshot.stage_id ?? []),
    // a dry run makes no stages, so new ones have no id
    ...stages.filter(isUuid),
  ])
  const edits: EventEdit[] = []
  const sourceRows: { event_id: string; source_id: string; source_said: object }[] = []
  const remarks: ScheduleReport['remarks'] = []
  for await (const { id, place, title, fields } of withPauses(fresh.filter((each) => !staysDeleted(each)))) {
    const row = known.get(id)
    const stored = row && !row.is_deleted ? (current.get(row.event_id)?.snapshot ?? null) : null
    const event_id = row?.event_id ?? newId()
    const wanted = snapshotOf(fields, ids)
    sourceRows.push({ event_id, source_id: id, source_said: fields })
    if (!stored) {
      edits.push({ event_id, before: null, after: wanted })
      remarks.push({ kind: 'new', place, title, texts: [plain(wallTime(fields.starts_at, zone))] })
      continue
    }
    const said = saidBy(row)
    const last = said ? snapshotOf(said, ids) : stored
    const merged: Snapshot = { ...stored }
    const texts: ImportText[] = []
    for (const group of mergedFields) {
      const part = (of: Snapshot) =>
        contentOf(group.fields.map((field) => (field === 'state' ? publishedState(of.state) : of[field])))
      const decision = importDecision(part(last), part(stored), part(wanted))
      if (decision === 'unchanged') continue
      if (decision === 'keep-edit') {
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
    const after = noteMove(stored, merged, places)
    if (!same(stored, after)) edits.push({ event_id, before: stored, after })
    if (texts.length > 0) remarks.push({ kind: 'changed', place, title, texts })
  }
  for (const { place, title } of accepted.filter(staysDeleted))
    remarks.push({ kind: 'note', place, title, texts: [importText('deletedByStaff')] })
  for (const row of missing.filter(({ is_deleted }) => !is_deleted)) {
    const stored = removable.has(row.event_id) ? current.get(row.event_id) : undefined
    if (stored) edits.push({ event_id: row.event_id, before: stored.snapshot, after: null })
    remarks.push({
      kind: 'missing',
      place: importText('atId', { id: row.source_id }),
      title: String(row.source_said?.['title'] ?? ''),
      texts: [importText(stored ? 'removed' : 'missing')],
    })
  }
  const coming = new Set(
    [...known.values()].filter((row) => !row.is_deleted && row.starts_at > now).map(({ event_id }) => event_id),
  )
  const sequences = new Map([...current].map(([id, { sequence }]) => [id, sequence]))
  return { edits, sourceRows, remarks, sequences, made: ids.made, effect: effectOn(coming, edits) }
}

/** What the source said at the last import; null: nothing that counts. Imports before there were all-day events lack `all_day`. */
function saidBy(row: store.ImportedRow | undefined): SourceFields | null {
  return row?.source_said ? ({ all_day: false, ...row.source_said } as unknown as SourceFields) : null
}

/**
 * Which of the events that a file lacks may be removed: those to come, for lists of coming events drop what has begun. One whose deletion staff have undone stays, or the
 * next read would delete it again.
 */
async function removableOf(trx: Sql, missing: readonly store.ImportedRow[], now: Date): Promise<Set<string>> {
  const ids = missing.filter(({ starts_at }) => starts_at > now).map(({ event_id }) => event_id)
  const appearances = await store.lastAppearances(trx, ids)
  const entries = await entriesByIds(trx, [...new Set(appearances.values())])
  const undos = new Set(entries.filter(({ undoes }) => undoes !== null).map(({ entry_id }) => entry_id))
  return new Set(ids.filter((id) => !undos.has(appearances.get(id) ?? '')))
}

function effectOn(coming: ReadonlySet<string>, edits: readonly EventEdit[]): ImportEffect {
  const effect = { coming: coming.size, removed: 0, moved: 0 }
  for (const { event_id, before, after } of edits) {
    if (!before || !coming.has(event_id)) continue
    if (after === null || (after.state === 'cancelled' && before.state !== 'cancelled')) effect.removed++
    else if (isElsewhere(before, after)) effect.moved++
  }
  return effect
}

const isElsewhere = (before: Snapshot, after: Snapshot) =>
  (before.stage_id !== null && before.stage_id !== after.stage_id) ||
  Math.abs(Date.parse(after.starts_at) - Date.parse(before.starts_at)) > movedFromMinutes * 60_000

/** Files have no status for moved and delayed: they follow from new times and places. */
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
type MergedField = (typeof mergedAlone)[number] | 'starts_at' | 'ends_at' | 'all_day'
const alone = (field: MergedField) => ({ name: field as string, fields: [field] })
/** Start and end are merged together: a start of the file with an end of staff could end before it begins. */
const mergedFields: { name: string; fields: MergedField[] }[] = [
  ...mergedAlone.slice(0, 4).map(alone),
  { name: 'time', fields: ['starts_at', 'ends_at', 'all_day'] },
  ...mergedAlone.slice(4).map(alone),
]
const shownFields = new Set<string>(['title', 'category', 'state', 'starts_at', 'ends_at'])

function shownValue(field: MergedField, of: Snapshot, zone: string): ImportText {
  const value = of[field]
  if (value === null) return plain('–')
  if (field === 'starts_at' || field === 'ends_at') return plain(wallTime(String(value), zone))
  return field === 'title' ? plain(of.title) : importText(field, { value: String(value) })
}

/** A text that is the same in all languages. */
const plain = (text: string) => importText('plain', { text })

/** "2026-06-20 21:15" in the festival's zone. */
function wallTime(iso: string, zone: string): string {
  const at = Temporal.Instant.from(iso).toZonedDateTimeISO(zone)
  return `${at.toPlainDate().toString()} ${at.toPlainTime().toString({ smallestUnit: 'minute' })}`
}

/** Ids of stages and performers by their names in the source; unknown ones are made, unless `dryRun`. */
async function stagesAndPerformers(
  trx: Sql,
  source: string,
  accepted: CheckedEvent[],
  last: SourceFields[],
  now: Date,
  dryRun: boolean,
) {
  const stageKey = (name: string) => `${source}:stage:${name}`.slice(0, 300)
  const personKey = (name: string) => `${source}:person:${name}`.slice(0, 300)
  const stagePositions = new Map<string, CheckedEvent['position']>()
  for (const { position, fields } of accepted)
    if (fields.stage) stagePositions.set(fields.stage, stagePositions.get(fields.stage) ?? position)
  const people = new Map<string, string>()
  for await (const { fields } of withPauses(accepted))
    for (const name of fields.people) people.set(name, personKey(name))
  const keysBefore: string[] = []
  for await (const { stage, people: names } of withPauses(last))
    keysBefore.push(...names.map(personKey), ...(stage === null ? [] : [stageKey(stage)]))
  const known = await store.knownOfSource(trx, [
    ...[...stagePositions.keys()].map(stageKey),
    ...people.values(),
    ...keysBefore,
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
    [...stagePositions].map(([name, position]) => ({
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

type Ids = Omit<Awaited<ReturnType<typeof stagesAndPerformers>>, 'made'>

function snapshotOf({ isCancelled, stage, people, ...fields }: SourceFields, { stageOf, personOf }: Ids): Snapshot {
  return {
    ...fields,
    state: isCancelled ? 'cancelled' : 'scheduled',
    stage_id: stage === null ? null : stageOf(stage) || null,
    previous_starts_at: null,
    previous_place: null,
    performers: [...new Set(people.map(personOf).filter(Boolean))],
  }
}
