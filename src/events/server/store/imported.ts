import { sql } from 'kysely'
import type { Sql } from '../../../kit/server/database.ts'
import { writtenAtOnce } from './edits.ts'

/** Locks imports until the end of the transaction. False: another import is running. */
export async function tryImportLock(trx: Sql): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtext('import events')) as locked`.execute(trx)
  return rows[0]!.locked
}

export interface ImportedRow {
  event_id: string
  is_deleted: boolean
  starts_at: Date
  source_id: string
  /** What the source said at the last import; null: the next import treats the event as new. */
  source_said: Record<string, unknown> | null
}

/** All events of a source, deleted ones as well. */
export async function findImported(db: Sql, source: string): Promise<ImportedRow[]> {
  const { rows } = await sql<ImportedRow>`
    select event_id, deleted_at is not null as is_deleted, starts_at, source_id, source_said
    from events where source = ${source} order by event_id limit 50000`.execute(db)
  return rows
}

/** Stores what the source says of these events, to compare it with its next file. */
export async function writeSourceFields(
  trx: Sql,
  source: string,
  rows: readonly { event_id: string; source_id: string; source_said: object }[],
): Promise<void> {
  for (let start = 0; start < rows.length; start += writtenAtOnce)
    await sql`
      update events e set source = ${source}, source_id = r.source_id, source_said = r.source_said
      from json_populate_recordset(null::events, ${JSON.stringify(rows.slice(start, start + writtenAtOnce))}::json) r
      where e.event_id = r.event_id`.execute(trx)
}

/** A file may name 200,000 performers: too many for one statement. */
const namesAtOnce = 1000

export interface ImportedStage {
  stage_id: string
  venue_id: string
  source_id: string
  name: string
  latitude: number | null
  longitude: number | null
}

/** Ids of the stages and venues that an import made. */
export interface MadePlaces {
  stages: string[]
  venues: string[]
}

/**
 * Finds or makes the stages of a source, each at a venue of its own. A position in the file fills an empty one.
 * @returns stage ids by source id, and what was made
 */
export async function stagesOfSource(
  trx: Sql,
  stages: readonly ImportedStage[],
  now: Date,
): Promise<{ stages: Map<string, string>; made: MadePlaces }> {
  const all = { stages: new Map<string, string>(), made: { stages: [] as string[], venues: [] as string[] } }
  for (let start = 0; start < stages.length; start += namesAtOnce) {
    const some = stages.slice(start, start + namesAtOnce)
    const found = await writeStages(trx, some, now)
    for (const { stage_id, venue_id, source_id } of some) {
      const stored = found.get(source_id)
      if (stored) all.stages.set(source_id, stored.stage_id)
      if (stored?.stage_id === stage_id) all.made.stages.push(stage_id)
      if (stored?.venue_id === venue_id) all.made.venues.push(venue_id)
    }
  }
  return all
}

async function writeStages(trx: Sql, stages: readonly ImportedStage[], now: Date) {
  const venues = stages.map(({ venue_id, source_id, name, latitude, longitude }) => ({
    venue_id,
    venue_name: name,
    source_id,
    latitude,
    longitude,
    updated_at: now.toISOString(),
  }))
  await sql`
    insert into venues as v (venue_id, venue_name, source_id, latitude, longitude, updated_at)
    select venue_id, venue_name, source_id, latitude, longitude, updated_at
    from json_populate_recordset(null::venues, ${JSON.stringify(venues)}::json)
    on conflict (source_id) do update set latitude = excluded.latitude, longitude = excluded.longitude
    where v.latitude is null and excluded.latitude is not null`.execute(trx)
  await sql`
    insert into stages (stage_id, venue_id, stage_name, source_id)
    select r.stage_id, v.venue_id, v.venue_name, r.source_id
    from json_populate_recordset(null::stages, ${JSON.stringify(
      stages.map(({ stage_id, source_id }) => ({ stage_id, source_id })),
    )}::json) r join venues v using (source_id)
    on conflict (source_id) do nothing`.execute(trx)
  const { rows } = await sql<{ source_id: string; stage_id: string; venue_id: string }>`
    select source_id, stage_id, venue_id from stages
    where source_id = any(${stages.map(({ source_id }) => source_id)}::text[])`.execute(trx)
  return new Map(rows.map((row) => [row.source_id, row]))
}

/** Finds or makes the performers of a source. @returns performer ids by source id */
export async function performersOfSource(
  trx: Sql,
  performers: readonly { performer_id: string; source_id: string; performer_name: string }[],
): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (let start = 0; start < performers.length; start += namesAtOnce) {
    const some = performers.slice(start, start + namesAtOnce)
    await sql`
      insert into performers (performer_id, performer_name, source_id)
      select performer_id, performer_name, source_id
      from json_populate_recordset(null::performers, ${JSON.stringify(some)}::json)
      on conflict (source_id) do update set performer_name = excluded.performer_name
      where performers.performer_name <> excluded.performer_name`.execute(trx)
    const { rows } = await sql<{ source_id: string; performer_id: string }>`
      select source_id, performer_id from performers
      where source_id = any(${some.map(({ source_id }) => source_id)}::text[])`.execute(trx)
    for (const { source_id, performer_id } of rows) found.set(source_id, performer_id)
  }
  return found
}

/** Ids of known stages and performers, by source id. Makes none. */
export async function knownOfSource(db: Sql, ids: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (let start = 0; start < ids.length; start += namesAtOnce) {
    const some = ids.slice(start, start + namesAtOnce)
    const { rows } = await sql<{ source_id: string; id: string }>`
      select source_id, stage_id as id from stages where source_id = any(${some}::text[])
      union all select source_id, performer_id from performers where source_id = any(${some}::text[])`.execute(db)
    for (const { source_id, id } of rows) found.set(source_id, id)
  }
  return found
}
