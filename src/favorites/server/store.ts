import { sql } from 'kysely'
import type { Sql } from '../../kit/server/database.ts'
import type { Stretch } from '../../kit/server/page.ts'
import { deleteInSteps } from '../../kit/server/delete-in-steps.ts'
import type { Kind } from '../contract.ts'

export interface SavedRow {
  kind: Kind
  subject_id: string
  saved_at: Date
}

export async function listSaved(
  db: Sql,
  accountId: string,
  page: Stretch & { kind: Kind | null },
): Promise<SavedRow[]> {
  let rows = db
    .selectFrom('favorites')
    .select(['kind', 'subject_id', 'saved_at'])
    .where('account_id', '=', accountId)
    .orderBy('saved_at', 'desc')
    .orderBy('subject_id', 'desc')
    .offset(page.offset)
    .limit(page.limit)
  if (page.kind) rows = rows.where('kind', '=', page.kind)
  if (page.after)
    rows = rows.where(sql<boolean>`(saved_at, subject_id) < (${page.after.at}::timestamptz, ${page.after.id}::uuid)`)
  return (await rows.execute()) as SavedRow[]
}

export async function countSaved(db: Sql, accountId: string, kind: Kind | null): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from favorites
    where account_id = ${accountId} ${kind ? sql`and kind = ${kind}` : sql``}`.execute(db)
  return rows[0]!.count
}

/** Lock: until the end of the transaction no other change of this account's favourites runs. */
export async function lockFavorites(trx: Sql, accountId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`favorites ${accountId}`}, 0))`.execute(trx)
}

/** @returns those that were not saved before */
export async function insertSaved(
  trx: Sql,
  accountId: string,
  subjects: { kind: Kind; id: string }[],
  savedAt: Date,
): Promise<{ kind: Kind; subject_id: string }[]> {
  if (subjects.length === 0) return []
  const { rows } = await sql<{ kind: Kind; subject_id: string }>`
    insert into favorites (account_id, kind, subject_id, saved_at)
    select ${accountId}, kind, id, ${savedAt}
    from jsonb_to_recordset(${JSON.stringify(subjects)}::jsonb) as s (kind text, id uuid)
    on conflict do nothing returning kind, subject_id`.execute(trx)
  return rows
}

/** Sets the time of a favourite, so that a late removal tapped before it is ignored. @returns false if it is not saved */
export async function renewSaved(
  trx: Sql,
  accountId: string,
  { kind, id }: { kind: Kind; id: string },
  savedAt: Date,
): Promise<boolean> {
  const { rows } = await sql`
    update favorites set saved_at = greatest(saved_at, ${savedAt}::timestamptz)
    where account_id = ${accountId} and kind = ${kind} and subject_id = ${id} returning 1`.execute(trx)
  return rows.length > 0
}

/**
 * Deletes a favourite and stores the time of its removal, also if it was not saved, for late additions.
 * @returns when it was saved; null: it was not, or only after the removal
 */
export async function deleteSaved(
  trx: Sql,
  accountId: string,
  { kind, id }: { kind: Kind; id: string },
  { removedAt, staysIfSavedSince }: { removedAt: Date; staysIfSavedSince: boolean },
): Promise<Date | null> {
  const { rows } = await sql<{ saved_at: Date }>`
    with removal as (
      insert into favorite_removals as r (account_id, kind, subject_id, removed_at)
      values (${accountId}, ${kind}, ${id}, ${removedAt}::timestamptz)
      on conflict (account_id, kind, subject_id) do update set removed_at = greatest(r.removed_at, excluded.removed_at))
    delete from favorites
    where account_id = ${accountId} and kind = ${kind} and subject_id = ${id}
      ${staysIfSavedSince ? sql`and saved_at <= ${removedAt}` : sql``}
    returning saved_at`.execute(trx)
  return rows[0]?.saved_at ?? null
}

/** Whether a removal later than `moment` is known. */
export async function isRemovedSince(
  db: Sql,
  accountId: string,
  { kind, id }: { kind: Kind; id: string },
  moment: Date,
): Promise<boolean> {
  const { rows } = await sql`
    select from favorite_removals
    where account_id = ${accountId} and kind = ${kind} and subject_id = ${id} and removed_at > ${moment}`.execute(db)
  return rows.length > 0
}

export const deleteRemovalsBefore = (db: Sql, before: Date): Promise<void> =>
  deleteInSteps(db, 'favorite_removals', sql`r.removed_at < ${before}`)

/** Ids of the accounts that saved it, in order, after the id `page.after`. */
export async function accountsThatSaved(
  db: Sql,
  kind: Kind,
  id: string,
  page: { after: string | null; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ account_id: string }>`
    select account_id from favorites
    where kind = ${kind} and subject_id = ${id} ${page.after ? sql`and account_id > ${page.after}::uuid` : sql``}
    order by account_id limit ${page.limit}`.execute(db)
  return rows.map(({ account_id }) => account_id)
}

/** How many people have saved the business or any of the deals. */
export async function countFans(
  db: Sql,
  { businessId, dealIds }: { businessId: string; dealIds: readonly string[] },
): Promise<number> {
  const { rows } = await sql<{ people: number }>`
    select count(distinct account_id)::int as people from favorites
    where (kind = 'business' and subject_id = ${businessId}::uuid)
      or (kind = 'deal' and subject_id = any(${[...dealIds]}::uuid[]))`.execute(db)
  return rows[0]!.people
}

/** Number of people who saved each deal or merchant, by id. */
export async function countSavesOf(db: Sql, kind: Kind, ids: string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ subject_id: string; saves: number }>`
    select subject_id, count(*) as saves from favorites
    where kind = ${kind} and subject_id = any(${ids}::uuid[]) group by subject_id`.execute(db)
  return new Map(rows.map(({ subject_id, saves }) => [subject_id, saves]))
}

export async function exportOf(db: Sql, accountId: string): Promise<Record<string, unknown>[]> {
  return db.selectFrom('favorites').selectAll().where('account_id', '=', accountId).limit(1000).execute()
}

export async function listRemovals(db: Sql, accountId: string, limit: number): Promise<Record<string, unknown>[]> {
  return db
    .selectFrom('favorite_removals')
    .select(['kind', 'subject_id', 'removed_at'])
    .where('account_id', '=', accountId)
    .orderBy('kind')
    .orderBy('subject_id')
    .limit(limit)
    .execute()
}

export async function deleteAllOf(trx: Sql, accountId: string): Promise<void> {
  await trx.deleteFrom('favorites').where('account_id', '=', accountId).execute()
  await trx.deleteFrom('favorite_removals').where('account_id', '=', accountId).execute()
}

/** Which of these businesses somebody saved. */
export async function savedBusinesses(db: Sql, ids: string[]): Promise<string[]> {
  const { rows } = await sql<{ subject_id: string }>`
    select distinct subject_id from favorites where kind = 'business' and subject_id = any(${ids}::uuid[])`.execute(db)
  return rows.map(({ subject_id }) => subject_id)
}

/** How many people saved any of these businesses. */
export async function countBusinessSavers(db: Sql, ids: string[]): Promise<number> {
  const { rows } = await sql<{ people: number }>`
    select count(distinct account_id)::int as people from favorites
    where kind = 'business' and subject_id = any(${ids}::uuid[])`.execute(db)
  return rows[0]!.people
}
