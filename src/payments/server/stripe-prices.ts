import type { Stripe } from 'stripe'
import { intervals, paidTiers } from '../contract.ts'
import { priceRappen, promotionRappen, type Plan } from '../policy.ts'
import { ProviderFailed } from './provider.ts'

/** This site's prices at Stripe, found by their lookup keys. */
export interface Prices {
  idOf: (plan: Plan) => string
  /** Also for earlier prices, which their buyers still pay; null: not ours. */
  planOf: (price: Stripe.Price) => Plan | null
  /** Price of an invoice line; null: not ours. */
  priceOf: (id: string, product: string) => Promise<Stripe.Price | null>
  promotion: string
}

export const plans: Plan[] = paidTiers.flatMap((tier) => intervals.map((interval) => ({ tier, interval })))
export const lookupKey = ({ tier, interval }: Plan): string => `rheinklang_${tier.toLowerCase()}_${interval}`
const productOf = ({ tier }: Pick<Plan, 'tier'>): string => `rheinklang_${tier.toLowerCase()}`
export const promotionKey = 'rheinklang_promotion'

/** @throws `ProviderFailed` if `npm run stripe:setup` was not run */
export async function loadPrices(stripe: Stripe): Promise<Prices> {
  const lookup_keys = [...plans.map(lookupKey), promotionKey]
  const { data } = await stripe.prices.list({ lookup_keys, active: true, limit: 100 })
  const idOf = (key: string) => {
    const price = data.find(({ lookup_key }) => lookup_key === key)
    if (!price) throw new ProviderFailed(`Stripe has no price ${key}: run "npm run stripe:setup".`)
    return price.id
  }
  const byId = new Map(plans.map((plan) => [idOf(lookupKey(plan)), plan]))
  // Cache of prices. It stays small: our few products had few prices, and a price never changes.
  const seen = new Map(data.map((price) => [price.id, price]))
  const planOf = ({ id, product, recurring }: Stripe.Price): Plan | null => {
    const its = typeof product === 'string' ? product : product.id
    const isSold = (plan: Plan) => productOf(plan) === its && plan.interval === recurring?.interval
    return byId.get(id) ?? plans.find(isSold) ?? null
  }
  return {
    idOf: (plan) => idOf(lookupKey(plan)),
    planOf,
    priceOf: async (id, product) => {
      if (!seen.has(id) && plans.some((plan) => productOf(plan) === product))
        seen.set(id, await stripe.prices.retrieve(id))
      const price = seen.get(id)
      return price && planOf(price) ? price : null
    },
    promotion: idOf(promotionKey),
  }
}

/** Creates missing prices; safe to repeat. @returns a line for each price */
export async function makePrices(stripe: Stripe): Promise<string[]> {
  const wanted = [
    ...plans.map((plan) => ({
      key: lookupKey(plan),
      name: `${plan.tier[0]}${plan.tier.slice(1).toLowerCase()}`,
      product: productOf(plan),
      amount: priceRappen(plan),
      interval: plan.interval,
    })),
    { key: promotionKey, name: 'Promotion, 30 days', product: promotionKey, amount: promotionRappen, interval: null },
  ]
  const lines: string[] = []
  for (const { key, name, product, amount, interval } of wanted) {
    const { data } = await stripe.prices.list({ lookup_keys: [key], active: true, limit: 1 })
    if (data[0]?.unit_amount === amount && data[0].currency === 'chf') {
      lines.push(`${key}: ${data[0].id}, as it should be`)
      continue
    }
    const found = await stripe.products.retrieve(product).catch(() => null)
    if (!found) await stripe.products.create({ id: product, name }, { idempotencyKey: `setup_${product}` })
    const price = await stripe.prices.create(
      {
        product,
        currency: 'chf',
        unit_amount: amount,
        tax_behavior: 'inclusive',
        lookup_key: key,
        transfer_lookup_key: true,
        ...(interval ? { recurring: { interval } } : {}),
      },
      { idempotencyKey: `setup_${key}_${amount}` },
    )
    lines.push(`${key}: ${price.id}, made`)
  }
  return lines
}
