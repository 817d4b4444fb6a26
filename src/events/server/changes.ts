import { asDate, type Clock } from '../../kit/server/clock.ts'
import type { Database, Sql } from '../../kit/server/database.ts'
import type { Jobs } from '../../kit/server/jobs.ts'
import type { Reach } from '../../staff/contract.ts'
import { entriesSince, type LaterEntry } from '../../staff/server/staff.ts'
import { eventChanged, openEndMinutes, type EventChanged, type EventState } from '../contract.ts'
import { festivalDayOf } from './festival-day.ts'
import { readDescription } from './read-description.ts'
import * as store from './store.ts'

export type { Change, Snapshot } from './store.ts'

/** What a change needs; a command beside the server has it as well. */
export interface Changing {
  clock: Clock
  zone: string
  jobs: Pick<Jobs, 'enqueue'>
}

/** How many people have saved any of these events; the room of schedules knows. */
export type CountSavers = (db: Sql, eventIds: readonly string[]) => Promise<number>

/** What these changes do to the published programme. */
export async function reachOf(trx: Sql, changes: readonly store.Change[], countSavers: CountSavers): Promise<Reach> {
  const seen = changes.filter(({ before, after }) => isPublic(before) || isPublic(after))
  const hidden = seen.filter(({ after }) => !isPublic(after)).length
  const shown = seen.filter(({ before }) => !isPublic(before)).length
  const people = await countSavers(
    trx,
    seen.map(({ event_id }) => event_id),
  )
  return { kind: 'event', hidden, shown, changed: seen.length - hidden - shown, people }
}

const isPublic = (snapshot: store.Snapshot | null) => snapshot !== null && snapshot.state !== 'draft'

/** Tells the rooms above what an entry changed. */
export const tellJob = 'tell-event-changes'

/**
 * Writes changes of events as one action: the rows, what was before and after for an undo, and a job that tells who saved
 * them. The events must be locked. A move or a delay remembers what held before.
 */
export async function applyChanges(
  trx: Sql,
  { clock, zone, jobs }: Changing,
  entryId: string,
  wanted: readonly store.Change[],
  sequences: ReadonlyMap<string, number>,
): Promise<void> {
  const now = asDate(clock.now())
  const changes = wanted.map((change) => ({
    ...change,
    sequence: sequenceAfter(change, sequences.get(change.event_id)),
  }))
  // in parts, so that a thousand events hold up no request
  for (let start = 0; start < changes.length; start += store.writtenAtOnce) {
    const part = changes.slice(start, start + store.writtenAtOnce)
    const written = part.flatMap(({ event_id, after, sequence }) => {
      if (!after) return []
      const starts = Temporal.Instant.from(after.starts_at)
      const over_at = after.ends_at ?? starts.add({ minutes: openEndMinutes }).toString()
      const content = after.description ? readDescription(after.description) : null
      return [{ event_id, snapshot: after, content, over_at, festival_day: festivalDayOf(starts, zone), sequence }]
    })
    await store.writeEvents(trx, written, now)
    await store.insertChanges(trx, entryId, part)
  }
  await store.markDeleted(
    trx,
    changes.filter(({ after }) => after === null),
    now,
  )
  await store.rememberRemoved(trx, wanted, now)
  await jobs.enqueue(trx, tellJob, { entry_id: entryId })
}

/** Calendars take a change, also a deletion, only with a higher number than the last one. */
function sequenceAfter({ before, after }: store.Change, sequence = -1): number {
  const isOther = before === null || after === null || kindsOf(before, after).length > 0
  return sequence + (isOther ? 1 : 0)
}

/** What is different for people who plan their day. */
export function kindsOf(before: store.Snapshot, after: store.Snapshot): EventChanged['kinds'] {
  const kinds: EventChanged['kinds'] = []
  if (before.starts_at !== after.starts_at || before.ends_at !== after.ends_at) kinds.push('time')
  if (before.stage_id !== after.stage_id) kinds.push('place')
  if (before.state !== after.state)
    kinds.push(after.state === 'draft' ? 'gone' : before.state === 'draft' ? 'back' : 'status')
  if (before.title !== after.title || before.description !== after.description) kinds.push('text')
  return kinds
}

/**
 * A published event that changes its time or place says so: later on its stage it is delayed, anywhere else or earlier it
 * has moved. What was announced first is what is remembered; back at that, nothing has changed. `places`: names of the stages.
 */
export function announced(
  before: store.Snapshot,
  after: store.Snapshot,
  places: ReadonlyMap<string, string>,
): store.Snapshot {
  const isPublished = before.state !== 'draft' && after.state !== 'draft'
  // a place that is said for the first time is no move
  const hadPlace = before.stage_id !== null || before.previous_place !== null
  const hasMoved = hadPlace && before.stage_id !== after.stage_id
  const isRetimed = before.starts_at !== after.starts_at
  if (!isPublished || (!hasMoved && !isRetimed)) return after
  const nameOf = (stageId: string | null) => (stageId === null ? null : (places.get(stageId) ?? null))
  const firstStart = before.previous_starts_at ?? before.starts_at
  const firstPlace = before.previous_place ?? nameOf(before.stage_id)
  const isPlaceBack = hasMoved && firstPlace !== null && firstPlace === nameOf(after.stage_id)
  const previous_starts_at = firstStart === after.starts_at ? null : firstStart
  const previous_place = isPlaceBack ? null : hasMoved ? firstPlace : before.previous_place
  const isAway = hasMoved && !isPlaceBack
  const isBack = !isAway && previous_starts_at === null && previous_place === null
  const state = isBack ? 'scheduled' : isAway || after.starts_at <= firstStart ? 'moved' : 'delayed'
  return {
    ...after,
    state: after.state !== before.state || before.state === 'cancelled' ? after.state : state,
    previous_starts_at,
    previous_place,
  }
}

/** A deleted event can be brought back with what people saved for so long, and longer while it is yet to come. */
const deletedKeptDays = 30
/** … but no longer than this. */
const deletedKeptMostDays = 365
/** One event may be in the schedules of many thousands. */
const removedAtOnce = 20

/** Run by night: deleted events whose time is over go for good, and what people saved of them. */
export async function removeDeletedEvents({ db, clock }: { db: Database; clock: Clock }): Promise<void> {
  const daysAgo = (days: number) => asDate(clock.now().subtract({ hours: 24 * days }))
  const when = { before: daysAgo(deletedKeptDays), atLast: daysAgo(deletedKeptMostDays) }
  while ((await store.removeDeleted(db, when, removedAtOnce)) === removedAtOnce);
}

/** The job after a change: one fact for each event that people may have saved. */
export async function tellChanges(
  {
    db,
    publishFact,
  }: { db: Database; publishFact: (trx: Sql, fact: string, data: Record<string, unknown>) => Promise<void> },
  entryId: string,
): Promise<void> {
  const changes = (await store.changesOf(db, entryId)).filter(
    ({ before, after }) => isPublic(before) || isPublic(after),
  )
  if (changes.length === 0) return
  const stages = changes.flatMap(({ before, after }) => [before?.stage_id, after?.stage_id]).filter((id) => id != null)
  await db.transaction().execute(async (trx) => {
    const places = await store.placeNames(trx, stages)
    const current = await store.lockEvents(
      trx,
      changes.map(({ event_id }) => event_id),
    )
    const stateOf = ({ title, state, starts_at, ends_at, stage_id }: store.Snapshot): EventState => ({
      title,
      state,
      starts_at,
      ends_at,
      place: stage_id === null ? null : (places.get(stage_id) ?? null),
    })
    for (const { event_id, before, after, sequence } of changes) {
      const kinds: EventChanged['kinds'] = after === null ? ['gone'] : before ? kindsOf(before, after) : ['back']
      const now = current.get(event_id)
      // an import makes thousands of events that nobody can have saved yet
      if (kinds.length === 0 || (!isPublic(before) && !now?.saves)) continue
      const fact: EventChanged = {
        event_id,
        kinds,
        before: isPublic(before) ? stateOf(before!) : { ...stateOf(after!), state: 'draft' },
        after: isPublic(after) ? stateOf(after!) : null,
        // its own, not that of a later change: jobs run in any order
        sequence: sequence ?? now?.sequence ?? 0,
      }
      await publishFact(trx, eventChanged, { ...fact })
    }
  })
}

/** What an undo of an entry did to the events of that entry. */
export interface UndoneChanges {
  /** Titles of the events that somebody changed later, and which therefore stay as they are. */
  kept: string[]
  /** A later change of one of these; null: the log names none. */
  later: LaterEntry | null
  /** Events that the entry had made and that are deleted now. */
  unmade: string[]
  undone: store.Change[]
}

/**
 * Takes an entry back: each event has the whole version before the entry again, unless somebody changed it later. Without the id
 * of a new entry it writes nothing.
 */
export async function undoChanges(
  trx: Sql,
  changing: Changing,
  entryId: string,
  newEntryId: string | null,
): Promise<UndoneChanges> {
  const changes = await store.changesOf(trx, entryId)
  const eventIds = changes.map(({ event_id }) => event_id)
  const current = await store.lockEvents(trx, eventIds)
  const later = await laterEntries(trx, entryId, eventIds)
  const anew = await store.importedAnew(trx, entryId)
  const stages = await store.placeNames(
    trx,
    changes.flatMap(({ before }) => before?.stage_id ?? []),
  )
  const kept: string[] = []
  const back: store.Change[] = []
  for (const { event_id, before, after } of changes) {
    const row = current.get(event_id)
    const now = row && !row.is_deleted ? row.snapshot : null
    const isAsLeft = after ? now !== null && isVersion(now, after) : now === null && !anew.has(event_id)
    const isStageGone = before !== null && before.stage_id !== null && !stages.has(before.stage_id)
    const title = (now ?? after ?? before)!.title
    if (!isAsLeft || later.has(event_id) || (now && isStageGone)) {
      kept.push(title)
      continue
    }
    // a deleted event whose stage has gone meanwhile comes back without a stage
    if (isStageGone) kept.push(title)
    const version = before && { ...now, ...before, ...(isStageGone && { stage_id: null }) }
    back.push({ event_id, before: now, after: version })
  }
  const unmade = back.filter(({ after }) => after === null).map(({ event_id }) => event_id)
  const answer = { kept, later: later.values().next().value ?? null, unmade, undone: back }
  if (newEntryId === null) return answer
  const sequences = new Map([...current].map(([id, { sequence }]) => [id, sequence]))
  await applyChanges(trx, changing, newEntryId, back, sequences)
  const restored = back.filter(({ after }) => after !== null).map(({ event_id }) => event_id)
  await store.restoreSources(trx, entryId, restored)
  // as if they had never been imported: the next import brings them, with what people have saved of them
  await store.forgetSaid(trx, unmade)
  return answer
}

/** Of each event the latest entry that changed it after this one and still stands. */
async function laterEntries(trx: Sql, entryId: string, eventIds: string[]): Promise<Map<string, LaterEntry>> {
  const others = await store.changesBeside(trx, entryId, eventIds)
  const standing = await entriesSince(
    trx,
    entryId,
    others.map(({ entry_id }) => entry_id),
  )
  const byId = new Map(standing.map((entry) => [entry.entry_id, entry]))
  const found = new Map<string, LaterEntry>()
  for (const { entry_id, event_id } of others) {
    const entry = byId.get(entry_id)
    if (entry && !found.has(event_id)) found.set(event_id, entry)
  }
  return found
}

const isVersion = (now: store.Snapshot, version: store.Snapshot) =>
  (Object.keys(version) as (keyof store.Snapshot)[]).every((field) => same(now[field], version[field]))

/** By content, whatever the order of keys. */
export function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(ordered(a)) === JSON.stringify(ordered(b))
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered)
  if (typeof value !== 'object' || value === null) return value ?? null
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, each]) => [key, ordered(each)]),
  )
}
