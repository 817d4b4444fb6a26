import { sql } from 'kysely'
import type { Sql } from '../../../kit/server/database.ts'
import type { BillingAddress } from '../../contract.ts'

export async function findBillingAddress(db: Sql, businessId: string): Promise<BillingAddress | undefined> {
  return db
    .selectFrom('billing_addresses')
    .select(['legal_name', 'address', 'uid'])
    .where('business_id', '=', businessId)
    .executeTakeFirst()
}

export async function putBillingAddress(
  db: Sql,
  businessId: string,
  { legal_name, address, uid }: BillingAddress,
): Promise<void> {
  await sql`
    insert into billing_addresses (business_id, legal_name, address, uid)
    values (${businessId}, ${legal_name}, ${address}, ${uid})
    on conflict (business_id) do update set legal_name = excluded.legal_name, address = excluded.address,
      uid = excluded.uid`.execute(db)
}
