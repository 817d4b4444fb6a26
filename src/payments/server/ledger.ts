import { asDate } from '../../kit/server/clock.ts'
import type { Sql } from '../../kit/server/database.ts'
import { newId } from '../../kit/server/ids.ts'
import { vatIn } from '../policy.ts'
import { queuePaymentMail } from './mails.ts'
import type { PaymentRoom } from './room.ts'
import * as store from './store.ts'

/**
 * Posts a payment, its refunds and disputes, and reversals of those, as far as they are not posted yet. Nothing is posted before the
 * payment itself is known, so the order of facts does not matter.
 * @returns business that paid; null: the payment is not known yet
 */
export async function postPayment(room: PaymentRoom, trx: Sql, paymentId: string): Promise<string | null> {
  const payment = await store.findPayment(trx, paymentId)
  if (!payment) return null
  const post = (source: string, amount: number) => {
    const transaction = {
      transaction_id: newId(),
      source,
      business_id: payment.business_id,
      posted_at: asDate(room.clock.now()),
    }
    return store.postTransaction(trx, transaction, entriesOf(payment, amount))
  }
  if (await post(`payment:${paymentId}`, payment.amount_rappen))
    await queuePaymentMail(room, trx, {
      what: 'invoice',
      businessId: payment.business_id,
      more: { invoice: payment.invoice_id },
    })
  for (const { reversal_id, kind, amount_rappen, status } of await store.reversalsOf(trx, paymentId)) {
    if (amount_rappen > payment.amount_rappen) {
      room.complain('More was given back than was paid.', { payment: paymentId, reversal: reversal_id })
      continue
    }
    if (status === 'pending') continue
    await post(`${kind}:${reversal_id}`, -amount_rappen)
    if (status === 'failed' || status === 'won') await post(`${kind}_undone:${reversal_id}`, amount_rappen)
  }
  return payment.business_id
}

/** Ledger entries for money received or given back; they sum to zero. @param amount Rappen, negative for money given back */
export function entriesOf(
  { what, vat_rate }: Pick<store.PaymentRow, 'what' | 'vat_rate'>,
  amount: number,
): [store.LedgerAccount, number][] {
  const vat = vat_rate === null ? 0 : vatIn(amount, vat_rate)
  return [
    ['provider', amount],
    [`revenue_${what}`, vat - amount],
    ['vat', -vat],
  ]
}
