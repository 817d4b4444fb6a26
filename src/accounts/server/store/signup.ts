import { sql } from 'kysely'
import type { Sql } from '../../../kit/server/database.ts'

/** From here on what is made beside a new account can be unmade by `endAccount`. */
export async function beginAccount(trx: Sql): Promise<void> {
  await sql`savepoint before_account`.execute(trx)
}

/** Keeps what was made since `beginAccount`, or unmakes it: one short statement either way. */
export async function endAccount(trx: Sql, isKept: boolean): Promise<void> {
  await (isKept ? sql`release savepoint before_account` : sql`rollback to savepoint before_account`).execute(trx)
}
