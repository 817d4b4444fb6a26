import { sql, type Insertable, type Selectable } from 'kysely'
import type { DB } from '../../../database-types.ts'
import type { Sql } from '../../../kit/server/database.ts'
import { foldEmail } from '../../../kit/shared/email-address.ts'
import type { AccountKind, AccountLanguage, Role } from '../../contract.ts'

const columns = [
  'account_id',
  'kind',
  'role',
  'email',
  'email_folded',
  'display_name',
  'language',
  'password_hash',
  'verified_at',
  'business_id',
  'blocked_at',
  'location_consent',
  'default_reminder_min',
  'totp_secret',
  'totp_pending',
  'totp_last_step',
  'deletion_at',
  // Deleted after this unless confirmed; null: no mail has asked for it yet.
  'confirm_by',
  'created_at',
] as const

export interface AccountRow extends Pick<Selectable<DB['accounts']>, (typeof columns)[number]> {
  kind: AccountKind
  role: Role
  language: AccountLanguage
}

/** Start of a query that selects `AccountRow`s. */
export const accountRows = (db: Sql) => db.selectFrom('accounts').select(columns).$castTo<AccountRow>()

type NewAccount = Omit<Insertable<DB['accounts']>, 'email_folded'> & Pick<AccountRow, 'kind' | 'role' | 'language'>

/** @returns false: the address has an account of this kind already */
export async function insertAccount(db: Sql, account: NewAccount): Promise<boolean> {
  const inserted = await db
    .insertInto('accounts')
    .values({ ...account, email_folded: foldEmail(account.email) })
    .onConflict((conflict) => conflict.columns(['kind', 'email_folded']).doNothing())
    .returning('account_id')
    .executeTakeFirst()
  return inserted !== undefined
}

export async function findAccount(db: Sql, accountId: string): Promise<AccountRow | undefined> {
  return accountRows(db).where('account_id', '=', accountId).executeTakeFirst()
}

/** Locks the row until the transaction ends. Rows that refer to it, such as security events, can still be inserted. */
export async function lockAccount(db: Sql, accountId: string): Promise<AccountRow | undefined> {
  return accountRows(db).where('account_id', '=', accountId).forNoKeyUpdate().executeTakeFirst()
}

export async function findAccountByEmail(
  db: Sql,
  kind: AccountKind,
  emailFolded: string,
): Promise<AccountRow | undefined> {
  return accountRows(db).where('kind', '=', kind).where('email_folded', '=', emailFolded).executeTakeFirst()
}

/** At most two: one of each kind. */
export async function accountsOfEmail(db: Sql, emailFolded: string): Promise<AccountRow[]> {
  return accountRows(db).where('email_folded', '=', emailFolded).limit(2).execute()
}

export type AccountChange = Partial<Omit<AccountRow, 'account_id' | 'kind'>>

export async function changeAccount(db: Sql, accountId: string, change: AccountChange): Promise<void> {
  await db.updateTable('accounts').set(change).where('account_id', '=', accountId).execute()
}

/** Rows that refer to the account are deleted with it. */
export async function deleteAccount(db: Sql, accountId: string): Promise<void> {
  await db.deleteFrom('accounts').where('account_id', '=', accountId).execute()
}

export async function accountExtras(db: Sql, accountId: string, now: Date) {
  const { rows } = await sql<{
    recovery_codes_left: number
    google_linked: boolean
    pending_email: string | null
  }>`
    select
      (select count(*) from recovery_codes where account_id = ${accountId}) as recovery_codes_left,
      exists (select 1 from identities where account_id = ${accountId}) as google_linked,
      (select new_email from mailed_links
        where account_id = ${accountId} and purpose = 'change_email' and expires_at > ${now}
        order by created_at desc limit 1) as pending_email`.execute(db)
  return rows[0]!
}

export interface StaffRow {
  email: string
  role: Role
  second_factor: boolean
}

export async function listStaff({ db }: { db: Sql }): Promise<StaffRow[]> {
  const { rows } = await sql<StaffRow>`
    select email, role, totp_secret is not null as second_factor from accounts
    where role in ('moderator', 'admin') order by email limit 1000`.execute(db)
  return rows
}

/** Whom notifications for staff go to; at most 1000. */
export async function staffAccountIds(db: Sql): Promise<string[]> {
  const rows = await db
    .selectFrom('accounts')
    .select('account_id')
    .where('role', 'in', ['moderator', 'admin'])
    .where('blocked_at', 'is', null)
    .limit(1000)
    .execute()
  return rows.map(({ account_id }) => account_id)
}

/** At most 1000. */
export async function staffNames(db: Sql): Promise<string[]> {
  const rows = await db
    .selectFrom('accounts')
    .select('display_name')
    .where('role', 'in', ['moderator', 'admin'])
    .limit(1000)
    .execute()
  return rows.map(({ display_name }) => display_name)
}

export async function insertSecurityEvent(
  db: Sql,
  event: { event_id: string; account_id: string; event: string; request_id: string; at: Date },
): Promise<void> {
  await db.insertInto('security_events').values(event).execute()
}

export async function accountsMadeAt(db: Sql, accountIds: string[]): Promise<Map<string, Date>> {
  const rows = await db
    .selectFrom('accounts')
    .select(['account_id', 'created_at'])
    .where('account_id', 'in', accountIds)
    .limit(accountIds.length)
    .execute()
  return new Map(rows.map(({ account_id, created_at }) => [account_id, created_at]))
}
