import { businessToBill } from '../../businesses/server/businesses.ts'
import type { Sql } from '../../kit/server/database.ts'
import type { BillingAddress } from '../contract.ts'
import type { PaymentRoom } from './room.ts'
import * as store from './store.ts'

const none: BillingAddress = { legal_name: null, address: null, uid: null }

export async function findBillingAddress({ db }: PaymentRoom, businessId: string): Promise<BillingAddress> {
  return (await store.findBillingAddress(db, businessId)) ?? none
}

/** Changes the address of future invoices; issued ones keep theirs. Fields that are left out stay. */
export async function changeBillingAddress(
  room: PaymentRoom,
  businessId: string,
  given: { [Field in keyof BillingAddress]?: string | null | undefined },
): Promise<BillingAddress> {
  const before = await findBillingAddress(room, businessId)
  const changed = (field: keyof BillingAddress) =>
    given[field] === undefined ? before[field] : given[field]?.trim() || null
  const wanted = { legal_name: changed('legal_name'), address: changed('address'), uid: changed('uid') }
  await store.putBillingAddress(room.db, businessId, wanted)
  return findBillingAddress(room, businessId)
}

/** Addressee of an invoice, lines separated by `\n`; `–` if the account is deleted. */
export async function addresseeOfInvoice(trx: Sql, businessId: string): Promise<string> {
  const business = await businessToBill(trx, businessId)
  if (!business) return '–'
  const { legal_name, address, uid } = (await store.findBillingAddress(trx, businessId)) ?? none
  return [legal_name ?? business.business_name, address ?? business.address, uid].filter(Boolean).join('\n')
}
