import { sql } from 'kysely'
import type { Sql } from '../../../kit/server/database.ts'

/** Sets a savepoint: `endAccount` can undo what is created from here on. */
export async function beginAccount(trx: Sql): Promise<void> {
  await sql`savepoint before_account`.execute(trx)
}

/** Keeps or undoes everything since `beginAccount`; one short statement either way, so that timing reveals nothing. */
export async function endAccount(trx: Sql, isNew: boolean): Promise<void> {
  await (isNew ? sql`release savepoint before_account` : sql`rollback to savepoint before_account`).execute(trx)
}
