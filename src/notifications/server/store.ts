import { sql } from 'kysely'
import type { Sql } from '../../kit/server/database.ts'
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
 * A notification for each of the accounts that has not been told this yet and wants to be; an unread one of the same group
 * grows instead. @returns whose list has changed
 */
export async function insertNotifications(
  trx: Sql,
  told: {
    accounts: { account_id: string; notification_id: string; own: Record<string, string | number> }[]
    type: string
    once: string
    group: string
    values: Record<string, string | number>
    path: string
    defaults: readonly Channel[]
    goodUntil: Date | null
    now: Date
    mailDueAt: Date
  },
): Promise<string[]> {
  const { rows } = await sql<{ account_id: string; in_app: boolean }>`
    with wanted as (
      select * from jsonb_to_recordset(${JSON.stringify(told.accounts)}::jsonb)
        as w (account_id uuid, notification_id uuid, own jsonb)),
    fresh as (
      insert into notifications_told (account_id, once_key, told_at)
      select account_id, ${told.once}, ${told.now} from wanted order by account_id
      on conflict do nothing returning account_id),
    chosen as (
      select w.account_id, w.notification_id, w.own, coalesce(c.channels, ${[...told.defaults]}::text[]) as channels
      from fresh join wanted w using (account_id)
      left join notification_choices c on c.account_id = w.account_id and c.type = ${told.type})
    insert into notifications as n
      (notification_id, account_id, type, group_key, values, path, good_until, in_app, created_at, mail_due_at)
    select notification_id, account_id, ${told.type}, ${told.group}, ${JSON.stringify(told.values)}::jsonb || own, ${told.path},
      ${told.goodUntil}::timestamptz,
      'in_app' = any(channels), ${told.now},
      case when 'email' = any(channels) then ${told.mailDueAt}::timestamptz end
    from chosen where channels <> '{}' order by account_id
    on conflict (account_id, type, group_key) where read_at is null and mail_batch is null do update set
      count = n.count + 1, values = excluded.values, path = excluded.path, created_at = excluded.created_at,
      good_until = excluded.good_until,
      in_app = excluded.in_app, mail_due_at = coalesce(n.mail_due_at, excluded.mail_due_at)
    returning account_id, in_app`.execute(trx)
  return rows.filter(({ in_app }) => in_app).map(({ account_id }) => account_id)
}

const columns = ['notification_id', 'type', 'values', 'path', 'count', 'created_at', 'read_at'] as const

export async function listNotifications(
  db: Sql,
  accountId: string,
  page: { after: { created: string; id: string } | null; offset: number; limit: number },
): Promise<NotificationRow[]> {
  const { rows } = await sql<NotificationRow>`
    select ${sql.join(columns.map((column) => sql.ref(column)))} from notifications
    where account_id = ${accountId} and in_app
      ${
        page.after
          ? sql`and (created_at, notification_id) < (${page.after.created}::timestamptz, ${page.after.id}::uuid)`
          : sql``
      }
    order by created_at desc, notification_id desc
    offset ${page.offset} limit ${page.limit}`.execute(db)
  return rows
}

/** No further than `cap`. */
export async function countNotifications(db: Sql, accountId: string, cap: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from (
      select from notifications where account_id = ${accountId} and in_app limit ${cap}) as n`.execute(db)
  return rows[0]!.count
}

/** No further than `cap`. */
export async function countUnread(db: Sql, accountId: string, cap: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from (
      select from notifications
      where account_id = ${accountId} and in_app and read_at is null limit ${cap}) as n`.execute(db)
  return rows[0]!.count
}

/** Null: all of them. @returns how many were unread */
export async function setRead(trx: Sql, accountId: string, ids: string[] | null, now: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    update notifications set read_at = ${now}
    where account_id = ${accountId} and in_app and read_at is null
      ${ids ? sql`and notification_id = any(${ids}::uuid[])` : sql``}`.execute(trx)
  return Number(numAffectedRows ?? 0)
}

/** Accounts for which a mail is due, and for whom it is not quiet now. */
export async function accountsToMail(db: Sql, at: { now: Date; zone: string }, limit: number): Promise<string[]> {
  const { rows } = await sql<{ account_id: string }>`
    with clock as (select (${at.now}::timestamptz at time zone ${at.zone})::time as local)
    select distinct n.account_id
    from clock, notifications n left join notification_quiet_hours q using (account_id)
    where n.mail_due_at <= ${at.now} and not coalesce(
      case when q.quiet_from < q.quiet_to then local >= q.quiet_from and local < q.quiet_to
        else local >= q.quiet_from or local < q.quiet_to end, false)
    limit ${limit}`.execute(db)
  return rows.map(({ account_id }) => account_id)
}

/**
 * What is due of an account becomes one mail; 0 where another instance was faster. Read ones, and those that are of no use
 * any more, are not mailed.
 */
export async function takeForMail(trx: Sql, accountId: string, batch: string, now: Date): Promise<number> {
  const { rows } = await sql<{ unread: boolean }>`
    update notifications set mail_batch = ${batch}, mail_due_at = null
    where account_id = ${accountId} and mail_due_at <= ${now}
    returning read_at is null and (good_until is null or good_until > ${now}) as unread`.execute(trx)
  return rows.filter(({ unread }) => unread).length
}

export async function unreadOfMail(db: Sql, batch: string, now: Date, limit: number): Promise<NotificationRow[]> {
  const { rows } = await sql<NotificationRow>`
    select ${sql.join(columns.map((column) => sql.ref(column)))} from notifications
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

/** Local times such as `23:00`; null: never quiet. */
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

const ofAccount = ['notifications', 'notifications_told', 'notification_choices', 'notification_quiet_hours'] as const

export async function everythingOf(db: Sql, accountId: string): Promise<Record<string, Record<string, unknown>[]>> {
  const tables = await Promise.all(
    ofAccount.map((table) =>
      sql<Record<string, unknown>>`select * from ${sql.table(table)} where account_id = ${accountId}`.execute(db),
    ),
  )
  return Object.fromEntries(ofAccount.map((table, n) => [table, tables[n]!.rows]))
}

export async function forgetAccount(trx: Sql, accountId: string): Promise<void> {
  for (const table of ofAccount) await sql`delete from ${sql.table(table)} where account_id = ${accountId}`.execute(trx)
}

export async function deleteOlder(db: Sql, before: Date): Promise<void> {
  await deleteInSteps(db, 'notifications', sql`r.created_at < ${before}`)
  await deleteInSteps(db, 'notifications_told', sql`r.told_at < ${before}`)
}
