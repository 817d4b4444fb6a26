import type { Insertable } from 'kysely'
import type { DB } from '../../database-types.ts'
import type { Sql } from '../../kit/server/database.ts'

/**
 * Stores the message. One with the same `sent_as` is not stored again and gets the ticket of the first. When two arrive at
 * once, on any instances, the second waits for the first.
 */
export async function insertMessage(
  db: Sql,
  message: Required<Omit<Insertable<DB['contact_messages']>, 'mailed_at'>>,
): Promise<{ ticket: string; isNew: boolean }> {
  const inserted = await db
    .insertInto('contact_messages')
    .values(message)
    .onConflict((sent) => sent.column('sent_as').where('sent_as', 'is not', null).doNothing())
    .returning('ticket')
    .executeTakeFirst()
  if (inserted) return { ...inserted, isNew: true }
  const first = await db
    .selectFrom('contact_messages')
    .select('ticket')
    .where('sent_as', '=', message.sent_as)
    .executeTakeFirstOrThrow()
  return { ...first, isNew: false }
}

/** Frees the key of a message from before `before`: the next message with this key is a new one. */
export async function expireKey(db: Sql, sentAs: Buffer, before: Date): Promise<void> {
  await db
    .updateTable('contact_messages')
    .set({ sent_as: null })
    .where('sent_as', '=', sentAs)
    .where('created_at', '<', before)
    .execute()
}

/** undefined: it was mailed already, or is deleted. */
export async function messageToMail(db: Sql, messageId: string) {
  return db
    .selectFrom('contact_messages')
    .select(['ticket', 'name', 'email', 'topic', 'message', 'locale', 'created_at'])
    .where('message_id', '=', messageId)
    .where('mailed_at', 'is', null)
    .executeTakeFirst()
}

/** Ids of messages that were not mailed yet, ascending. */
export async function unmailedMessages(db: Sql, after: string | null, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('contact_messages')
    .select('message_id')
    .where('mailed_at', 'is', null)
    .$if(after !== null, (query) => query.where('message_id', '>', after!))
    .orderBy('message_id')
    .limit(limit)
    .execute()
  return rows.map((row) => row.message_id)
}

/** Deletes at most `limit` messages from before `before`, the oldest first. */
export async function deleteMessagesBefore(
  db: Sql,
  before: Date,
  limit: number,
): Promise<{ ticket: string; mailed_at: Date | null }[]> {
  return db
    .deleteFrom('contact_messages')
    .where('message_id', 'in', (oldest) =>
      oldest
        .selectFrom('contact_messages')
        .select('message_id')
        .where('created_at', '<', before)
        .orderBy('created_at')
        .limit(limit),
    )
    .returning(['ticket', 'mailed_at'])
    .execute()
}

export async function markMailed(db: Sql, messageId: string, at: Date): Promise<void> {
  await db.updateTable('contact_messages').set({ mailed_at: at }).where('message_id', '=', messageId).execute()
}

/** Messages of an account, for its export: at most 1,000, newest first. */
export async function messagesOf(db: Sql, accountId: string): Promise<Record<string, unknown>[]> {
  return db
    .selectFrom('contact_messages')
    .select(['ticket', 'name', 'email', 'topic', 'message', 'locale', 'created_at', 'mailed_at'])
    .where('account_id', '=', accountId)
    .orderBy('created_at', 'desc')
    .limit(1000)
    .execute()
}

export async function deleteMessagesOf(db: Sql, accountId: string): Promise<void> {
  await db.deleteFrom('contact_messages').where('account_id', '=', accountId).execute()
}

export async function deleteMessagesTo(db: Sql, emailFolded: string): Promise<void> {
  await db.deleteFrom('contact_messages').where('email_folded', '=', emailFolded).execute()
}
