import { sql, type Selectable } from 'kysely'
import type { DB } from '../../../database-types.ts'
import type { Sql } from '../../../kit/server/database.ts'
import { query } from '../../../kit/server/statement.ts'
import type { Piece } from '../../../kit/shared/rich-text.ts'
import { columnsOf, plainOf, type RowOf, type WrittenRow } from '../../../kit/shared/thing.ts'
import { eventFields, type EventFields } from '../../event.ts'
import { venueFields, type VenueFields } from '../../venue.ts'
import type { EventsTable } from './event-rows.ts'

/** The fields of an event that staff and imports set; instants are ISO texts in UTC. */
export interface Snapshot extends WrittenRow<EventFields, EventsTable> {
  previous_starts_at: string | null
  previous_place: string | null
  /** Ids in order of appearance. */
  performers: string[]
}
const snapshotColumns = [...columnsOf(eventFields, 'written'), 'previous_starts_at', 'previous_place']

export interface StoredEvent {
  event_id: string
  snapshot: Snapshot
  /** Its state is `draft` then. */
  is_deleted: boolean
  /** How many have it in their schedule. */
  saves: number
  sequence: number
  updated_at: string
}

/** Locks the events, deleted ones too, until the end of the transaction; in the order of their ids, which prevents deadlocks. */
export async function lockEvents(trx: Sql, eventIds: readonly string[]): Promise<Map<string, StoredEvent>> {
  await sql`select from events where event_id = any(${[...eventIds]}::uuid[]) order by event_id for update`.execute(trx)
  const rows = await query<Omit<StoredEvent, 'snapshot'> & Snapshot>(
    trx,
    `select e.event_id, e.deleted_at is not null as is_deleted, e.saves, e.sequence, e.updated_at,
      ${snapshotColumns.map((column) => `e.${column}`).join(', ')},
      array(select ep.performer_id from event_performers ep where ep.event_id = e.event_id order by ep.position)
        as performers
    from events e where e.event_id = any($eventIds::uuid[])`,
    { eventIds: [...eventIds] },
  )
  return new Map(
    rows.map(({ event_id, is_deleted, saves, sequence, updated_at, ...snapshot }) => [
      event_id,
      { event_id, snapshot, is_deleted, saves, sequence, updated_at },
    ]),
  )
}

/** A snapshot with the columns that follow from it. */
export interface EventToWrite {
  event_id: string
  snapshot: Snapshot
  /** The description as elements. */
  content: Piece[] | null
  over_at: string
  festival_day: string
  last_day: string
  sequence: number
}

/** Events in one statement: indexing long descriptions is slow, and statements end after three seconds. */
export const writtenAtOnce = 100

/** Inserts or updates at most `writtenAtOnce` events, and restores deleted ones. */
export async function writeEvents(trx: Sql, events: readonly EventToWrite[], now: Date): Promise<void> {
  const rows = events.map(({ snapshot: { performers: _, ...columns }, ...rest }) => ({
    ...columns,
    ...rest,
    created_at: now.toISOString(),
    updated_at: now.toISOString(),
    saves: 0,
    doc: '',
  }))
  const changed = [
    ...snapshotColumns,
    'content',
    'over_at',
    'festival_day',
    'last_day',
    'sequence',
    'updated_at',
    'deleted_at',
  ]
  await sql`
    insert into events (event_id, created_at, saves, doc, ${sql.raw(changed.join(', '))})
    select event_id, created_at, saves, doc, ${sql.raw(changed.join(', '))}
    from json_populate_recordset(null::events, ${JSON.stringify(rows)}::json)
    on conflict (event_id) do update set ${sql.raw(changed.map((name) => `${name} = excluded.${name}`).join(', '))}`.execute(
    trx,
  )
  const appearances = events.flatMap(({ event_id, snapshot }) =>
    snapshot.performers.map((performer_id, position) => ({ event_id, performer_id, position })),
  )
  const ids = events.map(({ event_id }) => event_id)
  await sql`delete from event_performers where event_id = any(${ids}::uuid[])`.execute(trx)
  await sql`
    insert into event_performers (event_id, performer_id, position)
    select r.event_id, r.performer_id, r.position
    from json_populate_recordset(null::event_performers, ${JSON.stringify(appearances)}::json) r
    join performers p using (performer_id)`.execute(trx)
}

/** Hides events like drafts; what people saved of them stays. */
export async function markDeleted(
  trx: Sql,
  events: readonly { event_id: string; sequence: number }[],
  now: Date,
): Promise<void> {
  for (let start = 0; start < events.length; start += writtenAtOnce)
    await sql`
      update events e set state = 'draft', deleted_at = ${now}, updated_at = ${now}, sequence = r.sequence
      from json_to_recordset(${JSON.stringify(events.slice(start, start + writtenAtOnce))}::json)
        as r(event_id uuid, sequence int)
      where e.event_id = r.event_id`.execute(trx)
}

/**
 * Removes events for good, and what people saved of them: those deleted and over before `before`, or deleted before `atLast`.
 * Locked events are left to the next night.
 * @returns how many were removed
 */
export async function removeDeleted(
  db: Sql,
  { before, atLast }: { before: Date; atLast: Date },
  limit: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from events where event_id in (
      select event_id from events
      where deleted_at < ${before} and (over_at < ${before} or deleted_at < ${atLast})
      order by deleted_at, event_id limit ${limit} for update skip locked)`.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** Makes the next import treat these events as new. */
export async function clearSourceFields(trx: Sql, eventIds: readonly string[]): Promise<void> {
  await sql`update events set source_said = null where event_id = any(${[...eventIds]}::uuid[])`.execute(trx)
}

export interface EventEdit {
  event_id: string
  /** null: there was no event before the edit, or none after it. */
  before: Snapshot | null
  after: Snapshot | null
}

/** An edit as the log holds it. */
export interface StoredEdit extends EventEdit {
  /** Of the event after the edit. */
  sequence: number
}

/** Also stores the source fields from before the edit: call it before `writeSourceFields`. */
export async function insertEdits(trx: Sql, entryId: string, edits: readonly StoredEdit[]): Promise<void> {
  await sql`
    insert into event_changes (entry_id, event_id, before, after, sequence, source_before)
    select ${entryId}::uuid, r.event_id, r.before, r.after, r.sequence, case when e.source is not null then
      jsonb_build_object('source', e.source, 'source_id', e.source_id, 'source_said', e.source_said) end
    from json_populate_recordset(null::event_changes, ${JSON.stringify(edits)}::json) r
    left join events e on e.event_id = r.event_id`.execute(trx)
}

/** Events that the entry deleted and an import has made anew since, under the same id of their source. */
export async function importedAnew(trx: Sql, entryId: string): Promise<Set<string>> {
  const { rows } = await sql<{ event_id: string }>`
    select c.event_id from event_changes c
    join events e on e.source = c.source_before->>'source' and e.source_id = c.source_before->>'source_id'
    where c.entry_id = ${entryId}::uuid and c.after is null and e.event_id <> c.event_id limit 50000`.execute(trx)
  return new Set(rows.map(({ event_id }) => event_id))
}

/** Gives events that an undo restored the source and the source fields from before the entry. */
export async function restoreSources(trx: Sql, entryId: string, eventIds: readonly string[]): Promise<void> {
  await sql`
    update events e set source = c.source_before->>'source', source_id = c.source_before->>'source_id',
      source_said = nullif(c.source_before->'source_said', 'null')
    from event_changes c
    where c.entry_id = ${entryId}::uuid and c.event_id = any(${[...eventIds]}::uuid[]) and c.source_before is not null
      and e.event_id = c.event_id`.execute(trx)
}

/** Marks events that have left the published programme, for who follows its changes, and unmarks those that are back. */
export async function markRemoved(
  trx: Sql,
  { gone, back }: { gone: readonly string[]; back: readonly string[] },
  now: Date,
): Promise<void> {
  if (gone.length > 0)
    await sql`
      insert into removed_events (event_id, removed_at) select id, ${now} from unnest(${[...gone]}::uuid[]) id
      on conflict (event_id) do update set removed_at = excluded.removed_at`.execute(trx)
  if (back.length > 0) await sql`delete from removed_events where event_id = any(${[...back]}::uuid[])`.execute(trx)
}

export async function editsOf(db: Sql, entryId: string): Promise<StoredEdit[]> {
  const { rows } = await sql<StoredEdit>`
    select event_id, before, after, sequence from event_changes where entry_id = ${entryId}::uuid
    order by event_id limit 50000`.execute(db)
  return rows
}

/** By event, the log entry that made it appear last: by a creation, an import, or the undo of a deletion. */
export async function lastAppearances(trx: Sql, eventIds: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ event_id: string; entry_id: string }>`
    select distinct on (event_id) event_id, entry_id from event_changes
    where event_id = any(${[...eventIds]}::uuid[]) and before is null
    order by event_id, entry_id desc limit 50000`.execute(trx)
  return new Map(rows.map(({ event_id, entry_id }) => [event_id, entry_id]))
}

/** Edits of these events by other log entries, the latest first. */
export async function otherEdits(
  trx: Sql,
  entryId: string,
  eventIds: readonly string[],
): Promise<{ entry_id: string; event_id: string }[]> {
  const { rows } = await sql<{ entry_id: string; event_id: string }>`
    select entry_id, event_id from event_changes
    where event_id = any(${[...eventIds]}::uuid[]) and entry_id <> ${entryId}::uuid
    order by entry_id desc limit 50000`.execute(trx)
  return rows
}

/** "Rheinbühne, Oberer Rheinweg" of each stage. */
export async function placeNames(db: Sql, stageIds: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ stage_id: string; place: string }>`
    select s.stage_id, case when v.venue_name = s.stage_name then s.stage_name
      else s.stage_name || ', ' || v.venue_name end as place
    from stages s join venues v using (venue_id) where s.stage_id = any(${[...stageIds]}::uuid[])`.execute(db)
  return new Map(rows.map((row) => [row.stage_id, row.place]))
}

/** Ids of the performers with these names, in that order; unknown ones are inserted. */
export async function performersNamed(
  trx: Sql,
  names: readonly { performer_id: string; name: string }[],
): Promise<string[]> {
  const rowsOfNames = sql`unnest(${names.map(({ performer_id }) => performer_id)}::uuid[],
    ${names.map(({ name }) => name)}::text[]) with ordinality as r(performer_id, name, place)`
  await sql`
    insert into performers (performer_id, performer_name)
    select distinct on (lower(r.name)) r.performer_id, r.name from ${rowsOfNames}
    where not exists (select from performers p where lower(p.performer_name) = lower(r.name))
    order by lower(r.name), r.place`.execute(trx)
  // lower() of the database on both sides: JavaScript lowers some letters, such as "İ", differently
  const { rows } = await sql<{ performer_id: string }>`
    select distinct on (r.place) p.performer_id from ${rowsOfNames} join performers p on lower(p.performer_name) = lower(r.name)
    order by r.place, p.performer_id`.execute(trx)
  return [...new Set(rows.map(({ performer_id }) => performer_id))]
}

export async function performerNames(db: Sql, performerIds: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ performer_id: string; performer_name: string }>`
    select performer_id, performer_name from performers where performer_id = any(${[...performerIds]}::uuid[])`.execute(
    db,
  )
  return new Map(rows.map((row) => [row.performer_id, row.performer_name]))
}

export async function venueExists(db: Sql, venueId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from venues where venue_id = ${venueId}::uuid`.execute(db)
  return rows.length > 0
}

export type VenuesTable = Selectable<DB['venues']>
type VenueRow = RowOf<VenueFields, VenuesTable>

export async function insertVenue(trx: Sql, venue: VenueRow, now: Date): Promise<void> {
  await trx
    .insertInto('venues')
    .values({ ...venue, updated_at: now })
    .execute()
}

/** Held until the end of the transaction. */
export async function lockVenue(trx: Sql, venueId: string): Promise<VenueRow | undefined> {
  return trx
    .selectFrom('venues')
    .select(plainOf(venueFields))
    .where('venue_id', '=', venueId)
    .forUpdate()
    .executeTakeFirst()
}

/** Also indexes the venue's events anew, whose search words hold its name, and marks them as changed. */
export async function writeVenue(trx: Sql, { venue_id, ...changed }: VenueRow, now: Date): Promise<void> {
  await trx
    .updateTable('venues')
    .set({ ...changed, updated_at: now })
    .where('venue_id', '=', venue_id)
    .execute()
  const itsEvents = sql`select event_id from events join stages using (stage_id) where venue_id = ${venue_id}::uuid`
  // locks in the same order as edits and saves of events, which prevents deadlocks
  await sql`select hold_events(array(${itsEvents}))`.execute(trx)
  await sql`
    update events e set doc = event_doc(e), updated_at = ${now} where e.event_id in (${itsEvents})`.execute(trx)
}

/** Adds a stage as the last column of the programme. */
export async function insertStage(
  trx: Sql,
  { stage_id, venue_id, stage_name }: { stage_id: string; venue_id: string; stage_name: string },
): Promise<void> {
  await sql`
    insert into stages (stage_id, venue_id, stage_name, position)
    select ${stage_id}::uuid, ${venue_id}::uuid, ${stage_name}, coalesce(max(position), 0) + 1 from stages`.execute(trx)
}

/** False: the stage has an event, or does not exist. Deleted events lose their stage, also if they are restored. */
export async function deleteEmptyStage(trx: Sql, stageId: string): Promise<boolean> {
  await sql`
    update events e set stage_id = null
    where e.stage_id = ${stageId}::uuid and e.deleted_at is not null and not exists (
      select from events other where other.stage_id = e.stage_id and other.deleted_at is null)`.execute(trx)
  const { numAffectedRows } = await sql`
    delete from stages s where s.stage_id = ${stageId}::uuid
      and not exists (select from events e where e.stage_id = s.stage_id)`.execute(trx)
  return numAffectedRows === 1n
}

export async function deleteEmptyVenue(trx: Sql, venueId: string): Promise<void> {
  await sql`
    delete from venues v where v.venue_id = ${venueId}::uuid
      and not exists (select from stages s where s.venue_id = v.venue_id)`.execute(trx)
}

export async function stageExists(db: Sql, stageId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from stages where stage_id = ${stageId}::uuid`.execute(db)
  return rows.length > 0
}
