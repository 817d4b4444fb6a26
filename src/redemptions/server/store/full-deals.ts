import type { Sql } from '../../../kit/server/database.ts'
import { query } from '../../../kit/server/statement.ts'
import { isHeld } from './claims.ts'

/** Marks a deal without items left as full, once. `fullId` identifies this time. */
export async function noteFull(db: Sql, dealId: string, fullId: string): Promise<void> {
  // for a crowd that comes too late this only reads
  await query(
    db,
    `insert into full_deals as f (deal_id, full_id)
    select $dealId::uuid, $fullId::uuid where not exists (select from full_deals where deal_id = $dealId::uuid and is_full)
    on conflict (deal_id) do update set is_full = true, full_id = excluded.full_id where not f.is_full`,
    { dealId, fullId },
  )
}

/** Pause between two publications of one deal. */
const pause = "interval '30 minutes'"

/** Ends a full time. @returns its id; null: the deal was not full, or was published less than half an hour ago */
export async function markFreed(trx: Sql, dealId: string, now: Date): Promise<string | null> {
  const rows = await query<{ full_id: string }>(
    trx,
    `update full_deals set is_full = false, told_at = $now
    where deal_id = $dealId::uuid and is_full and (told_at is null or told_at <= $now::timestamptz - ${pause})
    returning full_id`,
    { dealId, now },
  )
  return rows[0]?.full_id ?? null
}

export async function forgetFull(db: Sql, dealId: string): Promise<void> {
  await query(db, 'delete from full_deals where deal_id = $dealId::uuid', { dealId })
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
    from full_deals f where f.is_full and ($after::uuid is null or f.deal_id > $after::uuid)
    order by f.deal_id limit $limit`,
    { now, ...page },
  )
}
