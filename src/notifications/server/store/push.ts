import { sql, type Insertable } from 'kysely'
import type { DB } from '../../../database-types.ts'
import type { Sql } from '../../../kit/server/database.ts'
import type { NotificationContent } from './notifications.ts'
import { isQuiet } from './settings.ts'

interface StoredPushKeys {
  publicKey: string
  /** Encrypted. */
  privateKey: Buffer
}

/** Stores the key pair of this installation, unless another instance was faster. @returns the stored pair */
export async function insertPushKeys(db: Sql, fresh: StoredPushKeys): Promise<StoredPushKeys> {
  const { rows } = await sql<StoredPushKeys>`
    insert into push_keys (public_key, private_key) values (${fresh.publicKey}, ${fresh.privateKey})
    on conflict (only_row) do update set only_row = true
    returning public_key as "publicKey", private_key as "privateKey"`.execute(db)
  return rows[0]!
}

export async function findPushKeys(db: Sql): Promise<StoredPushKeys | undefined> {
  const { rows } = await sql<StoredPushKeys>`
    select public_key as "publicKey", private_key as "privateKey" from push_keys`.execute(db)
  return rows[0]
}

export async function setSealedPushKey(db: Sql, privateKey: Buffer): Promise<void> {
  await sql`update push_keys set private_key = ${privateKey}`.execute(db)
}

/**
 * Stores the subscription of a browser. One that belongs to another account moves to this one only if its keys match: only
 * that browser has them. @returns false: they do not match
 */
export async function putSubscription(
  trx: Sql,
  given: Insertable<DB['push_subscriptions']>,
  most: number,
): Promise<boolean> {
  // Queued pushes for the account before must not reach the next one.
  await sql`
    delete from push_messages where subscription_id in (
      select subscription_id from push_subscriptions
      where endpoint = ${given.endpoint} and account_id <> ${given.account_id}
        and p256dh = ${given.p256dh} and auth = ${given.auth})`.execute(trx)
  const { rows } = await sql`
    insert into push_subscriptions as s
      (subscription_id, account_id, session_id, endpoint, p256dh, auth, created_at)
    values (${given.subscription_id}, ${given.account_id}, ${given.session_id}, ${given.endpoint}, ${given.p256dh},
      ${given.auth}, ${given.created_at})
    on conflict (endpoint) do update set
      account_id = excluded.account_id, session_id = excluded.session_id, p256dh = excluded.p256dh,
      auth = excluded.auth, created_at = excluded.created_at
    where s.account_id = excluded.account_id or (s.p256dh = excluded.p256dh and s.auth = excluded.auth)
    returning 1`.execute(trx)
  await sql`
    delete from push_subscriptions where subscription_id in (
      select subscription_id from push_subscriptions where account_id = ${given.account_id}
      order by created_at desc, subscription_id desc offset ${most})`.execute(trx)
  return rows.length > 0
}

/** Ids of accounts that have a push subscription, ascending. */
export async function accountsWithDevices(db: Sql, page: { after: string | null; limit: number }): Promise<string[]> {
  const { rows } = await sql<{ account_id: string }>`
    select distinct account_id from push_subscriptions
    where ${page.after}::uuid is null or account_id > ${page.after}::uuid
    order by account_id limit ${page.limit}`.execute(db)
  return rows.map(({ account_id }) => account_id)
}

export async function deleteSubscription(db: Sql, accountId: string, address: string): Promise<void> {
  await sql`delete from push_subscriptions where endpoint = ${address} and account_id = ${accountId}`.execute(db)
}

export interface PushRow extends NotificationContent {
  push_id: string
  notification_id: string
  subscription_id: string
  account_id: string
  endpoint: string
  p256dh: string
  auth: string
  /** Attempts, including the current one. */
  tries: number
  urgent: boolean
  path: string
  read_at: Date | null
  good_until: Date | null
}

/** Locks due pushes until `until` for this instance, urgent ones first. In quiet hours only urgent ones. */
export async function claimPushes(
  db: Sql,
  at: { now: Date; until: Date; zone: string },
  limit: number,
): Promise<PushRow[]> {
  const { rows } = await sql<PushRow>`
    with clock as (select (${at.now}::timestamptz at time zone ${at.zone})::time as local),
    due as (
      select p.push_id from clock, push_messages p join push_subscriptions s using (subscription_id)
        left join notification_quiet_hours q using (account_id)
      where p.due_at <= ${at.now} and (p.urgent or not ${isQuiet})
      order by p.urgent desc, p.due_at limit ${limit} for update of p skip locked),
    taken as (
      update push_messages p set due_at = ${at.until}, tries = tries + 1 from due where p.push_id = due.push_id
      returning p.*)
    select t.push_id, t.subscription_id, t.tries, t.urgent, s.account_id, s.endpoint, s.p256dh, s.auth,
      n.notification_id, n.type, n.values, n.path, n.count, n.read_at, n.good_until
    from taken t join push_subscriptions s using (subscription_id) join notifications n using (notification_id)`.execute(
    db,
  )
  return rows
}

/**
 * Marks a notification as read that stands in no list, once its pushes are sent and no mail is due: nobody can open it, and the
 * next one of its group must not count it. One in a mail stays unread: that mail may still be queued, and lists only unread ones.
 */
export async function settleUnlisted(db: Sql, notificationId: string, now: Date): Promise<void> {
  await sql`
    update notifications set read_at = ${now}
    where notification_id = ${notificationId} and not in_app and read_at is null and mail_due_at is null and mail_batch is null
      and not exists (select from push_messages p where p.notification_id = notifications.notification_id)`.execute(db)
}

/** Deletes a push that this instance has locked, unless it became due again while it was sent. */
export async function deletePush(db: Sql, pushId: string, takenUntil: Date): Promise<void> {
  await sql`delete from push_messages where push_id = ${pushId} and due_at = ${takenUntil}`.execute(db)
}

export async function postponePush(db: Sql, pushId: string, takenUntil: Date, dueAt: Date): Promise<void> {
  await sql`
    update push_messages set due_at = ${dueAt} where push_id = ${pushId} and due_at = ${takenUntil}`.execute(db)
}

/** Also deletes its queued pushes. */
export async function deleteDevice(db: Sql, subscriptionId: string): Promise<void> {
  await sql`delete from push_subscriptions where subscription_id = ${subscriptionId}`.execute(db)
}
