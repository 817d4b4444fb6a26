import { sql } from 'kysely'
import type { Sql } from '../../kit/server/database.ts'
import type { Stretch } from '../../kit/server/page.ts'
import { deleteInSteps } from '../../kit/server/delete-in-steps.ts'
import type { Channel } from '../contract.ts'

export interface NotificationRow {
  notification_id: string
  type: string
  values: Record<string, string | number>
  path: string
  count: number
  created_at: Date
  read_at: Date | null
}

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

const columns = ['notification_id', 'type', 'values', 'path', 'count', 'created_at', 'read_at'] as const

export async function listNotifications(db: Sql, accountId: string, page: Stretch): Promise<NotificationRow[]> {
  const { rows } = await sql<NotificationRow>`
    select ${sql.join(columns.map((column) => sql.ref(column)))} from notifications
    where account_id = ${accountId} and in_app
      ${
        page.after
          ? sql`and (created_at, notification_id) < (${page.after.at}::timestamptz, ${page.after.id}::uuid)`
          : sql``
      }
    order by created_at desc, notification_id desc
    offset ${page.offset} limit ${page.limit}`.execute(db)
  return rows
}

/** Counts up to `cap`. */
export async function countNotifications(db: Sql, accountId: string, cap: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from (
      select from notifications where account_id = ${accountId} and in_app limit ${cap}) as n`.execute(db)
  return rows[0]!.count
}

/** Counts up to `cap`. */
export async function countUnread(db: Sql, accountId: string, cap: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from (
      select from notifications
      where account_id = ${accountId} and in_app and read_at is null limit ${cap}) as n`.execute(db)
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

/** SQL: whether `local` (a time of day) is in the quiet hours of row `q`. */
const isQuiet = sql`coalesce(
  case when q.quiet_from < q.quiet_to then local >= q.quiet_from and local < q.quiet_to
    else local >= q.quiet_from or local < q.quiet_to end, false)`

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
): Promise<(NotificationRow & { total: number })[]> {
  const { rows } = await sql<NotificationRow & { total: number }>`
    select ${sql.join(columns.map((column) => sql.ref(column)))}, count(*) over () as total from notifications
    where mail_batch = ${batch}::uuid and read_at is null and (good_until is null or good_until > ${now})
    order by created_at, notification_id limit ${limit}`.execute(db)
  return rows
}

export async function choicesOf(db: Sql, accountId: string): Promise<Map<string, Channel[]>> {
  const rows = await db
    .selectFrom('notification_choices')
    .select(['type', 'channels'])
    .where('account_id', '=', accountId)
    .limit(100)
    .execute()
  return new Map(rows.map(({ type, channels }) => [type, channels as Channel[]]))
}

export async function setChoice(trx: Sql, accountId: string, type: string, channels: Channel[]): Promise<void> {
  await sql`
    insert into notification_choices (account_id, type, channels) values (${accountId}, ${type}, ${channels}::text[])
    on conflict (account_id, type) do update set channels = excluded.channels`.execute(trx)
}

/** Festival times such as `23:00`; null: no quiet hours. */
export async function quietHoursOf(db: Sql, accountId: string): Promise<{ from: string; to: string } | null> {
  const { rows } = await sql<{ from: string; to: string }>`
    select to_char(quiet_from, 'HH24:MI') as "from", to_char(quiet_to, 'HH24:MI') as "to"
    from notification_quiet_hours where account_id = ${accountId}`.execute(db)
  return rows[0] ?? null
}

export async function setQuietHours(trx: Sql, accountId: string, quiet: { from: string; to: string } | null) {
  if (!quiet) await sql`delete from notification_quiet_hours where account_id = ${accountId}`.execute(trx)
  else
    await sql`
      insert into notification_quiet_hours (account_id, quiet_from, quiet_to)
      values (${accountId}, ${quiet.from}::time, ${quiet.to}::time)
      on conflict (account_id) do update set quiet_from = excluded.quiet_from, quiet_to = excluded.quiet_to`.execute(
      trx,
    )
}

const tablesOfAccount = [
  'notifications',
  'notifications_told',
  'notification_choices',
  'notification_quiet_hours',
  'push_subscriptions',
] as const

export async function exportOf(db: Sql, accountId: string): Promise<Record<string, Record<string, unknown>[]>> {
  const tables = await Promise.all(
    tablesOfAccount.map((table) =>
      sql<Record<string, unknown>>`select * from ${sql.table(table)} where account_id = ${accountId}`.execute(db),
    ),
  )
  // Left out: data of the people whom a notification names.
  const own = ({ about_account: _, earlier: __, ...row }: Record<string, unknown>) => row
  return Object.fromEntries(tablesOfAccount.map((table, n) => [table, tables[n]!.rows.map(own)]))
}

export async function forgetAccount(trx: Sql, accountId: string): Promise<void> {
  for (const table of tablesOfAccount)
    await sql`delete from ${sql.table(table)} where account_id = ${accountId}`.execute(trx)
  // Notifications of others that name this person stay, with "–" as the name.
  await sql`
    update notifications set values = values || '{"name": "–"}', about_account = null
    where about_account = ${accountId}`.execute(trx)
  await sql`
    update notifications set earlier = (
      select jsonb_agg(case when each ->> 'about' = ${accountId}
        then each || jsonb_build_object('about', null, 'values', each -> 'values' || '{"name": "–"}') else each end order by place)
      from jsonb_array_elements(earlier) with ordinality as e (each, place))
    where earlier <> '[]' and earlier @> ${JSON.stringify([{ about: accountId }])}::jsonb`.execute(trx)
}

/** Stores the key pair of this installation, unless another instance was faster. @returns the stored pair */
export async function insertPushKeys(
  db: Sql,
  fresh: { publicKey: string; privateKey: Buffer },
): Promise<{ publicKey: string; privateKey: Buffer }> {
  const { rows } = await sql<{ publicKey: string; privateKey: Buffer }>`
    insert into push_keys (public_key, private_key) values (${fresh.publicKey}, ${fresh.privateKey})
    on conflict (only_row) do update set only_row = true
    returning public_key as "publicKey", private_key as "privateKey"`.execute(db)
  return rows[0]!
}

export async function findPushKeys(db: Sql): Promise<{ publicKey: string; privateKey: Buffer } | undefined> {
  const { rows } = await sql<{ publicKey: string; privateKey: Buffer }>`
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
  given: {
    id: string
    accountId: string
    sessionId: string
    endpoint: string
    p256dh: string
    auth: string
    now: Date
  },
  most: number,
): Promise<boolean> {
  // Queued pushes for the account before must not reach the next one.
  await sql`
    delete from push_messages where subscription_id in (
      select subscription_id from push_subscriptions
      where endpoint = ${given.endpoint} and account_id <> ${given.accountId}
        and p256dh = ${given.p256dh} and auth = ${given.auth})`.execute(trx)
  const { rows } = await sql`
    insert into push_subscriptions as s
      (subscription_id, account_id, session_id, endpoint, p256dh, auth, created_at)
    values (${given.id}, ${given.accountId}, ${given.sessionId}, ${given.endpoint}, ${given.p256dh}, ${given.auth},
      ${given.now})
    on conflict (endpoint) do update set
      account_id = excluded.account_id, session_id = excluded.session_id, p256dh = excluded.p256dh,
      auth = excluded.auth, created_at = excluded.created_at
    where s.account_id = excluded.account_id or (s.p256dh = excluded.p256dh and s.auth = excluded.auth)
    returning 1`.execute(trx)
  await sql`
    delete from push_subscriptions where subscription_id in (
      select subscription_id from push_subscriptions where account_id = ${given.accountId}
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

export interface PushRow extends NotificationRow {
  push_id: string
  subscription_id: string
  account_id: string
  endpoint: string
  p256dh: string
  auth: string
  /** Attempts, including the current one. */
  tries: number
  urgent: boolean
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
      n.notification_id, n.type, n.values, n.path, n.count, n.created_at, n.read_at, n.good_until
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

export async function deleteOlder(db: Sql, before: Date): Promise<void> {
  await deleteInSteps(db, 'notifications', sql`r.created_at < ${before}`)
  await deleteInSteps(db, 'notifications_told', sql`r.told_at < ${before}`)
}
