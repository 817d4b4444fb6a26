import { sql } from 'kysely'
import type { Sql } from '../../../kit/server/database.ts'
import type { AccountLanguage } from '../../contract.ts'

/**
 * The subscriber of the address, made if there was none. Of one who reads the newsletter already only the owner of the
 * address changes the language.
 */
export async function subscribe(
  db: Sql,
  subscriber: { subscriber_id: string; email: string; email_folded: string; language: AccountLanguage; now: Date },
  by: 'owner' | 'anybody',
): Promise<{ subscriber_id: string; confirmed_at: Date | null }> {
  const { rows } = await sql<{ subscriber_id: string; confirmed_at: Date | null }>`
    insert into newsletter_subscribers as s (subscriber_id, email, email_folded, language, created_at)
    values (${subscriber.subscriber_id}, ${subscriber.email}, ${subscriber.email_folded}, ${subscriber.language},
      ${subscriber.now})
    on conflict (email_folded) do update set
      language = case when s.confirmed_at is null or ${by === 'owner'} then excluded.language else s.language end
    returning subscriber_id, confirmed_at`.execute(db)
  return rows[0]!
}

export async function findSubscriber(db: Sql, subscriberId: string) {
  return db
    .selectFrom('newsletter_subscribers')
    .select(['subscriber_id', 'email', 'confirmed_at'])
    .where('subscriber_id', '=', subscriberId)
    .executeTakeFirst()
}

export async function confirmSubscriber(db: Sql, subscriberId: string, now: Date): Promise<void> {
  await sql`
    update newsletter_subscribers set confirmed_at = coalesce(confirmed_at, ${now})
    where subscriber_id = ${subscriberId}`.execute(db)
}

export async function deleteSubscriber(db: Sql, subscriberId: string): Promise<void> {
  await db.deleteFrom('newsletter_subscribers').where('subscriber_id', '=', subscriberId).execute()
}

/** `unconfirmed`: only where the link of the mail was never opened. */
export async function deleteSubscriberByEmail(db: Sql, emailFolded: string, which?: 'unconfirmed'): Promise<void> {
  await db
    .deleteFrom('newsletter_subscribers')
    .where('email_folded', '=', emailFolded)
    .$if(which === 'unconfirmed', (query) => query.where('confirmed_at', 'is', null))
    .execute()
}
