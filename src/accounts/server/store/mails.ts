import { sql } from 'kysely'
import type { Sql } from '../../../kit/server/database.ts'

export interface NewMail {
  mail_id: string
  kind: string
  account_id: string | null
  subscriber_id: string | null
  link_id: string | null
  email: string | null
  /** Of `email`, where the mail hangs on no account. */
  email_folded: string | null
  data: Record<string, string>
  locale: string
  origin: string
  created_at: Date
}

export async function insertMail(db: Sql, mail: NewMail): Promise<void> {
  await db
    .insertInto('outgoing_mails')
    .values({ ...mail, data: JSON.stringify(mail.data) })
    .execute()
}

export async function findMail(db: Sql, mailId: string): Promise<NewMail | undefined> {
  return (await db
    .selectFrom('outgoing_mails')
    .select([
      'mail_id',
      'kind',
      'account_id',
      'subscriber_id',
      'link_id',
      'email',
      'email_folded',
      'data',
      'locale',
      'origin',
      'created_at',
    ])
    .where('mail_id', '=', mailId)
    .executeTakeFirst()) as NewMail | undefined
}

/** True for the one that took it; a mail that was split into others is gone. */
export async function deleteMail(db: Sql, mailId: string): Promise<boolean> {
  const { rows } = await sql`delete from outgoing_mails where mail_id = ${mailId} returning 1`.execute(db)
  return rows.length > 0
}

/** Deletes wishes for this address that came from no account. */
export async function deleteWishesTo(db: Sql, emailFolded: string, kinds: string[]): Promise<void> {
  await db.deleteFrom('outgoing_mails').where('email_folded', '=', emailFolded).where('kind', 'in', kinds).execute()
}

/** Deletes wishes of an account that have not become mails yet. */
export async function deleteWishesOf(db: Sql, accountId: string, kinds: string[]): Promise<void> {
  await db.deleteFrom('outgoing_mails').where('account_id', '=', accountId).where('kind', 'in', kinds).execute()
}

/** Ids of mails that have not left, in their order. */
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

/** Gives up at most `limit` mails that wait since before then, and says which. */
export async function giveUpMails(db: Sql, before: Date, limit: number): Promise<Pick<NewMail, 'mail_id' | 'kind'>[]> {
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
