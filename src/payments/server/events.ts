import { asDate } from '../../kit/server/clock.ts'
import type { Sql } from '../../kit/server/database.ts'
import { newId } from '../../kit/server/ids.ts'
import { isUuid } from '../../kit/shared/input.ts'
import { priceRappen, promotionDays, promotionRappen, vatIn } from '../policy.ts'
import type { Fact, FactOf, ProviderEvent } from './facts.ts'
import { addresseeOfInvoice } from './billing.ts'
import { postPayment } from './ledger.ts'
import type { PaymentRoom, PaymentSettings } from './room.ts'
import { askingAtTies, putSnapshot, type AskedSnapshots } from './snapshots.ts'
import { applyStanding } from './apply-standing.ts'
import { promotionsOf } from './standing.ts'
import * as store from './store.ts'

/**
 * Applies events of the provider, each once and in one transaction: facts, ledger, tiers and placements. An event with a wrong
 * amount, currency or owner changes nothing and is reported to the operator.
 * @returns a line for each new fact
 */
export async function applyEvents(
  room: PaymentRoom,
  db: Sql,
  events: ProviderEvent[],
  known?: AskedSnapshots,
): Promise<string[]> {
  const news: string[] = []
  for (const event of events)
    news.push(...(await askingAtTies(room, db, (trx, asked) => applyEvent(room, trx, event, known ?? asked))))
  return news
}

async function applyEvent(room: PaymentRoom, trx: Sql, event: ProviderEvent, asked: AskedSnapshots): Promise<string[]> {
  const provider = room.settings.provider!
  const answers = [...asked.values()].flatMap(({ fact }) => fact ?? [])
  const reason = await wrongIn(trx, provider, [...event.facts, ...answers])
  const isNew = await store.insertEvent(trx, {
    provider,
    event_id: event.id,
    type: event.type,
    created_at: new Date(event.created_at),
    received_at: asDate(room.clock.now()),
    outcome: reason ? 'refused' : event.facts.length > 0 ? 'applied' : 'unused',
    reason,
  })
  if (!isNew) return []
  if (reason) {
    room.complain('A payment event was not applied.', { event: event.id, type: event.type, reason })
    return []
  }
  return applyFacts(room, trx, event.facts, asked)
}

/** The caller has checked the facts (`wrongIn`). */
async function applyFacts(room: PaymentRoom, trx: Sql, facts: Fact[], asked: AskedSnapshots): Promise<string[]> {
  const news: string[] = []
  const businesses = new Set<string>()
  const payments = facts.flatMap((each) => ('payment' in each ? [each.payment] : [])).toSorted()
  for (const payment of new Set(payments)) await store.lockPayment(trx, payment)
  for (const each of facts) if (await storeFact(room, trx, each, asked)) news.push(inWords(each))
  for (const payment of new Set(payments)) {
    const business = await postPayment(room, trx, payment)
    if (business) businesses.add(business)
  }
  for (const each of facts) if (each.kind === 'subscription') businesses.add(each.business_id)
  if (news.length > 0) for (const business of [...businesses].toSorted()) await applyStanding(room, trx, business)
  return news
}

/** Applies facts that were fetched from the provider: wrong ones are left out and returned, known ones change nothing. */
export async function applyFetchedFacts(
  room: PaymentRoom,
  db: Sql,
  facts: Fact[],
): Promise<{ news: string[]; wrong: { what: string; reason: string }[] }> {
  const provider = room.settings.provider!
  const news: string[] = []
  const wrong: { what: string; reason: string }[] = []
  for (const each of facts) {
    const reason = await wrongIn(db, provider, [each])
    if (reason) wrong.push({ what: inWords(each), reason })
    // The same snapshot as in the last event, only with a later time.
    else if (each.kind === 'subscription' && (await store.isKnownSnapshot(db, each))) continue
    else news.push(...(await askingAtTies(room, db, (trx, asked) => applyFacts(room, trx, [each], asked))))
  }
  return { news, wrong }
}

const inWords = (each: Fact): string => {
  const of = each as Partial<Record<string, unknown>>
  return `${each.kind} ${String(of['subscription'] ?? of['refund'] ?? of['dispute'] ?? of['payment'] ?? of['checkout'])}`
}

/** @returns true: the fact was new */
async function storeFact(room: PaymentRoom, trx: Sql, each: Fact, asked: AskedSnapshots): Promise<boolean> {
  switch (each.kind) {
    case 'subscription':
      return putSnapshot(trx, each, asked)
    case 'payment':
      return storePayment(room, trx, each)
    case 'checkout':
      return isUuid(each.checkout) && store.endCheckout(trx, each.checkout, each.status)
    case 'refund':
    case 'dispute':
      return store.putReversal(trx, {
        reversal_id: each.kind === 'refund' ? each.refund : each.dispute,
        payment_id: each.payment,
        kind: each.kind,
        amount_rappen: each.amount_rappen,
        status: each.status,
        reversed_at: each.at ? new Date(each.at) : null,
      })
  }
}

async function storePayment(
  { settings, festivalName }: PaymentRoom,
  trx: Sql,
  payment: FactOf<'payment'>,
): Promise<boolean> {
  const { of } = payment
  const { provider, vat, issuer } = settings
  const writer = { provider: provider!, vat, issuer: issuer || festivalName }
  const to = {
    billed_to: await addresseeOfInvoice(trx, payment.business_id),
    ...(of.what === 'promotion' ? { promoted_from: await placementOf(trx, payment) } : {}),
  }
  const inserted = await store.insertPayment(trx, invoiceOf(payment, newId(), writer, to))
  if (inserted && of.what === 'promotion' && of.checkout && isUuid(of.checkout))
    await store.endCheckout(trx, of.checkout, 'complete')
  return inserted
}

/** Start of a promotion that was just paid: now, or after the promotions bought before. */
async function placementOf(trx: Sql, { payment, business_id, paid_at }: FactOf<'payment'>): Promise<Date> {
  const paid = { payment_id: payment, what: 'promotion', paid_at: new Date(paid_at), reversed: false } as const
  const earlier = (await store.paymentsOf(trx, business_id)).filter(({ payment_id }) => payment_id !== payment)
  return promotionsOf([...earlier, paid]).find(({ of }) => of === payment)!.from
}

/**
 * The stored payment, which is also the invoice, with today's VAT and issuer.
 * @param to addressee; `promoted_from`: start of a promotion, by default its payment
 */
export function invoiceOf(
  { of, ...payment }: FactOf<'payment'>,
  invoiceId: string,
  { provider, vat, issuer }: { provider: string; vat: PaymentSettings['vat']; issuer: string },
  { billed_to, promoted_from = new Date(payment.paid_at) }: { billed_to: string; promoted_from?: Date },
): store.NewPayment {
  const paidAt = new Date(payment.paid_at)
  const rate = vat?.rate ?? null
  return {
    invoice_id: invoiceId,
    provider,
    payment_id: payment.payment,
    business_id: payment.business_id,
    what: of.what,
    amount_rappen: payment.amount_rappen,
    subscription_provider_id: of.what === 'subscription' ? of.subscription : null,
    tier: of.what === 'subscription' ? of.tier : null,
    pay_interval: of.what === 'subscription' ? of.interval : null,
    period_start: of.what === 'subscription' ? new Date(of.period_start) : promoted_from,
    period_end:
      of.what === 'subscription' ? new Date(of.period_end) : new Date(+promoted_from + promotionDays * 24 * 3_600_000),
    paid_at: paidAt,
    price_rappen: of.what === 'subscription' ? (of.price_rappen ?? priceRappen(of)) : null,
    payment_method: payment.payment_method ?? null,
    vat_rate: rate,
    vat_rappen: rate === null ? 0 : vatIn(payment.amount_rappen, rate),
    vat_id: vat?.id ?? null,
    issuer,
    billed_to,
  }
}

/** Why the facts are wrong; null: they are not. Checked before any of them is applied, so that their order does not matter. */
async function wrongIn(db: Sql, provider: string, facts: Fact[]): Promise<string | null> {
  for (const each of facts) {
    const reason = await wrongWith(db, provider, each)
    if (reason) return reason
  }
  return null
}

async function wrongWith(db: Sql, provider: string, each: Fact): Promise<string | null> {
  if ('currency' in each && each.currency !== 'chf') return `currency ${each.currency}`
  switch (each.kind) {
    case 'checkout':
      return null
    case 'refund':
    case 'dispute':
      return each.amount_rappen > 0 ? null : 'amount'
    case 'subscription':
      if (await isForeign(db, provider, each, each.subscription)) return 'owner'
      // At Stripe, a subscription may run at an earlier price.
      return each.amount_rappen === priceRappen(each) || (provider === 'stripe' && each.amount_rappen > 0)
        ? null
        : 'amount'
    case 'payment':
      return wrongPayment(db, provider, each)
  }
}

async function wrongPayment(db: Sql, provider: string, payment: FactOf<'payment'>): Promise<string | null> {
  const { of, amount_rappen } = payment
  if (of.what === 'promotion') {
    const checkout = of.checkout && isUuid(of.checkout) ? await store.findCheckout(db, of.checkout) : undefined
    if (checkout && checkout.business_id !== payment.business_id) return 'owner'
    if (await isForeign(db, provider, payment, null)) return 'owner'
    return amount_rappen === promotionRappen ? null : 'amount'
  }
  if (await isForeign(db, provider, payment, of.subscription)) return 'owner'
  const price = of.price_rappen ?? priceRappen(of)
  // Part of a period costs part of the price.
  const isRight = of.prorated ? amount_rappen >= 0 && amount_rappen <= price : amount_rappen === price
  return isRight ? null : 'amount'
}

/** The customer never belonged to the business, or the subscription belongs to another business. */
async function isForeign(
  db: Sql,
  provider: string,
  { business_id: businessId, customer }: { business_id: string; customer: string },
  subscription: string | null,
): Promise<boolean> {
  if (!isUuid(businessId)) return true
  const known = await store.findCustomer(db, businessId)
  if (known?.provider !== provider) return true
  if (known.customer_id !== customer && !known.former_ids.includes(customer)) return true
  const owner = subscription === null ? undefined : await store.ownerOfSubscription(db, subscription)
  return owner !== undefined && owner !== businessId
}
