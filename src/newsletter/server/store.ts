import { sql } from 'kysely'
import type { Sql } from '../../kit/server/database.ts'
import type { AccountLanguage } from '../../accounts/contract.ts'

/** The subscriber of the address, created if there was none. `by: 'anybody'` does not change the language of a confirmed reader. */
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

/**
 * Moves a confirmed subscription from the old address to the new one, in its language. Unsubscribe links in earlier mails go on
 * working, unless the new address has a subscriber already: that one stays, confirmed, and the old one is deleted.
 * @param old folded
 */
export async function moveSubscriber(
  trx: Sql,
  old: string,
  to: { email: string; emailFolded: string },
  now: Date,
): Promise<void> {
  await sql`
    with leaving as (
      select subscriber_id from newsletter_subscribers where email_folded = ${old} and confirmed_at is not null for update
    ), there as (
      update newsletter_subscribers set confirmed_at = coalesce(confirmed_at, ${now})
      where email_folded = ${to.emailFolded} and exists (select 1 from leaving)
      returning subscriber_id
    ), moved as (
      update newsletter_subscribers set email = ${to.email}, email_folded = ${to.emailFolded}
      where subscriber_id in (select subscriber_id from leaving) and not exists (select 1 from there)
    )
    delete from newsletter_subscribers
    where subscriber_id in (select subscriber_id from leaving) and exists (select 1 from there)`.execute(trx)
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

/** `unconfirmed`: a confirmed subscriber stays. */
export async function deleteSubscriberByEmail(db: Sql, emailFolded: string, which?: 'unconfirmed'): Promise<void> {
  await db
    .deleteFrom('newsletter_subscribers')
    .where('email_folded', '=', emailFolded)
    .$if(which === 'unconfirmed', (query) => query.where('confirmed_at', 'is', null))
    .execute()
}

/** Whether a confirmed reader has this address. */
export async function isSubscribed(db: Sql, emailFolded: string): Promise<boolean> {
  const row = await db
    .selectFrom('newsletter_subscribers')
    .select('subscriber_id')
    .where('email_folded', '=', emailFolded)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst()
  return row !== undefined
}

/** For the export of a person who has confirmed the address. */
export async function exportOf(db: Sql, emailFolded: string): Promise<Record<string, unknown>[]> {
  return db
    .selectFrom('newsletter_subscribers')
    .select(['email', 'language', 'confirmed_at', 'created_at'])
    .where('email_folded', '=', emailFolded)
    .execute()
}

/** Ids of unconfirmed subscribers from before `before`, ascending. */
export async function unconfirmedBefore(db: Sql, before: Date, after: string | null, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('newsletter_subscribers')
    .select('subscriber_id')
    .where('confirmed_at', 'is', null)
    .where('created_at', '<', before)
    .$if(after !== null, (query) => query.where('subscriber_id', '>', after!))
    .orderBy('subscriber_id')
    .limit(limit)
    .execute()
  return rows.map(({ subscriber_id }) => subscriber_id)
}

/** Deletes these subscribers, unless they confirmed in the meantime. */
export async function deleteUnconfirmed(db: Sql, subscriberIds: string[]): Promise<void> {
  await sql`
    delete from newsletter_subscribers
    where subscriber_id = any(${subscriberIds}::uuid[]) and confirmed_at is null`.execute(db)
}
