import { sql } from 'kysely'
import type { Sql } from '../../../kit/server/database.ts'

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
