import { asDate } from '../../kit/server/clock.ts'
import { applyEvents, applyLooked } from './events.ts'
import { isTest, type PaymentRoom } from './room.ts'
import * as store from './store.ts'

/** Renews, changes and ends what is due at the test provider. Run every minute; Stripe does it by itself. */
export async function renewTestSubscriptions(room: PaymentRoom): Promise<void> {
  const provider = room.provider(room.db)
  if (!isTest(provider)) return
  for (;;) {
    let renewed = 0
    for (const subscription of await provider.due(100))
      renewed += (await applyEvents(room, room.db, await provider.renew(subscription))).length
    // what another instance is at is left to it
    if (renewed === 0) return
  }
}

/** Ends a subscription whose money went back, or whose account is gone. Done twice it is as done once. */
export async function endSubscription(room: PaymentRoom, providerId: string): Promise<void> {
  const provider = room.provider(room.db)
  if (provider) await applyEvents(room, room.db, await provider.end({ provider_id: providerId }))
}

const customersAtOnce = 100

/**
 * Compares all that the provider knows with what is known here and repairs what was missed; one line a difference. Run
 * nightly, and by `npm run payments -- reconcile`.
 * @returns the differences, in words
 */
export async function reconcile(room: PaymentRoom): Promise<string[]> {
  const provider = room.provider(room.db)
  if (!provider) return []
  const differences: string[] = []
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const customers = await store.customersAfter(room.db, provider.name, after, customersAtOnce)
    for (const { business_id: businessId, customer_id: customerId } of customers) {
      const facts = await provider.look({ businessId, customerId: customerId! })
      for (const what of await applyLooked(room, room.db, facts)) {
        room.complain('A payment event was missed and has been made up for.', { business: businessId, what })
        differences.push(`${businessId}: ${what}`)
      }
    }
    if (customers.length < customersAtOnce) return differences
    after = customers.at(-1)!.business_id
  }
}

/** Keys are kept for two days, as Stripe keeps its own for one; events for as long as Stripe can tell them again; checkouts for three months. */
export async function forgetOld({ db, clock }: PaymentRoom): Promise<void> {
  const ago = (days: number) => asDate(clock.now().subtract({ hours: 24 * days }))
  await store.deleteOld(db, { requests: ago(2), events: ago(400), checkouts: ago(90) })
}
