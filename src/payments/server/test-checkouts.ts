import { chfFromRappen } from '../../kit/shared/money.ts'
import { Refusal } from '../../kit/shared/refusal.ts'
import { isUuid } from '../../kit/shared/input.ts'
import { pickedOf } from '../../kit/shared/thing.ts'
import { page, paidPage, promotedPage } from '../../site-map.ts'
import { checkoutNotFound, checkoutOver, paymentDeclined, type TestCheckout } from '../contract.ts'
import { priceRappen, promotionRappen } from '../policy.ts'
import { refuseToSell } from './at-provider.ts'
import { applyEvents } from './events.ts'
import { isTest, type PaymentRoom } from './room.ts'
import type { TestPage, TestProvider } from './test-provider.ts'

/** A page of the built-in test provider. @throws `checkout_not_found`, also for other businesses */
export async function findTestCheckout(
  room: PaymentRoom,
  businessId: string,
  checkoutId: string,
): Promise<TestCheckout> {
  const { provider, found } = await ownPage(room, businessId, checkoutId)
  return answerOf(checkoutId, found, await provider.cardWorks(businessId))
}

/** Pays a checkout or declines its payment; on the page of the card on file, sets whether the card works. */
export async function settleTestCheckout(
  room: PaymentRoom,
  businessId: string,
  checkoutId: string,
  choice: 'pay' | 'decline',
): Promise<TestCheckout> {
  const { provider, found } = await ownPage(room, businessId, checkoutId)
  if (found.status === 'expired') throw new Refusal(checkoutOver)
  if (found.what === 'card') {
    await provider.setCard(businessId, choice === 'pay')
    return findTestCheckout(room, businessId, checkoutId)
  }
  await refuseToSell(room, businessId, found.what)
  if (choice === 'decline') throw new Refusal(paymentDeclined)
  const events = await provider.pay(checkoutId)
  // A second request for a checkout that is already paid succeeds.
  if (!events && (await provider.findCheckout(checkoutId))?.status !== 'complete') throw new Refusal(checkoutOver)
  await applyEvents(room, room.db, events ?? [])
  return findTestCheckout(room, businessId, checkoutId)
}

async function ownPage(
  room: PaymentRoom,
  businessId: string,
  checkoutId: string,
): Promise<{ provider: TestProvider; found: TestPage }> {
  const provider = room.provider(room.db)
  const found = isTest(provider) && isUuid(checkoutId) ? await provider.findCheckout(checkoutId) : undefined
  if (!isTest(provider) || found?.business_id !== businessId) throw new Refusal(checkoutNotFound)
  return { provider, found }
}

function answerOf(checkoutId: string, found: TestPage, cardWorks: boolean): TestCheckout {
  const amount =
    found.what === 'card'
      ? null
      : found.what === 'promotion'
        ? promotionRappen
        : priceRappen({ tier: found.tier!, interval: found.interval! })
  const ways = { subscription: paidPage(found.tier ?? 'PREMIUM'), promotion: promotedPage, card: page.dashboard }
  return {
    ...pickedOf(found, ['what', 'tier', 'interval', 'status']),
    checkout_id: checkoutId,
    amount_chf: amount === null ? null : chfFromRappen(amount),
    card_works: cardWorks,
    return_path: ways[found.what],
  }
}
