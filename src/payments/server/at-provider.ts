import { merchantOf } from '../../businesses/server/merchant.ts'
import { asDate } from '../../kit/server/clock.ts'
import { Refusal, type RefusalKind } from '../../kit/shared/refusal.ts'
import { businessLeaving } from '../../businesses/contract.ts'
import * as contract from '../contract.ts'
import { otherCustomer, type Payer } from './checkouts.ts'
import { CardDeclined, NothingThere, ProviderFailed, type Provider } from './provider.ts'
import type { PaymentRoom } from './room.ts'
import * as store from './store.ts'
import { inTurn, PurchaseUnderWay } from './turns.ts'

/** Throws `business_leaving`: nobody buys anything for an account that waits to be deleted. */
export async function refuseLeaving(room: PaymentRoom, { businessId }: Pick<Payer, 'businessId'>): Promise<void> {
  if (await isLeaving(room, businessId)) throw new Refusal(businessLeaving)
}

/** As `withProvider`, and one wish of the business after the other. Where the provider does not know the customer any more it is another. */
export function inTurnWith<T>(
  room: PaymentRoom,
  businessId: string,
  refusal: RefusalKind,
  work: (provider: Provider) => Promise<T>,
): Promise<T> {
  return withProvider(room, refusal, async (provider) => {
    await store.ensureCustomer(room.db, { businessId, provider: provider.name, now: asDate(room.clock.now()) })
    return inTurn(room, businessId, async () => {
      try {
        return await work(provider)
      } catch (error) {
        if (!(error instanceof NothingThere) || !(await otherCustomer(room, provider, businessId))) throw error
        return work(provider)
      }
    })
  })
}

/** A provider that hangs or fails becomes the refusal; what it charged nothing for twice may be asked for again. */
export async function withProvider<T>(
  room: PaymentRoom,
  refusal: RefusalKind,
  work: (provider: Provider) => Promise<T>,
): Promise<T> {
  const provider = room.provider(room.db)
  if (!provider) throw new Refusal(contract.paymentsOff)
  try {
    return await work(provider)
  } catch (error) {
    if (error instanceof CardDeclined) throw new Refusal(contract.paymentDeclined)
    if (!(error instanceof ProviderFailed)) throw error
    if (!(error instanceof PurchaseUnderWay)) room.complain('The payment provider failed.', { reason: error.message })
    throw new Refusal(refusal)
  }
}

export const isLeaving = async ({ db }: PaymentRoom, businessId: string) =>
  (await merchantOf(db, businessId))?.is_leaving === true
