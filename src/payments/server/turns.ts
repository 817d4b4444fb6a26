import { newId } from '../../kit/server/ids.ts'
import { ProviderFailed } from './provider.ts'
import type { PaymentRoom } from './room.ts'
import * as store from './store.ts'

/** Longer than all requests of one purchase to the provider can take. */
const turnSeconds = 60
const waitMs = 100
const waitTries = 100

/** Another purchase of the business holds the lock for longer than a request waits. */
export class PurchaseUnderWay extends ProviderFailed {}

/**
 * Runs `work` under a lock of the business over all instances: two purchases at once would both be charged for the same change. The
 * lock is a row, not a transaction, as the provider may hang. The business must have a row in `payment_customers`.
 * @throws `PurchaseUnderWay` when the lock is not free in time
 */
export async function inTurn<T>(
  { db }: Pick<PaymentRoom, 'db'>,
  businessId: string,
  work: () => Promise<T>,
): Promise<T> {
  const turn = newId()
  for (let tries = 1; !(await store.takeTurn(db, businessId, turn, turnSeconds)); tries++) {
    if (tries === waitTries) throw new PurchaseUnderWay('Another purchase of the business is under way.')
    await new Promise((resolve) => setTimeout(resolve, waitMs))
  }
  try {
    return await work()
  } finally {
    await store.endTurn(db, businessId, turn)
  }
}
