import { sql } from 'kysely'
import type { Sql } from '../../../kit/server/database.ts'
import type { Stretch } from '../../../kit/server/page.ts'
import { query } from '../../../kit/server/statement.ts'
import type { Invoice } from '../../contract.ts'

/** Fields of the answer that the row has in the same form. */
export const sameInAnswer = [
  'invoice_id',
  'what',
  'tier',
  'interval',
  'period_start',
  'period_end',
  'paid_at',
  'vat_rate',
  'vat_id',
  'issuer',
  'billed_to',
  'disputed',
] as const

export interface InvoiceRow extends Pick<Invoice, (typeof sameInAnswer)[number]> {
  invoice_no: number
  business_id: string
  amount_rappen: number
  /** Price of the plan per interval when it was bought; null: not known. */
  price_rappen: number | null
  vat_rappen: number
  refunded_rappen: number
}

const columns = `p.invoice_id, p.invoice_no, p.business_id, p.what, p.tier, p.pay_interval as interval, p.period_start,
  p.period_end, p.paid_at, p.amount_rappen, p.price_rappen, p.vat_rate, p.vat_rappen, p.vat_id, p.issuer, p.billed_to,
  (select coalesce(sum(r.amount_rappen), 0)::int from payment_reversals r
    where r.payment_id = p.payment_id and r.kind = 'refund' and r.status = 'done' and r.amount_rappen <= p.amount_rappen)
    as refunded_rappen,
  exists (select from payment_reversals r
    where r.payment_id = p.payment_id and r.kind = 'dispute' and r.status in ('open', 'lost')) as disputed`

export async function listInvoices(
  db: Sql,
  businessId: string,
  { after, limit }: Pick<Stretch, 'after' | 'limit'>,
): Promise<InvoiceRow[]> {
  return query<InvoiceRow>(
    db,
    `select ${columns} from payments p
    where p.business_id = $businessId
      and ($at::timestamptz is null or (p.paid_at, p.invoice_id) < ($at::timestamptz, $id::uuid))
    order by p.paid_at desc, p.invoice_id desc limit $limit`,
    { businessId, at: after?.at ?? null, id: after?.id ?? null, limit },
  )
}

export async function countInvoices(db: Sql, businessId: string, cap: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from payments where business_id = ${businessId} limit ${cap}) found`.execute(db)
  return rows[0]!.count
}

export async function findInvoice(db: Sql, invoiceId: string): Promise<InvoiceRow | undefined> {
  const sql = `select ${columns} from payments p where p.invoice_id = $invoiceId`
  return (await query<InvoiceRow>(db, sql, { invoiceId }))[0]
}
