import { sql } from 'kysely'
import type { Sql } from '../../../kit/server/database.ts'
import type { Stretch } from '../../../kit/server/page.ts'
import type { Interval, PaidTier } from '../../policy.ts'

export interface InvoiceRow {
  invoice_id: string
  invoice_no: number
  business_id: string
  payment_id: string
  what: 'subscription' | 'promotion'
  tier: PaidTier | null
  interval: Interval | null
  period_start: Date
  period_end: Date
  paid_at: Date
  amount_rappen: number
  /** Price of the plan per interval when it was bought; null: not known. */
  price_rappen: number | null
  vat_rate: number | null
  vat_rappen: number
  vat_id: string | null
  issuer: string
  billed_to: string
  refunded_rappen: number
  disputed: boolean
}

const columns = sql`p.invoice_id, p.invoice_no, p.business_id, p.payment_id, p.what, p.tier,
  p.pay_interval as interval, p.period_start, p.period_end, p.paid_at, p.amount_rappen, p.price_rappen, p.vat_rate, p.vat_rappen,
  p.vat_id, p.issuer, p.billed_to,
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
  const { rows } = await sql<InvoiceRow>`
    select ${columns} from payments p
    where p.business_id = ${businessId}
      ${after ? sql`and (p.paid_at, p.invoice_id) < (${after.at}::timestamptz, ${after.id}::uuid)` : sql``}
    order by p.paid_at desc, p.invoice_id desc limit ${limit}`.execute(db)
  return rows
}

export async function countInvoices(db: Sql, businessId: string, cap: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from payments where business_id = ${businessId} limit ${cap}) found`.execute(db)
  return rows[0]!.count
}

export async function findInvoice(db: Sql, invoiceId: string): Promise<InvoiceRow | undefined> {
  const { rows } = await sql<InvoiceRow>`
    select ${columns} from payments p where p.invoice_id = ${invoiceId}`.execute(db)
  return rows[0]
}
