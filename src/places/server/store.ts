import { sql } from 'kysely'
import type { Sql } from '../../kit/server/database.ts'
import { inShapes, query } from '../../kit/server/statement.ts'
import type { Bounds, Position } from '../../kit/shared/geo.ts'
import type { PlaceKind, UsefulPlace } from '../contract.ts'

export type PlaceRow = Omit<UsefulPlace, 'distance_km' | 'open_now' | 'open_until' | 'opens_at'>

/** null: no filter. */
interface PlaceFilter {
  box: Bounds
  kind: PlaceKind | null
  /** Part of a name. */
  q: string | null
  /** The kind that `q` names. */
  meant: PlaceKind | null
}

const nearStatement = inShapes(
  (shape: { kind: boolean; q: boolean }) => `
  select place_id, place_name, kind, latitude, longitude, step_free, opening_hours, note from useful_places
  where latitude between $south and $north and longitude between $west and $east
    ${shape.kind ? 'and kind = $kind' : ''}
    ${shape.q ? 'and (kind = $meant or position(search_fold($q) in search_fold(place_name)) > 0)' : ''}
  order by (latitude - $latitude) ^ 2 + ((longitude - $longitude) * cosd($latitude)) ^ 2, place_id limit $limit`,
)

/** The nearest to `from` first. */
export async function findPlaces(
  db: Sql,
  { box, kind, q, meant }: PlaceFilter,
  from: Position,
  limit: number,
): Promise<PlaceRow[]> {
  return query<PlaceRow>(db, nearStatement({ kind: kind !== null, q: q !== null }), {
    ...box,
    ...from,
    kind,
    q,
    meant,
    limit,
  })
}

/** A place of an imported list. */
export type ImportedPlace = Omit<PlaceRow, 'place_id'> & { source_id: string }

/** Holds the lock until the end of the transaction; false when another import has it. */
export async function tryImportLock(trx: Sql): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtext('import useful places')) as locked`.execute(trx)
  return rows[0]!.locked
}

/** An imported place in the database. */
export type StoredPlace = ImportedPlace & { place_id: string }

const storedColumns = sql`place_id, place_name, kind, latitude, longitude, step_free, opening_hours, note, source_id`

/** All places of a list. */
export async function findImported(db: Sql, source: string): Promise<StoredPlace[]> {
  const { rows } = await sql<StoredPlace>`
    select ${storedColumns} from useful_places
    where starts_with(source_id, ${`${source}:`}) order by source_id limit 50000`.execute(db)
  return rows
}

/** Locks places until the end of the transaction. */
export async function lockPlaces(trx: Sql, ids: string[]): Promise<StoredPlace[]> {
  const { rows } = await sql<StoredPlace>`
    select ${storedColumns} from useful_places where place_id = any(${ids}::uuid[])
    order by place_id for update`.execute(trx)
  return rows
}

/** Places by their ids in lists. */
export async function placesOfSources(
  db: Sql,
  sourceIds: string[],
): Promise<Pick<StoredPlace, 'place_id' | 'source_id'>[]> {
  const { rows } = await sql<Pick<StoredPlace, 'place_id' | 'source_id'>>`
    select place_id, source_id from useful_places where source_id = any(${sourceIds}::text[])`.execute(db)
  return rows
}

export async function deletePlaces(trx: Sql, ids: string[]): Promise<void> {
  await sql`delete from useful_places where place_id = any(${ids}::uuid[])`.execute(trx)
}

export async function writePlaces(trx: Sql, places: readonly StoredPlace[], now: Date): Promise<void> {
  const rows = places.map((place) => ({ ...place, updated_at: now.toISOString() }))
  await sql`
    insert into useful_places (place_id, place_name, kind, latitude, longitude, step_free, opening_hours, note, source_id, updated_at)
    select place_id, place_name, kind, latitude, longitude, step_free, opening_hours, note, source_id, updated_at
    from json_populate_recordset(null::useful_places, ${JSON.stringify(rows)}::json)
    on conflict (source_id) do update set place_name = excluded.place_name, kind = excluded.kind,
      latitude = excluded.latitude, longitude = excluded.longitude, step_free = excluded.step_free,
      opening_hours = excluded.opening_hours, note = excluded.note, updated_at = excluded.updated_at`.execute(trx)
}
