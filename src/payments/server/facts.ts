import { z } from 'zod'
import { intervals, paidTiers, statuses } from '../contract.ts'

/**
 * What a provider tells of, in our words. Each fact is whole in itself, so that facts can come in any order and any number
 * of times. Amounts are Rappen, instants ISO texts.
 */
const amount = z.number().int()
const id = z.string().min(1).max(200)
const instant = z.iso.datetime({ offset: true })
const owner = { customer: id, business_id: z.string().max(200), currency: z.string().max(10) }
const plan = { tier: z.enum(paidTiers), interval: z.enum(intervals) }

const subscriptionFact = z.object({
  kind: z.literal('subscription'),
  subscription: id,
  ...owner,
  ...plan,
  /** What it costs per interval. */
  amount_rappen: amount,
  status: z.enum(statuses),
  period_start: instant,
  period_end: instant,
  cancel_at_period_end: z.boolean(),
  /** What it becomes at the end of the period. */
  pending: z.object(plan).nullable(),
  payment_method: z.string().max(100).nullable(),
  ended_at: instant.nullable(),
  as_of: instant,
})

const paymentFact = z.object({
  kind: z.literal('payment'),
  payment: id,
  ...owner,
  amount_rappen: amount,
  paid_at: instant,
  /** A label, e.g. Visa 4242. */
  payment_method: z.string().max(100).nullable().optional(),
  of: z.discriminatedUnion('what', [
    z.object({
      what: z.literal('subscription'),
      subscription: id,
      ...plan,
      period_start: instant,
      period_end: instant,
      /** A part of a period that is paid for because the plan changed, so its price is none of the list. */
      prorated: z.boolean(),
      /** What a whole period costs at the price that was bought, where that may be an earlier one than today's. */
      price_rappen: amount.optional(),
    }),
    z.object({ what: z.literal('promotion'), checkout: z.string().max(200).nullable() }),
  ]),
})

const checkoutFact = z.object({
  kind: z.literal('checkout'),
  checkout: z.string().max(200),
  status: z.enum(['complete', 'expired']),
})

const refundFact = z.object({
  kind: z.literal('refund'),
  refund: id,
  payment: id,
  amount_rappen: amount,
  currency: z.string().max(10),
  status: z.enum(['pending', 'done', 'failed']),
  at: instant.optional(),
})

const disputeFact = z.object({
  kind: z.literal('dispute'),
  dispute: id,
  payment: id,
  amount_rappen: amount,
  currency: z.string().max(10),
  status: z.enum(['open', 'won', 'lost']),
  at: instant.optional(),
})

export const fact = z.discriminatedUnion('kind', [subscriptionFact, paymentFact, checkoutFact, refundFact, disputeFact])
export type Fact = z.infer<typeof fact>
export type FactOf<Kind extends Fact['kind']> = Extract<Fact, { kind: Kind }>

/** An event whose signature was checked. */
export interface ProviderEvent {
  id: string
  type: string
  created_at: string
  facts: Fact[]
}
