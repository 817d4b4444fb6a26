import { sql, type Insertable, type Selectable } from 'kysely'
import type { DB } from '../../../database-types.ts'
import type { Sql } from '../../../kit/server/database.ts'

export type LinkPurpose = 'verify' | 'reset' | 'change_email' | 'newsletter'

const columns = [
  'purpose',
  'account_id',
  'subscriber_id',
  'new_email',
  // Session that asked for a change of the address.
  'session_id',
  // When a reset link set the password; it then waits for the authentication code.
  'used_at',
] as const
interface LinkRow extends Pick<Selectable<DB['mailed_links']>, (typeof columns)[number]> {
  purpose: LinkPurpose
}

type NewLink = Insertable<DB['mailed_links']> & { purpose: LinkPurpose }

export async function insertLink(db: Sql, link: NewLink): Promise<void> {
  await db.insertInto('mailed_links').values(link).execute()
}

/** Takes a valid link, once. @param used true: a reset link that waits for the authentication code */
export async function takeLink(
  db: Sql,
  tokenHash: Buffer,
  purposes: LinkPurpose[],
  now: Date,
  used = false,
): Promise<LinkRow | undefined> {
  return db
    .deleteFrom('mailed_links')
    .where('token_hash', '=', tokenHash)
    .where('purpose', 'in', purposes)
    .where('expires_at', '>', now)
    .where('used_at', used ? 'is not' : 'is', null)
    .returning(columns)
    .$castTo<LinkRow>()
    .executeTakeFirst()
}

/** Reads a valid link without taking it. */
export async function findLink(db: Sql, tokenHash: Buffer, now: Date): Promise<LinkRow | undefined> {
  return db
    .selectFrom('mailed_links')
    .select(columns)
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .$castTo<LinkRow>()
    .executeTakeFirst()
}

export async function findLinkHash(db: Sql, linkId: string): Promise<Buffer | undefined> {
  const row = await db.selectFrom('mailed_links').select('token_hash').where('link_id', '=', linkId).executeTakeFirst()
  return row?.token_hash
}

/** @returns false: the link is gone or has another token by now */
export async function replaceLinkHash(db: Sql, linkId: string, before: Buffer, now: Buffer): Promise<boolean> {
  const { rows } = await sql`
    update mailed_links set token_hash = ${now} where link_id = ${linkId} and token_hash = ${before} returning 1`.execute(
    db,
  )
  return rows.length > 0
}

export async function findLinkPurpose(db: Sql, linkId: string): Promise<LinkPurpose | undefined> {
  const row = await db.selectFrom('mailed_links').select('purpose').where('link_id', '=', linkId).executeTakeFirst()
  return row?.purpose as LinkPurpose | undefined
}

export async function setLinkExpiry(db: Sql, linkId: string, expiresAt: Date): Promise<void> {
  await db.updateTable('mailed_links').set({ expires_at: expiresAt }).where('link_id', '=', linkId).execute()
}

export async function deleteLinks(db: Sql, accountId: string, purposes: LinkPurpose[]): Promise<void> {
  await db.deleteFrom('mailed_links').where('account_id', '=', accountId).where('purpose', 'in', purposes).execute()
}

/** Ids of expired links, ascending. */
export async function expiredLinks(db: Sql, now: Date, after: string | null, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('mailed_links')
    .select('link_id')
    .where('expires_at', '<=', now)
    .$if(after !== null, (query) => query.where('link_id', '>', after!))
    .orderBy('link_id')
    .limit(limit)
    .execute()
  return rows.map(({ link_id }) => link_id)
}

export async function deleteLinksById(db: Sql, linkIds: string[]): Promise<void> {
  await sql`delete from mailed_links where link_id = any(${linkIds}::uuid[])`.execute(db)
}

/** Those of these newsletter subscribers who have a link. */
export async function subscribersWithLink(db: Sql, subscriberIds: string[]): Promise<Set<string>> {
  const { rows } = await sql<{ subscriber_id: string }>`
    select distinct subscriber_id from mailed_links where subscriber_id = any(${subscriberIds}::uuid[])`.execute(db)
  return new Set(rows.map(({ subscriber_id }) => subscriber_id))
}
