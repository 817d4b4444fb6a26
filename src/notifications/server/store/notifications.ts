import { sql } from 'kysely'
import type { Sql } from '../../../kit/server/database.ts'
import type { Stretch } from '../../../kit/server/page.ts'
import { deleteInSteps } from '../../../kit/server/delete-in-steps.ts'
import { query } from '../../../kit/server/statement.ts'
import type { Channel, Notification } from '../../contract.ts'
import { isQuiet } from './settings.ts'

/** From which the text of a notification is made. */
export interface NotificationContent {
  type: string
  values: Record<string, string | number>
  count: number
}

/** Instants as ISO texts. */
export type NotificationRow = Omit<Notification, 'text'> & NotificationContent

/**
 * A grouped notification stores the content of this many earlier ones. If an older one is withdrawn, the group cannot know, and
 * still counts it.
 */
const earlierAtMost = 50

/**
 * Adds a notification for each account that did not get this one before (`once`) and has a channel for its type. An unread one
 * of the same group counts one more instead. @returns `reached`: accounts whose list has changed; `pushes`: browsers to push to
 */
export async function insertNotifications(
  trx: Sql,
  notice: {
    accounts: { account_id: string; notification_id: string; own: Record<string, string | number> }[]
    type: string
    once: string
    group: string
    values: Record<string, string | number>
    path: string
    about: string | null
    defaults: readonly Channel[]
    goodUntil: Date | null
    urgent: boolean
    now: Date
    mailDueAt: Date | null
  },
): Promise<{ reached: string[]; pushes: number }> {
  const { rows } = await sql<{ account_id: string; in_app: boolean; pushes: number }>`
    with wanted as (
      select * from jsonb_to_recordset(${JSON.stringify(notice.accounts)}::jsonb)
        as w (account_id uuid, notification_id uuid, own jsonb)),
    chosen as (
      select w.account_id, w.notification_id, w.own, coalesce(c.channels, ${[...notice.defaults]}::text[]) as channels
      from wanted w left join notification_choices c on c.account_id = w.account_id and c.type = ${notice.type}),
    -- no row for an account that turned this type off: another type with the same key may still reach it
    fresh as (
      insert into notifications_told (account_id, once_key, told_at)
      select account_id, ${notice.once}, ${notice.now} from chosen where channels <> '{}' order by account_id
      on conflict do nothing returning account_id),
    written as (
    insert into notifications as n
      (notification_id, account_id, type, group_key, values, path, about_account, good_until, in_app, created_at, mail_due_at)
    select notification_id, account_id, ${notice.type}, ${notice.group}, ${JSON.stringify(notice.values)}::jsonb || own, ${notice.path},
      ${notice.about}::uuid, ${notice.goodUntil}::timestamptz,
      'in_app' = any(channels), ${notice.now},
      case when 'email' = any(channels) then ${notice.mailDueAt}::timestamptz end
    from chosen join fresh using (account_id) order by account_id
    on conflict (account_id, type, group_key) where read_at is null and mail_batch is null do update set
      count = n.count + 1,
      earlier = (case when jsonb_array_length(n.earlier) < ${earlierAtMost} then n.earlier else n.earlier - 0 end)
        || jsonb_build_object('path', n.path, 'values', n.values, 'about', n.about_account),
      values = excluded.values, path = excluded.path, created_at = excluded.created_at,
      about_account = excluded.about_account, good_until = excluded.good_until,
      in_app = excluded.in_app, mail_due_at = coalesce(n.mail_due_at, excluded.mail_due_at)
    returning notification_id, account_id, in_app),
    pushed as (
      insert into push_messages as p (push_id, notification_id, subscription_id, due_at, urgent)
      select gen_random_uuid(), w.notification_id, s.subscription_id, ${notice.now}, ${notice.urgent}
      from written w join chosen using (account_id) join push_subscriptions s using (account_id)
      where 'push' = any(channels)
      on conflict (notification_id, subscription_id) do update set due_at = excluded.due_at, tries = 0
      returning 1)
    select account_id, in_app, (select count(*) from pushed) as pushes from written`.execute(trx)
  return {
    reached: rows.filter(({ in_app }) => in_app).map(({ account_id }) => account_id),
    pushes: rows[0]?.pushes ?? 0,
  }
}

/**
 * Deletes notifications of a group, with their pushes. With `path` only those about this page; one that also counts other pages
 * stays and counts one less. With `before` only older ones.
 * @returns `gone`: how many rows were deleted or changed; `reached`: accounts whose list has changed
 */
export async function deleteOfGroup(
  trx: Sql,
  { group, path, before, most }: { group: string; path: string | null; before: Date | null; most: number | null },
): Promise<{ gone: number; reached: string[] }> {
  const named = path === null ? null : JSON.stringify([{ path }])
  const { rows } = await sql<{ account_id: string; in_app: boolean }>`
    with held as (
      select notification_id, count, path, earlier from notifications
      where group_key = ${group} and (${path}::text is null or path = ${path}::text or earlier @> ${named}::jsonb)
        and (${before}::timestamptz is null or created_at < ${before}::timestamptz)
      -- same order as in insertNotifications, or the two could deadlock
      order by account_id limit ${most}::int for update),
    counted as (
      select notification_id, path = ${path}::text as is_last, others,
        case when ${path}::text is null then 0
          else count - (path = ${path}::text)::int - jsonb_array_length(earlier) + jsonb_array_length(others) end as left
      from held, lateral (
        select coalesce(jsonb_agg(each order by place), '[]') as others
        from jsonb_array_elements(earlier) with ordinality as e (each, place) where each ->> 'path' <> ${path}::text) o),
    gone as (
      delete from notifications n using counted c where n.notification_id = c.notification_id and c.left < 1
      returning n.account_id, n.in_app),
    -- where the newest of a group goes, the notification shows the one before it
    fewer as (
      update notifications n set count = c.left,
        earlier = case when c.is_last then c.others - -1 else c.others end,
        path = case when c.is_last then coalesce(c.others -> -1 ->> 'path', n.path) else n.path end,
        values = case when c.is_last then coalesce(c.others -> -1 -> 'values', n.values) else n.values end,
        about_account = case when c.is_last and c.others <> '[]' then (c.others -> -1 ->> 'about')::uuid else n.about_account end
      from counted c where n.notification_id = c.notification_id and c.left > 0
      returning n.account_id, n.in_app)
    select account_id, in_app from gone union all select account_id, in_app from fewer`.execute(trx)
  const reached = [...new Set(rows.filter(({ in_app }) => in_app).map(({ account_id }) => account_id))]
  return { gone: rows.length, reached }
}

export async function listNotifications(db: Sql, accountId: string, page: Stretch): Promise<NotificationRow[]> {
  const beyond = page.after ? 'and (created_at, notification_id) < ($at::timestamptz, $id::uuid)' : ''
  return query<NotificationRow>(
    db,
    `select notification_id, type, values, path, count, created_at, read_at from notifications
    where account_id = $accountId and in_app ${beyond}
    order by created_at desc, notification_id desc offset $offset limit $limit`,
    { accountId, ...page.after, offset: page.offset, limit: page.limit },
  )
}

/** Counts up to `cap`. */
export async function countNotifications(
  db: Sql,
  accountId: string,
  which: 'all' | 'unread',
  cap: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from (
      select from notifications
      where account_id = ${accountId} and in_app ${which === 'unread' ? sql`and read_at is null` : sql``}
      limit ${cap}) as n`.execute(db)
  return rows[0]!.count
}

/** @param ids null: all. @returns how many were unread */
export async function setRead(trx: Sql, accountId: string, ids: string[] | null, now: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    update notifications set read_at = ${now}
    where account_id = ${accountId} and in_app and read_at is null
      ${ids ? sql`and notification_id = any(${ids}::uuid[])` : sql``}`.execute(trx)
  return Number(numAffectedRows ?? 0)
}

/** Accounts with a due mail that are not in their quiet hours. */
export async function accountsToMail(db: Sql, at: { now: Date; zone: string }, limit: number): Promise<string[]> {
  const { rows } = await sql<{ account_id: string }>`
    with clock as (select (${at.now}::timestamptz at time zone ${at.zone})::time as local)
    select distinct n.account_id
    from clock, notifications n left join notification_quiet_hours q using (account_id)
    where n.mail_due_at <= ${at.now} and not ${isQuiet}
    limit ${limit}`.execute(db)
  return rows.map(({ account_id }) => account_id)
}

/**
 * Puts all due notifications of an account into one mail, `batch`. @returns how many of them are unread and not expired, thus
 * worth a mail; 0 also when another instance took them first
 */
export async function takeForMail(trx: Sql, accountId: string, batch: string, now: Date): Promise<number> {
  const { rows } = await sql<{ unread: boolean }>`
    update notifications set mail_batch = ${batch}, mail_due_at = null
    where account_id = ${accountId} and mail_due_at <= ${now}
    returning read_at is null and (good_until is null or good_until > ${now}) as unread`.execute(trx)
  return rows.filter(({ unread }) => unread).length
}

/** The oldest unread notifications of a mail; `total`: how many there are without the limit. */
export async function unreadOfMail(
  db: Sql,
  batch: string,
  now: Date,
  limit: number,
): Promise<(NotificationContent & { path: string; total: number })[]> {
  const { rows } = await sql<NotificationContent & { path: string; total: number }>`
    select type, values, count, path, count(*) over () as total from notifications
    where mail_batch = ${batch}::uuid and read_at is null and (good_until is null or good_until > ${now})
    order by created_at, notification_id limit ${limit}`.execute(db)
  return rows
}

export async function deleteOlder(db: Sql, before: Date): Promise<void> {
  await deleteInSteps(db, 'notifications', sql`r.created_at < ${before}`)
  await deleteInSteps(db, 'notifications_told', sql`r.told_at < ${before}`)
}
