import { sql } from 'kysely'
import type { Sql } from '../../../kit/server/database.ts'
import { deleteInSteps } from '../../../kit/server/delete-in-steps.ts'
import { accountRows, type AccountRow } from './accounts.ts'

/** Accounts that are due for deletion, the longest overdue first. */
export async function accountsToDelete(
  db: Sql,
  now: Date,
  after: { deletion_at: Date | null; account_id: string } | null,
  limit: number,
): Promise<AccountRow[]> {
  return accountRows(db)
    .where('deletion_at', '<=', now)
    .$if(after !== null, (query) =>
      query.where(sql<boolean>`(deletion_at, account_id) > (${after!.deletion_at}, ${after!.account_id}::uuid)`),
    )
    .orderBy('deletion_at')
    .orderBy('account_id')
    .limit(limit)
    .execute()
}

type AfterAccount = { account_id: string } | null

/** Accounts whose deadline to confirm has passed. Callers must skip accounts with content: these are not deleted. */
export async function unconfirmedAccounts(
  db: Sql,
  now: Date,
  after: AfterAccount,
  limit: number,
): Promise<AccountRow[]> {
  return unverified(db, after, limit).where('confirm_by', '<=', now).execute()
}

/**
 * Unconfirmed accounts to mail: those created before `madeBefore` that have no deadline yet, and those whose deadline is before
 * `overBefore` and that got no reminder.
 */
export async function accountsToAsk(
  db: Sql,
  at: { madeBefore: Date; overBefore: Date },
  after: AfterAccount,
  limit: number,
): Promise<AccountRow[]> {
  return (
    unverified(db, after, limit)
      .where(
        sql<boolean>`(confirm_by is null and created_at < ${at.madeBefore}
        or confirm_by < ${at.overBefore} and confirm_reminded_at is null)`,
      )
      // An account that will be deleted anyway need not be confirmed.
      .where('deletion_at', 'is', null)
      .execute()
  )
}

const unverified = (db: Sql, after: AfterAccount, limit: number) =>
  accountRows(db)
    .where('verified_at', 'is', null)
    .where('role', 'in', ['user', 'business'])
    .$if(after !== null, (query) => query.where('account_id', '>', after!.account_id))
    .orderBy('account_id')
    .limit(limit)

/** Sets the deadline to confirm (then the account is deleted). A deadline that is set already stays. */
export async function setConfirmBy(db: Sql, accountId: string, confirmBy: Date): Promise<void> {
  await sql`
    update accounts set confirm_by = ${confirmBy}
    where account_id = ${accountId} and confirm_by is null and verified_at is null`.execute(db)
}

export async function noteReminder(db: Sql, accountId: string, now: Date): Promise<void> {
  await db.updateTable('accounts').set({ confirm_reminded_at: now }).where('account_id', '=', accountId).execute()
}

/** For sites that require no confirmation: clears all deadlines. If the site requires it later, everybody gets a new mail first. */
export async function clearConfirmBy(db: Sql): Promise<void> {
  for (;;) {
    const { numAffectedRows } = await sql`
      update accounts set confirm_by = null, confirm_reminded_at = null
      where account_id in (
        select account_id from accounts where verified_at is null and confirm_by is not null limit 2000)`.execute(db)
    if (!numAffectedRows) return
  }
}

export async function deleteExpired(
  db: Sql,
  at: { now: Date; eventsBefore: Date; familiarBefore: Date },
): Promise<void> {
  const isOver = sql`r.expires_at <= ${at.now}`
  // Few per step: each session deletes its whole chain of refresh tokens.
  await deleteInSteps(db, 'sessions', isOver, 200)
  await deleteInSteps(db, 'google_flows', isOver)
  await deleteInSteps(db, 'google_arrivals', isOver)
  await deleteInSteps(db, 'used_challenges', isOver)
  await deleteInSteps(db, 'security_events', sql`r.at < ${at.eventsBefore}`)
  await deleteInSteps(db, 'familiar_addresses', sql`r.last_used_at < ${at.familiarBefore}`)
}
