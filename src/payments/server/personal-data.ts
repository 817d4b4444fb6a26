import type { PersonalData } from '../../accounts/server/accounts.ts'
import type { Sql } from '../../kit/server/database.ts'
import type { PaymentRoom } from './room.ts'
import { runningOf } from './standing.ts'
import * as store from './store.ts'
import { closeDeletedJob, endRefundedJob, settleLeavingJob } from './apply-standing.ts'

/** A merchant's payments. Invoices and ledger stay after a deletion: the law demands ten years. */
export const paymentPersonalData = (room: Pick<PaymentRoom, 'jobs'>): PersonalData => ({
  exportOf: async (db, { businessId }) => (businessId ? store.exportOf(db, businessId) : {}),
  hasContent: async (db, { businessId }) => businessId !== null && (await store.countInvoices(db, businessId, 1)) > 0,
  leave: (trx, { businessId }) => settlePlan(room, trx, businessId),
  stay: (trx, { businessId }) => settlePlan(room, trx, businessId),
  async forget(trx, { businessId }) {
    if (!businessId) return
    const running = runningOf(await store.subscriptionsOf(trx, businessId))
    // Nobody is charged for a deleted account.
    if (running) await room.jobs.enqueue(trx, endRefundedJob, { subscription: running.provider_id })
    const open = await store.checkoutUnderWay(trx, businessId)
    if (open?.session_id)
      await room.jobs.enqueue(trx, closeDeletedJob, {
        business: businessId,
        session: open.session_id,
        provider: open.provider,
      })
    await store.forgetBusiness(trx, businessId)
  },
})

async function settlePlan({ jobs }: Pick<PaymentRoom, 'jobs'>, trx: Sql, businessId: string | null): Promise<void> {
  if (businessId && runningOf(await store.subscriptionsOf(trx, businessId)))
    await jobs.enqueue(trx, settleLeavingJob, { business: businessId })
}
