import { sql } from 'kysely'
import type { Sql } from '../../../kit/server/database.ts'

export type LedgerAccount = 'provider' | 'revenue_subscription' | 'revenue_promotion' | 'vat'

/** Posts a transaction once, without entries of 0. @returns false: it was posted before */
export async function postTransaction(
  trx: Sql,
  transaction: { transaction_id: string; source: string; business_id: string; posted_at: Date },
  entries: [LedgerAccount, amountRappen: number][],
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into ledger_transactions (transaction_id, source, business_id, posted_at)
    values (${transaction.transaction_id}, ${transaction.source}, ${transaction.business_id}, ${transaction.posted_at})
    on conflict (source) do nothing`.execute(trx)
  if (!numAffectedRows) return false
  for (const [account, amount] of entries)
    if (amount !== 0)
      await sql`
        insert into ledger_entries (transaction_id, account, amount_rappen)
        values (${transaction.transaction_id}, ${account}, ${amount})`.execute(trx)
  return true
}
