import { pageByTime, type Page } from '../../kit/server/page.ts'
import type { CheckedInput } from '../../kit/shared/endpoint.ts'
import { isUuid } from '../../kit/shared/input.ts'
import { chfFromRappen } from '../../kit/shared/money.ts'
import { Refusal } from '../../kit/shared/refusal.ts'
import { pickedOf } from '../../kit/shared/thing.ts'
import { invoiceNotFound, type Invoice, type listInvoices as listInvoicesEndpoint } from '../contract.ts'
import type { PaymentRoom } from './room.ts'
import { priceRappen } from '../policy.ts'
import * as store from './store.ts'

/** RK-000042 */
export const invoiceNumber = ({ invoice_no }: { invoice_no: number }): string =>
  `RK-${String(invoice_no).padStart(6, '0')}`

/** Invoices of a business, newest first. */
export const listInvoices = (
  { db }: PaymentRoom,
  businessId: string,
  query: CheckedInput<typeof listInvoicesEndpoint>['query'],
): Promise<Page<Invoice>> =>
  pageByTime(
    query,
    {
      list: (stretch) => store.listInvoices(db, businessId, stretch),
      count: (cap) => store.countInvoices(db, businessId, cap),
      placeOf: ({ paid_at, invoice_id }) => [paid_at, invoice_id],
    },
    (rows) => rows.map(asInvoice),
  )

/** @throws `invoice_not_found`, also for an invoice of another business */
export async function findInvoice({ db }: PaymentRoom, businessId: string, invoiceId: string): Promise<Invoice> {
  const row = isUuid(invoiceId) ? await store.findInvoice(db, invoiceId) : undefined
  if (row?.business_id !== businessId) throw new Refusal(invoiceNotFound)
  return asInvoice(row)
}

/**
 * Whether the rest of an earlier plan was deducted. Only then is less paid than the price (`wrongPayment` refuses anything else). How
 * much was deducted is not known: with the same interval, the new plan also costs only its share of the remaining days.
 */
export const isDeducted = ({ tier, interval, amount_rappen, price_rappen }: store.InvoiceRow): boolean =>
  tier !== null && interval !== null && amount_rappen < (price_rappen ?? priceRappen({ tier, interval }))

function asInvoice(row: store.InvoiceRow): Invoice {
  return {
    ...pickedOf(row, store.sameInAnswer),
    number: invoiceNumber(row),
    amount_chf: chfFromRappen(row.amount_rappen),
    deducted: isDeducted(row),
    vat_chf: row.vat_rate === null ? null : chfFromRappen(row.vat_rappen),
    refunded_chf: chfFromRappen(row.refunded_rappen),
  }
}
