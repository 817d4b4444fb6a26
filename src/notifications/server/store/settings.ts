import { sql } from 'kysely'
import type { Sql } from '../../../kit/server/database.ts'
import type { Channel, NotificationSettings } from '../../contract.ts'

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
export async function quietHoursOf(db: Sql, accountId: string): Promise<NotificationSettings['quiet']> {
  const { rows } = await sql<NonNullable<NotificationSettings['quiet']>>`
    select to_char(quiet_from, 'HH24:MI') as "from", to_char(quiet_to, 'HH24:MI') as "to"
    from notification_quiet_hours where account_id = ${accountId}`.execute(db)
  return rows[0] ?? null
}

export async function setQuietHours(trx: Sql, accountId: string, quiet: NotificationSettings['quiet']) {
  if (!quiet) await sql`delete from notification_quiet_hours where account_id = ${accountId}`.execute(trx)
  else
    await sql`
      insert into notification_quiet_hours (account_id, quiet_from, quiet_to)
      values (${accountId}, ${quiet.from}::time, ${quiet.to}::time)
      on conflict (account_id) do update set quiet_from = excluded.quiet_from, quiet_to = excluded.quiet_to`.execute(
      trx,
    )
}

/** SQL: whether `local` (a time of day) is in the quiet hours of row `q`. */
export const isQuiet = sql`coalesce(
  case when q.quiet_from < q.quiet_to then local >= q.quiet_from and local < q.quiet_to
    else local >= q.quiet_from or local < q.quiet_to end, false)`
