import { sql, type Selectable, type Updateable } from 'kysely'
import type { DB } from '../../../database-types.ts'
import type { Sql } from '../../../kit/server/database.ts'
import { newId } from '../../../kit/server/ids.ts'
import type { Role } from '../../../accounts/contract.ts'

export type MemberRow = Selectable<DB['forum_members']> & { role: Role }

const members = (db: Sql) => db.selectFrom('forum_members').selectAll().$castTo<MemberRow>()

export async function findMember(db: Sql, accountId: string): Promise<MemberRow | undefined> {
  return members(db).where('account_id', '=', accountId).executeTakeFirst()
}

/** Finds and locks a member until the transaction ends, so that two posts of one member are written one after the other. */
export async function lockMember(trx: Sql, accountId: string): Promise<MemberRow | undefined> {
  return members(trx).where('account_id', '=', accountId).forNoKeyUpdate().executeTakeFirst()
}

export async function lockMemberById(trx: Sql, memberId: string): Promise<MemberRow | undefined> {
  return members(trx).where('member_id', '=', memberId).forNoKeyUpdate().executeTakeFirst()
}

/** Locks the lower id first, so that two members who like each other's posts cannot deadlock. */
export async function lockBothMembers(trx: Sql, one: string, other: string): Promise<void> {
  await sql`
    select from forum_members where member_id in (${one}, ${other}) order by member_id for no key update`.execute(trx)
}

export async function findMemberByHandle(db: Sql, handle: string): Promise<MemberRow | undefined> {
  // PostgreSQL refuses texts with a zero byte
  if (handle.includes('\0')) return undefined
  return members(db).where('handle', '=', handle).executeTakeFirst()
}

/** A trigger fills name and role from the account. Does nothing if the member exists. */
export async function insertMember(trx: Sql, accountId: string, now: Date): Promise<void> {
  await trx
    .insertInto('forum_members')
    .values({ member_id: newId(), account_id: accountId, joined_at: now })
    .onConflict((taken) => taken.doNothing())
    .execute()
}

/**
 * Sets a member's handle. Locks the handle across instances: of two members who want it at once, one gets it.
 * @returns false: another member has this handle, or one that looks like it
 */
export async function setHandle(trx: Sql, memberId: string, handle: string): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtextextended('forum handle ' || handle_skeleton(${handle}), 0))`.execute(
    trx,
  )
  const { rows } = await sql`
    update forum_members set handle = ${handle} where member_id = ${memberId}
      and not exists (select from forum_members where handle_skeleton(handle) = handle_skeleton(${handle})) returning 1`.execute(
    trx,
  )
  return rows.length > 0
}

export async function changeMember(trx: Sql, memberId: string, change: Updateable<DB['forum_members']>): Promise<void> {
  await trx.updateTable('forum_members').set(change).where('member_id', '=', memberId).execute()
}

type Counter = 'topics_written' | 'replies_written' | 'posts_read' | 'likes_given' | 'likes_received'

/** Adds `by` to a counter of the member, which stays at zero or above. The trust level follows from the counters. */
export async function addToCounter(db: Sql, memberId: string, what: Counter, by: number): Promise<void> {
  await db
    .updateTable('forum_members')
    .set({ [what]: sql`greatest(0, ${sql.ref(what)} + ${by})` })
    .where('member_id', '=', memberId)
    .execute()
}

export async function noteRedeemed(db: Sql, accountId: string): Promise<void> {
  await db.updateTable('forum_members').set({ has_redeemed: true }).where('account_id', '=', accountId).execute()
}

export async function membersByHandles(
  db: Sql,
  handles: string[],
): Promise<{ handle: string | null; account_id: string | null }[]> {
  if (handles.length === 0) return []
  return db.selectFrom('forum_members').select(['handle', 'account_id']).where('handle', 'in', handles).execute()
}

export async function blockMember(db: Sql, memberId: string, blockedId: string, now: Date): Promise<void> {
  await db
    .insertInto('forum_blocks')
    .values({ member_id: memberId, blocked_id: blockedId, blocked_at: now })
    .onConflict((there) => there.doNothing())
    .execute()
}

export async function unblockMember(db: Sql, memberId: string, blockedId: string): Promise<void> {
  await db.deleteFrom('forum_blocks').where('member_id', '=', memberId).where('blocked_id', '=', blockedId).execute()
}

/** Authors whom the member has blocked, latest first; at most 500. */
export async function listBlockedMembers(db: Sql, memberId: string) {
  return db
    .selectFrom('forum_blocks as b')
    .innerJoin('forum_members as m', 'm.member_id', 'b.blocked_id')
    .select(['m.member_id', 'm.handle', 'm.display_name as name', 'm.role'])
    .where('b.member_id', '=', memberId)
    .orderBy('b.blocked_at', 'desc')
    .limit(500)
    .execute()
}

export async function accountOfMember(db: Sql, memberId: string): Promise<string | null> {
  const row = await db
    .selectFrom('forum_members')
    .select('account_id')
    .where('member_id', '=', memberId)
    .executeTakeFirst()
  return row?.account_id ?? null
}
