import { businessLeaving, businessSuspended } from '../../businesses/contract.ts'
import { merchantOf } from '../../businesses/server/merchant.ts'
import { chfFromRappen } from '../../kit/shared/money.ts'
import { Refusal } from '../../kit/shared/refusal.ts'
import { isUuid } from '../../kit/shared/input.ts'
import { page, paidPage, promotedPage } from '../../site-map.ts'
import { checkoutNotFound, checkoutOver, paymentDeclined, type TestCheckout } from '../contract.ts'
import { priceRappen, promotionRappen } from '../policy.ts'
import { applyEvents } from './events.ts'
import { isTest, type PaymentRoom } from './room.ts'
import type { TestPage, TestProvider } from './test-provider.ts'

/** The pages of the built-in test provider: to anybody but the business that pays they are unknown. */
export async function findTestCheckout(
  room: PaymentRoom,
  businessId: string,
  checkoutId: string,
): Promise<TestCheckout> {
  const { provider, found } = await ownPage(room, businessId, checkoutId)
  return answerOf(checkoutId, found, await provider.cardWorks(businessId))
}

/** Pays, or has the payment declined; of a card on file it says whether it works. */
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
  const merchant = await merchantOf(room.db, businessId)
  // nobody would see it
  if (found.what === 'promotion' && merchant?.is_suspended) throw new Refusal(businessSuspended)
  if (merchant?.is_leaving) throw new Refusal(businessLeaving)
  if (choice === 'decline') throw new Refusal(paymentDeclined)
  const events = await provider.pay(checkoutId)
  // sent twice: what is paid is paid
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
    checkout_id: checkoutId,
    what: found.what,
    tier: found.tier,
    interval: found.interval,
    amount_chf: amount === null ? null : chfFromRappen(amount),
    status: found.status,
    card_works: cardWorks,
    return_path: ways[found.what],
  }
}
