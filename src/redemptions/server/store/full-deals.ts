import type { Sql } from '../../../kit/server/database.ts'
import { query } from '../../../kit/server/statement.ts'
import { isHeld } from './claims.ts'

/** Nothing is left of the deal; noted once. `fullId` tells this time from others. */
export async function noteFull(db: Sql, dealId: string, fullId: string): Promise<void> {
  // a crowd that comes too late only reads
  await query(
    db,
    `insert into full_deals (deal_id, full_id)
    select $dealId::uuid, $fullId::uuid where not exists (select from full_deals where deal_id = $dealId::uuid)
    on conflict do nothing`,
    { dealId, fullId },
  )
}

/** Answers which time has ended; null: it was not noted as full. */
export async function forgetFull(trx: Sql, dealId: string): Promise<string | null> {
  const rows = await query<{ full_id: string }>(
    trx,
    `delete from full_deals where deal_id = $dealId::uuid returning full_id`,
    { dealId },
  )
  return rows[0]?.full_id ?? null
}

/** Full deals by their ids, with how many items of each are held now. */
export async function listFull(
  db: Sql,
  now: Date,
  page: { after: string | null; limit: number },
): Promise<{ deal_id: string; held: number }[]> {
  return query<{ deal_id: string; held: number }>(
    db,
    `select f.deal_id, (select count(*) from claims c where c.deal_id = f.deal_id and ${isHeld}) as held
    from full_deals f where $after::uuid is null or f.deal_id > $after::uuid
    order by f.deal_id limit $limit`,
    { now, ...page },
  )
}
