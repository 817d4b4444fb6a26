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

/** Columns that its visitor may know. */
export const shownColumns = [...columnsOf(claimFields), 'returned_at']

/** Of the row `c` of claims, at `$now`. */
const columns = `
  ${[...shownColumns, 'account_id', 'slot', 'key_print'].map((name) => `c.${name}`).join(', ')},
  case
    when c.redeemed_at is not null then 'redeemed'
    when c.returned_at is not null then 'returned'
    when c.expires_at <= $now then 'expired'
    else 'open'
  end as state`

/** What is held of a deal, of the row `c` at `$now`: neither redeemed nor returned nor expired. */
export const isHeld = 'c.redeemed_at is null and c.returned_at is null and c.expires_at > $now'

/** The claim of the deal that the account holds, and how many it has redeemed. */
export async function countOwn(trx: Sql, dealId: string, accountId: string, now: Date) {
  const rows = await query<{ held: string | null; had: number }>(
    trx,
    `select
      max(c.claim_id::text) filter (where ${isHeld}) as held,
      count(*) filter (where c.redeemed_at is not null) as had
    from claims c where c.deal_id = $dealId::uuid and c.account_id = $accountId::uuid`,
    { dealId, accountId, now },
  )
  return rows[0]!
}

/** False where the slot is taken. */
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

export async function findClaim(db: Sql, claimId: string, now: Date): Promise<ClaimRow | undefined> {
  const rows = await query<ClaimRow>(db, `select ${columns} from claims c where c.claim_id = $claimId::uuid`, {
    claimId,
    now,
  })
  return rows[0]
}

/** Locks it until the transaction ends. */
export async function lockClaim(trx: Sql, claimId: string, now: Date): Promise<ClaimRow | undefined> {
  const rows = await query<ClaimRow>(
    trx,
    `select ${columns} from claims c where c.claim_id = $claimId::uuid for no key update`,
    { claimId, now },
  )
  return rows[0]
}

export async function findClaimBySlot(
  db: Sql,
  businessId: string,
  slot: number,
  keyPrint: Buffer,
  now: Date,
): Promise<ClaimRow | undefined> {
  const rows = await query<ClaimRow>(
    db,
    `select ${columns} from claims c
    where c.business_id = $businessId::uuid and c.slot = $slot and c.key_print = $keyPrint`,
    { businessId, slot, keyPrint, now },
  )
  return rows[0]
}

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

/** Frees the slots of claims whose codes nobody can send any more. */
export async function freeSlots(db: Sql, expiredBefore: Date): Promise<void> {
  for (;;) {
    const { numAffectedRows } = await sql`
      update claims set slot = null, key_print = null where claim_id in (
        select claim_id from claims where slot is not null and expires_at < ${expiredBefore} limit 2000)`.execute(db)
    if (!numAffectedRows) return
  }
}

/** Forgets what was never used; a trigger keeps how many they were. */
export async function forgetUnused(db: Sql, expiredBefore: Date): Promise<void> {
  await deleteInSteps(db, 'claims', sql`r.redeemed_at is null and r.expires_at < ${expiredBefore}`)
}

/** How many claims there have been of each deal, the forgotten included; deals without any are left out. */
export async function countClaimsOf(db: Sql, dealIds: string[]): Promise<{ deal_id: string; claims: number }[]> {
  return query<{ deal_id: string; claims: number }>(
    db,
    `select deal_id, sum(claims)::int as claims from (
      select deal_id, count(*) as claims from claims where deal_id = any($dealIds::uuid[]) group by deal_id
      union all
      select deal_id, claims from forgotten_claims where deal_id = any($dealIds::uuid[])) counted
    group by deal_id`,
    { dealIds },
  )
}

export async function hasRedeemedAny(db: Sql, accountId: string): Promise<boolean> {
  const rows = await query(
    db,
    'select 1 from claims where account_id = $accountId::uuid and redeemed_at is not null limit 1',
    { accountId },
  )
  return rows.length > 0
}

export async function hasRedeemed(db: Sql, accountId: string, dealId: string): Promise<boolean> {
  const rows = await query(
    db,
    `select 1 from claims
    where deal_id = $dealId::uuid and account_id = $accountId::uuid and redeemed_at is not null limit 1`,
    { dealId, accountId },
  )
  return rows.length > 0
}
