import type { Sql } from '../../kit/server/database.ts'
import * as store from './store.ts'

/** The account of the merchant. */
export async function ownerOfBusiness(
  db: Sql,
  businessId: string,
): Promise<Pick<store.AccountRow, 'account_id' | 'email' | 'display_name' | 'language' | 'deletion_at'> | undefined> {
  return store.accountRows(db).where('business_id', '=', businessId).executeTakeFirst()
}
