import { sql } from 'kysely'
import type { Sql } from '../../../kit/server/database.ts'
import { writtenAtOnce } from './edits.ts'
import type { MadePlaces } from './imported.ts'

/** A stage without events, those that an undo has just deleted aside. */
export interface UnusedStage {
  stage_id: string
  venue_id: string
  venue_name: string
  /** Staff edited the venue after the import that made it. */
  is_venue_edited: boolean
}

/** The unused stages that an import made. They are locked: until the end of the transaction no event gets one of them. */
export async function lockUnusedStages(
  trx: Sql,
  made: MadePlaces,
  { unmade, madeAt }: { unmade: readonly string[]; madeAt: string },
): Promise<UnusedStage[]> {
  await sql`select from stages where stage_id = any(${made.stages}::uuid[]) order by stage_id for update`.execute(trx)
  await sql`select from venues where venue_id = any(${made.venues}::uuid[]) order by venue_id for update`.execute(trx)
  const { rows } = await sql<UnusedStage>`
    with used as materialized (
      select distinct e.stage_id from events e
      where e.stage_id = any(${made.stages}::uuid[])
        and not exists (select from unnest(${[...unmade]}::uuid[]) as u(event_id) where u.event_id = e.event_id))
    select s.stage_id, v.venue_id, v.venue_name,
      v.venue_id = any(${made.venues}::uuid[]) and v.updated_at > ${madeAt}::timestamptz as is_venue_edited
    from stages s join venues v using (venue_id)
    where s.stage_id = any(${made.stages}::uuid[]) and not exists (select from used u where u.stage_id = s.stage_id)
    order by v.venue_name, s.stage_id`.execute(trx)
  return rows
}

/** Whole rows of removed stages and venues. */
export interface RemovedPlaces {
  stages: object[]
  venues: object[]
}

/**
 * Removes stages, and their venues if these are among `venues` and have no other stage.
 * @returns the rows, for `restoreStages`
 */
export async function deleteStages(
  trx: Sql,
  stages: readonly UnusedStage[],
  { unmade, venues }: { unmade: readonly string[]; venues: readonly string[] },
): Promise<RemovedPlaces> {
  const ids = stages.map(({ stage_id }) => stage_id)
  for (let start = 0; start < unmade.length; start += writtenAtOnce)
    await sql`
      update events set stage_id = null
      where event_id = any(${unmade.slice(start, start + writtenAtOnce)}::uuid[]) and stage_id = any(${ids}::uuid[])`.execute(
      trx,
    )
  const gone = await sql<{ row: object }>`
    delete from stages s where s.stage_id = any(${ids}::uuid[]) returning to_jsonb(s) as row`.execute(trx)
  const ofStages = new Set(stages.map(({ venue_id }) => venue_id))
  const goneVenues = await sql<{ row: object }>`
    delete from venues v where v.venue_id = any(${venues.filter((id) => ofStages.has(id))}::uuid[])
      and not exists (select from stages s where s.venue_id = v.venue_id) returning to_jsonb(v) as row`.execute(trx)
  return { stages: gone.rows.map(({ row }) => row), venues: goneVenues.rows.map(({ row }) => row) }
}

/** Restores removed rows. A stage or venue that an import has made anew since, with the same source id, takes their place. */
export async function restoreStages(trx: Sql, { stages, venues }: RemovedPlaces): Promise<void> {
  await sql`
    insert into venues select * from jsonb_populate_recordset(null::venues, ${JSON.stringify(venues)}::jsonb)
    on conflict do nothing`.execute(trx)
  await sql`
    insert into stages select s.* from jsonb_populate_recordset(null::stages, ${JSON.stringify(stages)}::jsonb) s
    join venues v using (venue_id) on conflict do nothing`.execute(trx)
}
