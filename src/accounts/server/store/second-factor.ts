import { sql } from 'kysely'
import type { Sql } from '../../../kit/server/database.ts'

/** Marks a code's 30-second step as used, so that the code works once. @returns false: this step or a later one was used before */
export async function consumeTotpStep(db: Sql, accountId: string, step: number): Promise<boolean> {
  const { rows } = await sql`
    update accounts set totp_last_step = ${step}
    where account_id = ${accountId} and (totp_last_step is null or totp_last_step < ${step})
    returning 1`.execute(db)
  return rows.length > 0
}

export async function replaceRecoveryCodes(db: Sql, accountId: string, hashes: Buffer[]): Promise<void> {
  await db.deleteFrom('recovery_codes').where('account_id', '=', accountId).execute()
  if (hashes.length > 0)
    await db
      .insertInto('recovery_codes')
      .values(hashes.map((code_hash) => ({ account_id: accountId, code_hash })))
      .execute()
}

/** Deletes a recovery code, so that it works once. @returns false: there is no such code */
export async function consumeRecoveryCode(db: Sql, accountId: string, hash: Buffer): Promise<boolean> {
  const { rows } = await sql`
    delete from recovery_codes where account_id = ${accountId} and code_hash = ${hash} returning 1`.execute(db)
  return rows.length > 0
}

/** Accounts with an encrypted secret, ascending by id. */
export async function listSealedSecrets(db: Sql, after: string | null, limit: number) {
  return db
    .selectFrom('accounts')
    .select(['account_id', 'totp_secret', 'totp_pending'])
    .where((eb) => eb.or([eb('totp_secret', 'is not', null), eb('totp_pending', 'is not', null)]))
    .$if(after !== null, (query) => query.where('account_id', '>', after))
    .orderBy('account_id')
    .limit(limit)
    .execute()
}

/** Replaces an encrypted secret by the same secret encrypted with the current key, unless it was changed meanwhile. */
export async function replaceSealedSecret(
  db: Sql,
  accountId: string,
  column: 'totp_secret' | 'totp_pending',
  sealed: { before: Buffer; now: Buffer },
): Promise<void> {
  await db
    .updateTable('accounts')
    .set({ [column]: sealed.now })
    .where('account_id', '=', accountId)
    .where(column, '=', sealed.before)
    .execute()
}
