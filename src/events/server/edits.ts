import { asDate, type Clock } from '../../kit/server/clock.ts'
import type { Database, Sql } from '../../kit/server/database.ts'
import type { Jobs } from '../../kit/server/jobs.ts'
import { emptyRow } from '../../kit/shared/thing.ts'
import type { Reach } from '../../staff/contract.ts'
import { entriesSince, type LaterEntry } from '../../staff/server/staff.ts'
import { openEndMinutes } from '../contract.ts'
import { eventFields, type EventFields } from '../event.ts'
import { changeKinds, isPublic } from '../policy.ts'
import { eventChangesJob } from './event-changes.ts'
import { festivalDayOf, lastDayOf } from './festival-day.ts'
import type { CountSavers } from './programme.ts'
import { readDescription } from './read-description.ts'
import * as store from './store.ts'

export type { CountSavers } from './programme.ts'
export type { EventEdit, Snapshot } from './store.ts'

/** What edits of events need; commands beside the server have it too. */
export interface EditServices {
  clock: Clock
  zone: string
  jobs: Pick<Jobs, 'enqueue'>
}

/** How many events of the published programme these edits hide, show and change, and how many people saved them. */
export async function reachOf(trx: Sql, edits: readonly store.EventEdit[], countSavers: CountSavers): Promise<Reach> {
  const seen = edits.filter(({ before, after }) => isPublic(before) || isPublic(after))
  const hidden = seen.filter(({ after }) => !isPublic(after)).length
  const shown = seen.filter(({ before }) => !isPublic(before)).length
  const people = await countSavers(
    trx,
    seen.map(({ event_id }) => event_id),
  )
  return { kind: 'event', hidden, shown, changed: seen.length - hidden - shown, people }
}

/**
 * Writes the edits of one log entry: the events, their versions before and after for an undo, and the job that announces
 * them. The events must be locked. `sequences`: those stored, by event; a new event has none.
 */
export async function applyEdits(
  trx: Sql,
  { clock, zone, jobs }: EditServices,
  entryId: string,
  edits: readonly store.EventEdit[],
  sequences: ReadonlyMap<string, number>,
): Promise<void> {
  const now = asDate(clock.now())
  const numbered = edits.map((edit) => ({ ...edit, sequence: sequenceAfter(edit, sequences.get(edit.event_id)) }))
  for (let start = 0; start < numbered.length; start += store.writtenAtOnce) {
    const part = numbered.slice(start, start + store.writtenAtOnce)
    const written = part.flatMap(({ event_id, after, sequence }) => {
      if (!after) return []
      const starts = Temporal.Instant.from(after.starts_at)
      const over_at = after.ends_at ?? starts.add({ minutes: openEndMinutes }).toString()
      const content = after.description ? readDescription(after.description) : null
      const festival_day = festivalDayOf(starts, zone)
      const last_day = lastDayOf({ ...after, over_at }, zone)
      return [{ event_id, snapshot: after, content, over_at, festival_day, last_day, sequence }]
    })
    await store.writeEvents(trx, written, now)
    await store.insertEdits(trx, entryId, part)
  }
  await store.markDeleted(
    trx,
    numbered.filter(({ after }) => after === null),
    now,
  )
  const ids = (chosen: readonly store.EventEdit[]) => chosen.map(({ event_id }) => event_id)
  const gone = ids(edits.filter(({ before, after }) => isPublic(before) && !isPublic(after)))
  const back = ids(edits.filter(({ before, after }) => !isPublic(before) && isPublic(after)))
  await store.markRemoved(trx, { gone, back }, now)
  await jobs.enqueue(trx, eventChangesJob, { entry_id: entryId })
}

/** Calendars take a change or deletion only with a higher number than the last. */
function sequenceAfter({ before, after }: store.EventEdit, sequence = -1): number {
  const isOther = before === null || after === null || changeKinds(before, after).length > 0
  return sequence + (isOther ? 1 : 0)
}

/** For so long a deleted event can be restored with what people saved, and until its time is over. */
const deletedRetentionDays = 30
/** Events that lie further ahead are removed after this time. */
const deletedRetentionMostDays = 365
/** Few, because one event may be in the schedules of many thousands. */
const removedAtOnce = 20

/** Run by night: removes deleted events for good, and what people saved of them. */
export async function removeDeletedEvents({ db, clock }: { db: Database; clock: Clock }): Promise<void> {
  const daysAgo = (days: number) => asDate(clock.now().subtract({ hours: 24 * days }))
  const when = { before: daysAgo(deletedRetentionDays), atLast: daysAgo(deletedRetentionMostDays) }
  while ((await store.removeDeleted(db, when, removedAtOnce)) === removedAtOnce);
}

/** What the undo of a log entry did to its events. */
export interface UndoneEdits {
  /** Titles of events that somebody changed later: they stay as they are. */
  kept: string[]
  /** A later log entry about one of these; null: there is none. */
  later: LaterEntry | null
  /** Events that the entry made and the undo deleted. */
  unmade: string[]
  undone: store.EventEdit[]
}

/**
 * Undoes a log entry: each event gets its whole version from before the entry, unless somebody changed it later.
 * `newEntryId`: the entry of the undo; null: nothing is written.
 */
export async function undoEdits(
  trx: Sql,
  services: EditServices,
  entryId: string,
  newEntryId: string | null,
): Promise<UndoneEdits> {
  const edits = await store.editsOf(trx, entryId)
  const eventIds = edits.map(({ event_id }) => event_id)
  const current = await store.lockEvents(trx, eventIds)
  const later = await laterEntries(trx, entryId, eventIds)
  const anew = await store.importedAnew(trx, entryId)
  const stages = await store.placeNames(
    trx,
    edits.flatMap(({ before }) => before?.stage_id ?? []),
  )
  const kept: string[] = []
  const back: store.EventEdit[] = []
  for (const { event_id, before, after } of edits) {
    const row = current.get(event_id)
    const now = row && !row.is_deleted ? row.snapshot : null
    const isAsLeft = after ? now !== null && isVersion(now, after) : now === null && !anew.has(event_id)
    const isStageGone = before !== null && before.stage_id !== null && !stages.has(before.stage_id)
    const title = (now ?? after ?? before)!.title
    if (!isAsLeft || later.has(event_id) || (now && isStageGone)) {
      kept.push(title)
      continue
    }
    // a deleted event whose stage was removed comes back without a stage
    if (isStageGone) kept.push(title)
    // a field that is newer than the log entry gets its empty value
    const version = before && {
      ...emptyRow<EventFields, store.EventsTable>(eventFields),
      ...now,
      ...before,
      ...(isStageGone && { stage_id: null }),
    }
    back.push({ event_id, before: now, after: version })
  }
  const unmade = back.filter(({ after }) => after === null).map(({ event_id }) => event_id)
  const answer = { kept, later: later.values().next().value ?? null, unmade, undone: back }
  if (newEntryId === null) return answer
  const sequences = new Map([...current].map(([id, { sequence }]) => [id, sequence]))
  await applyEdits(trx, services, newEntryId, back, sequences)
  const restored = back.filter(({ after }) => after !== null).map(({ event_id }) => event_id)
  await store.restoreSources(trx, entryId, restored)
  // so that the next import restores these events, with what people saved of them
  await store.clearSourceFields(trx, unmade)
  return answer
}

/** By event, the latest entry that changed it after this one and was not undone. */
async function laterEntries(trx: Sql, entryId: string, eventIds: string[]): Promise<Map<string, LaterEntry>> {
  const others = await store.otherEdits(trx, entryId, eventIds)
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

/** Compares by content, whatever the order of keys. */
export const same = (a: unknown, b: unknown): boolean => contentOf(a) === contentOf(b)

/** A value as JSON with its keys in order: equal values give equal texts. */
export const contentOf = (value: unknown): string => JSON.stringify(ordered(value))

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered)
  if (typeof value !== 'object' || value === null) return value ?? null
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, each]) => [key, ordered(each)]),
  )
}
