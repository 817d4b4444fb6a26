import { newId } from '../../kit/server/ids.ts'
import { ProviderFailed } from './provider.ts'
import type { PaymentRoom } from './room.ts'
import * as store from './store.ts'

/** Longer than a provider is waited for, with all that one wish asks of it. */
const turnSeconds = 60
const waitMs = 100
const waitTries = 100

/** Another wish of the same business takes longer than anybody waits. */
export class PurchaseUnderWay extends ProviderFailed {}

/**
 * One wish of a business after the other, over all instances: what a change costs follows from what runs, and two that saw the same would both
 * be paid. No transaction is open meanwhile, as the provider may hang. The business has a row of a customer already.
 * Throws `PurchaseUnderWay`.
 */
export async function inTurn<T>(
  { db }: Pick<PaymentRoom, 'db'>,
  businessId: string,
  work: () => Promise<T>,
): Promise<T> {
  const turn = newId()
  for (let tries = 1; !(await store.takeTurn(db, businessId, turn, turnSeconds)); tries++) {
    if (tries === waitTries) throw new PurchaseUnderWay('Another wish of the business is under way.')
    await new Promise((resolve) => setTimeout(resolve, waitMs))
  }
  try {
    return await work()
  } finally {
    await store.endTurn(db, businessId, turn)
  }
}
