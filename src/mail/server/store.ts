import { sql, type Selectable } from 'kysely'
import type { DB } from '../../database-types.ts'
import type { Sql } from '../../kit/server/database.ts'

/** `email_folded`: `email` in its comparable spelling; null for a mail of an account. */
export interface MailRow extends Selectable<DB['outgoing_mails']> {
  data: Record<string, string>
}

export async function insertMail(db: Sql, mail: MailRow): Promise<void> {
  await db
    .insertInto('outgoing_mails')
    .values({ ...mail, data: JSON.stringify(mail.data) })
    .execute()
}

export async function findMail(db: Sql, mailId: string): Promise<MailRow | undefined> {
  return (await db.selectFrom('outgoing_mails').selectAll().where('mail_id', '=', mailId).executeTakeFirst()) as
    MailRow | undefined
}

/** False: another job has deleted it already. */
export async function deleteMail(db: Sql, mailId: string): Promise<boolean> {
  const { rows } = await sql`delete from outgoing_mails where mail_id = ${mailId} returning 1`.execute(db)
  return rows.length > 0
}

/** Deletes mails of these kinds to an address; mails of accounts stay. */
export async function deleteMailsTo(db: Sql, emailFolded: string, kinds: string[]): Promise<void> {
  await db.deleteFrom('outgoing_mails').where('email_folded', '=', emailFolded).where('kind', 'in', kinds).execute()
}

/** Deletes mails of these kinds of an account. */
export async function deleteMailsOf(db: Sql, accountId: string, kinds: string[]): Promise<void> {
  await db.deleteFrom('outgoing_mails').where('account_id', '=', accountId).where('kind', 'in', kinds).execute()
}

/** Whether a mail of this kind to the account is still queued. */
export async function hasMail(db: Sql, accountId: string, kind: string): Promise<boolean> {
  const row = await db
    .selectFrom('outgoing_mails')
    .select('mail_id')
    .where('account_id', '=', accountId)
    .where('kind', '=', kind)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether a mail of this kind to the address, not to an account, is still queued. */
export async function hasMailTo(db: Sql, emailFolded: string, kind: string): Promise<boolean> {
  const row = await db
    .selectFrom('outgoing_mails')
    .select('mail_id')
    .where('email_folded', '=', emailFolded)
    .where('kind', '=', kind)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Which of these links stand in mails that are still queued. */
export async function linksWithMail(db: Sql, linkIds: string[]): Promise<Set<string>> {
  const { rows } = await sql<{ link_id: string }>`
    select distinct link_id from outgoing_mails where link_id = any(${linkIds}::uuid[])`.execute(db)
  return new Set(rows.map(({ link_id }) => link_id))
}

/** Queued mails of an account, for its export: at most 1,000. */
export async function mailsOf(db: Sql, accountId: string): Promise<Record<string, unknown>[]> {
  return db
    .selectFrom('outgoing_mails')
    .select(['kind', 'email', 'created_at'])
    .where('account_id', '=', accountId)
    .limit(1000)
    .execute()
}

/** Ids of queued mails, ascending. */
export async function waitingMails(db: Sql, after: string | null, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('outgoing_mails')
    .select('mail_id')
    .$if(after !== null, (query) => query.where('mail_id', '>', after!))
    .orderBy('mail_id')
    .limit(limit)
    .execute()
  return rows.map((row) => row.mail_id)
}

/** Deletes at most `limit` mails that were queued before `before`, the oldest first. */
export async function deleteMailsBefore(
  db: Sql,
  before: Date,
  limit: number,
): Promise<Pick<MailRow, 'mail_id' | 'kind'>[]> {
  return db
    .deleteFrom('outgoing_mails')
    .where('mail_id', 'in', (oldest) =>
      oldest
        .selectFrom('outgoing_mails')
        .select('mail_id')
        .where('created_at', '<', before)
        .orderBy('created_at')
        .limit(limit),
    )
    .returning(['mail_id', 'kind'])
    .execute()
}
