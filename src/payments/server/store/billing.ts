import type { Sql } from '../../../kit/server/database.ts'
import type { BillingAddress } from '../../contract.ts'

export async function findBillingAddress(db: Sql, businessId: string): Promise<BillingAddress | undefined> {
  return db
    .selectFrom('billing_addresses')
    .select(['legal_name', 'address', 'uid'])
    .where('business_id', '=', businessId)
    .executeTakeFirst()
}

export async function putBillingAddress(db: Sql, businessId: string, address: BillingAddress): Promise<void> {
  await db
    .insertInto('billing_addresses')
    .values({ business_id: businessId, ...address })
    .onConflict((known) => known.column('business_id').doUpdateSet(address))
    .execute()
}
