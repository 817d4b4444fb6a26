import { sql } from 'kysely'
import type { Sql } from '../../../kit/server/database.ts'
import type { ImportText } from '../../../kit/server/import-text.ts'
import type { DayOrder } from '../../limits.ts'

/** What staff chose for the files of a source. */
export interface SourceChoice {
  columns: Record<string, string>
  day_order: DayOrder | null
}

/** The choice for the earlier files of a source; none made: null. */
export async function findSourceChoice(db: Sql, source: string): Promise<SourceChoice | null> {
  const { rows } = await sql<SourceChoice>`
    select columns, day_order from programme_sources where source = ${source}`.execute(db)
  return rows[0] ?? null
}

export async function writeSourceChoice(trx: Sql, source: string, { columns, day_order }: SourceChoice): Promise<void> {
  await sql`
    insert into programme_sources (source, columns, day_order)
    values (${source}, ${JSON.stringify(columns)}::jsonb, ${day_order})
    on conflict (source) do update set columns = excluded.columns, day_order = excluded.day_order`.execute(trx)
}

export interface SourceCounts {
  read: number
  new: number
  changed: number
  removed: number
}

/** A content that is applied only after a yes. `hash`: SHA-256 in hex. */
export interface WaitingChange extends SourceCounts {
  hash: string
  moved: number
  coming: number
}

/** A source with an address. */
export interface AddressRow extends SourceChoice {
  source: string
  address: string
  every_minutes: number
  next_read_at: Date
  read_at: Date | null
  good_at: Date | null
  content_hash: string | null
  counts: SourceCounts | null
  problem: ImportText | null
  failures: number
  waiting: WaitingChange | null
}

const addressColumns = sql.raw(`source, columns, day_order, address, every_minutes, next_read_at, read_at, good_at,
  content_hash, counts, problem, failures, waiting`)

/** Sources with an address, by name. */
export async function listSources(
  db: Sql,
  { after, offset, limit }: { after: string; offset: number; limit: number },
): Promise<AddressRow[]> {
  const { rows } = await sql<AddressRow>`
    select ${addressColumns} from programme_sources where address is not null and source > ${after}
    order by source offset ${offset} limit ${limit}`.execute(db)
  return rows
}

export async function countSources(db: Sql, cap: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from (
      select from programme_sources where address is not null limit ${cap}) s`.execute(db)
  return rows[0]!.n
}

export async function findSource(db: Sql, source: string): Promise<AddressRow | null> {
  const { rows } = await sql<AddressRow>`
    select ${addressColumns} from programme_sources where source = ${source} and address is not null`.execute(db)
  return rows[0] ?? null
}

/** Locks the source until the end of the transaction. */
export async function lockSource(trx: Sql, source: string): Promise<AddressRow | null> {
  const { rows } = await sql<AddressRow>`
    select ${addressColumns} from programme_sources where source = ${source} and address is not null for update`.execute(
    trx,
  )
  return rows[0] ?? null
}

/** Sets address and interval. Another address starts anew: nothing of it was applied yet. */
export async function writeAddress(
  trx: Sql,
  {
    source,
    address,
    every_minutes,
    next_read_at,
  }: Pick<AddressRow, 'source' | 'address' | 'every_minutes' | 'next_read_at'>,
): Promise<AddressRow> {
  const { rows } = await sql<AddressRow>`
    insert into programme_sources as s (source, address, every_minutes, next_read_at)
    values (${source}, ${address}, ${every_minutes}, ${next_read_at})
    on conflict (source) do update set
      address = excluded.address, every_minutes = excluded.every_minutes, next_read_at = excluded.next_read_at,
      good_at = case when s.address = excluded.address then s.good_at end,
      content_hash = case when s.address = excluded.address then s.content_hash end
    returning ${addressColumns}`.execute(trx)
  return rows[0]!
}

/** Staff undid what was applied of this source: its next content counts as the first one. */
export async function forgetContent(trx: Sql, source: string): Promise<void> {
  await sql`update programme_sources set content_hash = null where source = ${source}`.execute(trx)
}

/** The choice of columns stays, for files of this source. */
export async function removeAddress(trx: Sql, source: string): Promise<void> {
  await sql`
    update programme_sources set address = null, every_minutes = null, next_read_at = null, read_at = null, good_at = null,
      content_hash = null, counts = null, problem = null, failures = 0, waiting = null
    where source = ${source}`.execute(trx)
}

/**
 * The source that is due longest, with its next read moved forward by its interval: so no other instance reads it meanwhile, and
 * after a crash it is due again. null: none is due.
 */
export async function claimDueSource(db: Sql, now: Date): Promise<AddressRow | null> {
  const { rows } = await sql<AddressRow>`
    update programme_sources s set next_read_at = ${now}::timestamptz + s.every_minutes * interval '1 minute'
    where source = (
      select source from programme_sources where next_read_at <= ${now}
      order by next_read_at limit 1 for update skip locked)
    returning ${addressColumns}`.execute(db)
  return rows[0] ?? null
}

/** Writes how a read went. */
export async function writeRead(
  trx: Sql,
  row: Omit<AddressRow, 'columns' | 'day_order' | 'address' | 'every_minutes'>,
): Promise<void> {
  const json = (value: object | null) => (value === null ? null : JSON.stringify(value))
  await sql`
    update programme_sources set next_read_at = ${row.next_read_at}, read_at = ${row.read_at}, good_at = ${row.good_at},
      content_hash = ${row.content_hash}, counts = ${json(row.counts)}::jsonb, problem = ${json(row.problem)}::jsonb,
      failures = ${row.failures}, waiting = ${json(row.waiting)}::jsonb
    where source = ${row.source}`.execute(trx)
}

export async function postponeRead(db: Sql, source: string, at: Date): Promise<void> {
  await sql`
    update programme_sources set next_read_at = ${at} where source = ${source} and address is not null`.execute(db)
}
