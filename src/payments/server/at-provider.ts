import { findMerchant } from '../../businesses/server/merchant.ts'
import { asDate } from '../../kit/server/clock.ts'
import { Refusal, type RefusalKind } from '../../kit/shared/refusal.ts'
import { businessLeaving, businessSuspended } from '../../businesses/contract.ts'
import * as contract from '../contract.ts'
import { whyNotBuy } from '../policy.ts'
import { replaceUnknownCustomer } from './checkouts.ts'
import { CardDeclined, NothingThere, ProviderFailed, type Provider } from './provider.ts'
import type { PaymentRoom } from './room.ts'
import * as store from './store.ts'
import { inTurn, PurchaseUnderWay } from './turns.ts'

/** @throws `business_suspended`, `business_leaving` as `whyNotBuy` says */
export async function refuseToSell(room: PaymentRoom, businessId: string, what: 'subscription' | 'promotion') {
  const reason = whyNotBuy(what, await findMerchant(room.db, businessId))
  if (reason) throw new Refusal(reason === 'suspended' ? businessSuspended : businessLeaving)
}

/**
 * Works with the provider under the lock of the business (`inTurn`). If the provider no longer knows the customer, the work runs
 * once more with another one. Failures of the provider become `refusal`; a retry does not charge twice.
 * @throws `payments_off`, `payment_declined`
 */
export async function inTurnWith<T>(
  room: PaymentRoom,
  businessId: string,
  refusal: RefusalKind,
  work: (provider: Provider) => Promise<T>,
): Promise<T> {
  const provider = room.provider(room.db)
  if (!provider) throw new Refusal(contract.paymentsOff)
  try {
    await store.ensureCustomer(room.db, { businessId, provider: provider.name, now: asDate(room.clock.now()) })
    return await inTurn(room, businessId, async () => {
      try {
        return await work(provider)
      } catch (error) {
        if (!(error instanceof NothingThere) || !(await replaceUnknownCustomer(room, provider, businessId))) throw error
        return work(provider)
      }
    })
  } catch (error) {
    if (error instanceof CardDeclined) throw new Refusal(contract.paymentDeclined)
    if (!(error instanceof ProviderFailed)) throw error
    if (!(error instanceof PurchaseUnderWay)) room.complain('The payment provider failed.', { reason: error.message })
    throw new Refusal(refusal)
  }
}
