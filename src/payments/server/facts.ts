import { z } from 'zod'
import { intervals, paidTiers, statuses } from '../contract.ts'

/**
 * Facts from a provider in our own form. Each is complete, so facts can come in any order and any number of times. Amounts in Rappen,
 * instants as ISO text.
 *
 * Only a `payment` gives a tier, for the period that it pays (Stripe's `invoice.paid`; `paidSpans` in standing.ts). A `subscription`
 * (`customer.subscription.*`) ends that period early or adds seven days to it, and `checkout.session.completed` gives no tier.
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
  /** Price per interval. */
  amount_rappen: amount,
  status: z.enum(statuses),
  period_start: instant,
  period_end: instant,
  cancel_at_period_end: z.boolean(),
  /** The plan after the end of the period. */
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
      /** Paid for part of a period because the plan changed, so the amount is no list price. */
      prorated: z.boolean(),
      /** Price of a whole period when the plan was bought; may differ from today's. */
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
