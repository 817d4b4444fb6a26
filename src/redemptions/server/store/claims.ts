import { sql, type Insertable, type Selectable } from 'kysely'
import type { DB } from '../../../database-types.ts'
import type { Sql } from '../../../kit/server/database.ts'
import { deleteInSteps } from '../../../kit/server/delete-in-steps.ts'
import { query } from '../../../kit/server/statement.ts'
import { columnsOf, type RowOf } from '../../../kit/shared/thing.ts'
import { claimFields, type ClaimFields } from '../../claim.ts'
import type { ClaimState } from '../../limits.ts'

export interface ClaimRow extends RowOf<ClaimFields, Selectable<DB['claims']>> {
  account_id: string | null
  slot: number | null
  key_print: Buffer | null
  returned_at: string | null
  state: ClaimState
}

/** Columns for the visitor's export. */
export const shownColumns = [...columnsOf(claimFields), 'returned_at']

/** For a row `c` of claims, at `$now`. */
const columns = `
  ${[...shownColumns, 'account_id', 'slot', 'key_print'].map((name) => `c.${name}`).join(', ')},
  case
    when c.redeemed_at is not null then 'redeemed'
    when c.returned_at is not null then 'returned'
    when c.expires_at <= $now then 'expired'
    else 'open'
  end as state`

/** Condition for a row `c` at `$now`: open, so it holds an item; neither redeemed nor returned nor expired. */
export const isHeld = 'c.redeemed_at is null and c.returned_at is null and c.expires_at > $now'

/** The account's open claim of the deal, and how many it has redeemed. */
export async function countOwn(trx: Sql, dealId: string, accountId: string, now: Date) {
  const rows = await query<{ held: string | null; redeemed: number }>(
    trx,
    `select
      max(c.claim_id::text) filter (where ${isHeld}) as held,
      count(*) filter (where c.redeemed_at is not null) as redeemed
    from claims c where c.deal_id = $dealId::uuid and c.account_id = $accountId::uuid`,
    { dealId, accountId, now },
  )
  return rows[0]!
}

/** False: the slot is taken. */
export async function insertClaim(
  trx: Sql,
  claim: Required<Omit<Insertable<DB['claims']>, 'redeemed_at' | 'returned_at'>>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('claims')
    .values(claim)
    .onConflict((slot) => slot.columns(['business_id', 'slot']).doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

async function findOne(
  db: Sql,
  condition: string,
  values: { now: Date; [name: string]: unknown },
): Promise<ClaimRow | undefined> {
  return (await query<ClaimRow>(db, `select ${columns} from claims c where ${condition}`, values))[0]
}

export const findClaim = (db: Sql, claimId: string, now: Date) =>
  findOne(db, 'c.claim_id = $claimId::uuid', { claimId, now })

/** Locks the claim until the transaction ends. */
export const lockClaim = (trx: Sql, claimId: string, now: Date) =>
  findOne(trx, 'c.claim_id = $claimId::uuid for no key update', { claimId, now })

export const findClaimBySlot = (db: Sql, businessId: string, slot: number, keyPrint: Buffer, now: Date) =>
  findOne(db, 'c.business_id = $businessId::uuid and c.slot = $slot and c.key_print = $keyPrint', {
    businessId,
    slot,
    keyPrint,
    now,
  })

/** How many items of the deal are held now. */
export async function countHeldOf(trx: Sql, dealId: string, now: Date): Promise<number> {
  const rows = await query<{ held: number }>(
    trx,
    `select count(*) as held from claims c where c.deal_id = $dealId::uuid and ${isHeld}`,
    { dealId, now },
  )
  return rows[0]!.held
}

/** Open claims first, soonest to expire; then the others, newest first. */
export async function listClaims(
  db: Sql,
  accountId: string,
  now: Date,
  at: { after: { isOpen: number; value: string; id: string } | null; offset: number; limit: number },
): Promise<(ClaimRow & { total: number })[]> {
  const later = `($isOpen::int is null or (${openFirst}, c.claimed_at, c.claim_id) < ($isOpen, $value::timestamptz, $id::uuid))`
  return query<ClaimRow & { total: number }>(
    db,
    `select ${columns}, (select count(*) from (
        select from claims where account_id = $accountId::uuid limit 1001) counted) as total
    from claims c where c.account_id = $accountId::uuid and ${later}
    order by ${openFirst} desc, c.claimed_at desc, c.claim_id desc offset $offset limit $limit`,
    {
      accountId,
      now,
      isOpen: at.after?.isOpen ?? null,
      value: at.after?.value ?? null,
      id: at.after?.id ?? null,
      offset: at.offset,
      limit: at.limit,
    },
  )
}
const openFirst = `(case when ${isHeld} then 1 else 0 end)`

export async function setRedeemed(trx: Sql, claimId: string, at: Date | null): Promise<void> {
  await sql`update claims set redeemed_at = ${at} where claim_id = ${claimId}`.execute(trx)
}

export async function setReturned(trx: Sql, claimId: string, at: Date): Promise<void> {
  await sql`update claims set returned_at = ${at} where claim_id = ${claimId}`.execute(trx)
}

/** Frees the slots of claims whose codes can no longer be sent. */
export async function freeSlots(db: Sql, expiredBefore: Date): Promise<void> {
  for (;;) {
    const { numAffectedRows } = await sql`
      update claims set slot = null, key_print = null where claim_id in (
        select claim_id from claims where slot is not null and expires_at < ${expiredBefore} limit 2000)`.execute(db)
    if (!numAffectedRows) return
  }
}

/** Deletes claims that were never redeemed; a trigger counts them in `forgotten_claims`. */
export async function forgetUnused(db: Sql, expiredBefore: Date): Promise<void> {
  await deleteInSteps(db, 'claims', sql`r.redeemed_at is null and r.expires_at < ${expiredBefore}`)
}

/** Number of claims by deal, deleted ones included; deals without claims have no entry. */
export async function countClaimsOf(db: Sql, dealIds: string[]): Promise<Map<string, number>> {
  const rows = await query<{ deal_id: string; claims: number }>(
    db,
    `select deal_id, sum(claims)::int as claims from (
      select deal_id, count(*) as claims from claims where deal_id = any($dealIds::uuid[]) group by deal_id
      union all
      select deal_id, claims from forgotten_claims where deal_id = any($dealIds::uuid[])) counted
    group by deal_id`,
    { dealIds },
  )
  return new Map(rows.map(({ deal_id, claims }) => [deal_id, claims]))
}

/** Whether a visitor has redeemed the deal, by default any deal; undone redemptions do not count. */
export async function hasRedeemed(db: Sql, accountId: string, dealId: string | null = null): Promise<boolean> {
  const rows = await query(
    db,
    `select 1 from claims
    where account_id = $accountId::uuid and ($dealId::uuid is null or deal_id = $dealId::uuid)
      and redeemed_at is not null limit 1`,
    { accountId, dealId },
  )
  return rows.length > 0
}
