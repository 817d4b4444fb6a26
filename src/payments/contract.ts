import { z } from 'zod'
import { merchantsAlone } from '../accounts/contract.ts'
import { businessLeaving, businessNotFound, businessSuspended, tiers } from '../businesses/contract.ts'
import { answerId, answerInstant, answerList, answerName, answerText, orUnread } from '../kit/shared/answer.ts'
import { endpoint } from '../kit/shared/endpoint.ts'
import { absentWhenEmpty, emptied, line, pageQuery, pathId, fieldIssue, text } from '../kit/shared/input.ts'
import { invalidInput, type RefusalKind } from '../kit/shared/refusal.ts'
import { readUid } from '../kit/shared/uid.ts'
import { intervals, paidTiers, statuses } from './limits.ts'

export * from './limits.ts'

/** The operator has set no payment provider (`PAYMENTS` and its keys). */
export const paymentsOff = { code: 'payments_off', status: 503 } as const satisfies RefusalKind
/** The provider failed or did not answer in time. Safe to retry: it does not charge twice. */
export const upgradeFailed = { code: 'upgrade_failed', status: 503 } as const satisfies RefusalKind
export const promotionFailed = { code: 'promotion_failed', status: 503 } as const satisfies RefusalKind
export const providerFailed = { code: 'provider_failed', status: 503 } as const satisfies RefusalKind
/** The overdue payment must be made first. */
export const paymentOverdue = { code: 'payment_overdue', status: 409 } as const satisfies RefusalKind
export const paymentDeclined = { code: 'payment_declined', status: 409 } as const satisfies RefusalKind
export const noSubscription = { code: 'no_subscription', status: 409 } as const satisfies RefusalKind
export const notCancelled = { code: 'nothing_to_keep', status: 409 } as const satisfies RefusalKind
/** An earlier request with this `Idempotency-Key` had another body. */
export const keyUsed = { code: 'idempotency_key_used', status: 409 } as const satisfies RefusalKind
export const invoiceNotFound = { code: 'invoice_not_found', status: 404 } as const satisfies RefusalKind
export const checkoutNotFound = { code: 'checkout_not_found', status: 404 } as const satisfies RefusalKind
/** Paid, cancelled or expired. */
export const checkoutOver = { code: 'checkout_over', status: 409 } as const satisfies RefusalKind
/** The event is not signed with one of our secrets, or is older than 300 s. */
export const eventForged = { code: 'event_forged', status: 400 } as const satisfies RefusalKind

/** Stripe's events have a few kB. */
export const eventMaxBytes = 1024 * 1024
/** Greatest age of a signature, as Stripe recommends. */
export const eventToleranceS = 300

const plan = {
  tier: z.enum(paidTiers).meta({ unread: undefined }),
  interval: z.enum(intervals).meta({ unread: 'month' }),
}
const chf = z.number().meta({ description: 'CHF' })

const pendingChange = z
  .object({ ...plan, at: answerInstant.meta({ unread: undefined }) })
  .nullable()
  .meta({ description: 'what the plan becomes at the end of the paid period' })

const sessionUrl = answerText(4000).meta({ description: "where the browser goes on: the provider's page, or our own" })

export const mySubscription = z
  .object({
    subscription_tier: z.enum(tiers).meta({ unread: 'FREE', description: 'true now' }),
    subscription_id: answerId.nullable(),
    provider_id: answerText(200).nullable().meta({ description: "the payment provider's id; null: none" }),
    tier: z.enum(paidTiers).nullable().meta({ description: 'of the subscription' }),
    interval: z.enum(intervals).nullable(),
    status: z.enum(statuses).nullable(),
    current_period_end: answerInstant.nullable().meta({ description: 'next billing date' }),
    cancel_at_period_end: orUnread(z.boolean()),
    amount_chf: chf.nullable().meta({ description: 'CHF per interval' }),
    pending_change: pendingChange,
    payment_method: answerText(100).nullable().meta({ description: 'a label, e.g. Visa 4242' }),
    overdue_until: answerInstant.nullable().meta({
      description: 'end of the tier unless the overdue payment comes; null: nothing is overdue, or it has ended',
    }),
    featured_until: answerInstant.nullable().meta({ description: 'end of the paid promotion that runs now' }),
    last_promotion: z
      .object({
        starts_at: answerInstant.meta({ unread: undefined }),
        ends_at: answerInstant.meta({ unread: undefined }),
        profile_views: z.number().int(),
        profile_views_before: z.number().int().meta({ description: 'in the same time before it' }),
      })
      .nullable()
      .meta({ description: 'what the newest promotion that has begun has brought so far' }),
    promotion_paid_at: answerInstant
      .nullable()
      .meta({ description: 'payment of the newest promotion, also of one that begins later' }),
    live_deals: orUnread(
      z.number().int().meta({ description: 'deals that visitors can have now: what a promotion shows first' }),
    ),
    vat_rate: z.number().nullable().meta({ description: 'percent that prices include; null: no VAT is charged' }),
    has_invoices: z.boolean(),
    has_portal: z.boolean().meta({ description: 'payment method and address can be changed at the provider' }),
  })
  .meta({ id: 'MySubscription' })
export type MySubscription = z.infer<typeof mySubscription>

export const getMySubscription = endpoint({
  method: 'GET',
  path: '/api/payments/my-subscription',
  summary: 'What my business pays for: tier, subscription and promotion',
  tag: 'payments',
  access: merchantsAlone,
  answer: mySubscription,
  refusals: [businessNotFound],
})

export const upgradeBusiness = endpoint({
  method: 'POST',
  path: '/api/business/upgrade',
  summary: 'Asks for a tier. The answer has the tier that is true now; a higher one comes with a confirmed payment',
  tag: 'payments',
  body: z.object({
    newTier: z.enum(paidTiers),
    interval: absentWhenEmpty(z.enum(intervals).optional()),
  }),
  idempotent: true,
  access: merchantsAlone,
  answer: z
    .object({
      business: z.object({
        business_id: answerId,
        business_name: answerText(80),
        subscription_tier: z.enum(tiers).meta({ unread: undefined }),
      }),
      sessionUrl: sessionUrl.optional(),
      pending_change: pendingChange,
    })
    .meta({ id: 'Upgraded' }),
  refusals: [
    invalidInput,
    businessNotFound,
    businessLeaving,
    upgradeFailed,
    paymentDeclined,
    paymentOverdue,
    paymentsOff,
    keyUsed,
  ],
})

export const createPromoSession = endpoint({
  method: 'POST',
  path: '/api/payments/create-promo-session',
  summary: 'A page on which 30 days of featured placement are paid for (CHF 200)',
  tag: 'payments',
  idempotent: true,
  access: merchantsAlone,
  answer: z.object({ sessionUrl }).meta({ id: 'PromotionSession', unread: { sessionUrl: '' } }),
  refusals: [businessNotFound, businessSuspended, businessLeaving, promotionFailed, paymentsOff, keyUsed],
})

const changed = { access: merchantsAlone, answer: mySubscription, idempotent: true } as const
const changes = [businessNotFound, noSubscription, providerFailed, paymentsOff, keyUsed] as const

export const cancelSubscription = endpoint({
  method: 'POST',
  path: '/api/payments/cancel',
  summary: 'Ends the subscription at the end of the paid period',
  tag: 'payments',
  ...changed,
  refusals: [...changes],
})

export const resumeSubscription = endpoint({
  method: 'POST',
  path: '/api/payments/resume',
  summary: 'Keeps the plan: takes back a cancellation, or a change that waits for the end of the paid period',
  tag: 'payments',
  ...changed,
  refusals: [...changes, businessLeaving, notCancelled],
})

export const switchInterval = endpoint({
  method: 'POST',
  path: '/api/payments/switch',
  summary: 'Pays by month or by year: to a year now and pro rata, to a month at the end of the paid period',
  tag: 'payments',
  body: z.object({ interval: z.enum(intervals) }),
  ...changed,
  refusals: [...changes, businessLeaving, paymentDeclined, paymentOverdue, invalidInput],
})

export const createPortalSession = endpoint({
  method: 'POST',
  path: '/api/payments/portal-session',
  summary: "The provider's page on which the payment method is changed",
  tag: 'payments',
  access: merchantsAlone,
  answer: z.object({ sessionUrl }).meta({ id: 'PortalSession', unread: { sessionUrl: '' } }),
  refusals: [businessNotFound, noSubscription, providerFailed, paymentsOff],
})

export const invoice = z
  .object({
    invoice_id: answerId,
    number: answerName(40),
    what: z.enum(['subscription', 'promotion']).meta({ unread: 'subscription' }),
    tier: z.enum(paidTiers).nullable(),
    interval: z.enum(intervals).nullable(),
    period_start: answerInstant,
    period_end: answerInstant,
    paid_at: answerInstant,
    amount_chf: chf,
    deducted: z
      .boolean()
      .meta({ description: 'less than the price was paid, as the rest of an earlier plan was taken off' }),
    vat_rate: z.number().nullable().meta({ description: 'percent; null: no VAT line' }),
    vat_chf: chf.nullable().meta({ description: 'CHF, part of amount_chf' }),
    refunded_chf: chf,
    disputed: z.boolean(),
    issuer: answerText(500),
    vat_id: answerText(60).nullable(),
    billed_to: answerText(500),
  })
  .meta({ id: 'Invoice' })
export type Invoice = z.infer<typeof invoice>

export const listInvoices = endpoint({
  method: 'GET',
  path: '/api/payments/invoices',
  summary: 'What my business has paid, the newest first',
  tag: 'payments',
  query: z.object({ limit: pageQuery.limit, after: pageQuery.after }),
  access: merchantsAlone,
  answer: answerList(invoice, 100),
  paged: true,
  refusals: [invalidInput, businessNotFound],
})

export const getInvoice = endpoint({
  method: 'GET',
  path: '/api/payments/invoices/{invoice_id}',
  summary: 'One invoice of my business',
  tag: 'payments',
  params: z.object({ invoice_id: pathId }),
  access: merchantsAlone,
  answer: invoice,
  refusals: [businessNotFound, invoiceNotFound],
})

const billingLength = { legal_name: 120, address: 200 }

export const billingAddress = z
  .object({
    legal_name: answerText(billingLength.legal_name).nullable().meta({ description: 'null: the name of the business' }),
    address: answerText(billingLength.address).nullable().meta({ description: 'null: the address of the business' }),
    uid: answerText(20).nullable().meta({ description: 'Swiss enterprise number, e.g. CHE-123.456.788 MWST' }),
  })
  .meta({ id: 'BillingAddress' })
export type BillingAddress = z.infer<typeof billingAddress>

const uid = text({ max: 30 }).transform((value, ctx) => {
  const read = readUid(value)
  if (read !== null) return read
  ctx.addIssue(fieldIssue('uid'))
  return z.NEVER
})

export const getBillingAddress = endpoint({
  method: 'GET',
  path: '/api/payments/billing-address',
  summary: 'To whom the invoices of my business are addressed',
  tag: 'payments',
  access: merchantsAlone,
  answer: billingAddress,
  refusals: [businessNotFound],
})

export const changeBillingAddress = endpoint({
  method: 'PUT',
  path: '/api/payments/billing-address',
  summary: 'Addresses the invoices to come to this name, address and UID; an empty field takes that of the business',
  tag: 'payments',
  body: z.object({
    legal_name: emptied(line({ max: billingLength.legal_name })),
    address: emptied(text({ max: billingLength.address })),
    uid: emptied(uid.meta({ override: { type: 'string', maxLength: 30 } })),
  }),
  access: merchantsAlone,
  answer: billingAddress,
  refusals: [invalidInput, businessNotFound],
})

export const receivePaymentEvent = endpoint({
  method: 'POST',
  path: '/api/payments/webhook',
  summary: 'Takes a signed event of the payment provider; any number of times, in any order',
  tag: 'payments',
  webhook: { signature: 'stripe-signature', maxBytes: eventMaxBytes },
  access: 'public',
  answer: z.object({ received: z.literal(true) }).meta({ id: 'EventReceived' }),
  refusals: [eventForged, paymentsOff],
})

/** A page of the built-in test provider: a checkout, or the card on file. */
export const testCheckout = z
  .object({
    checkout_id: answerId,
    what: z.enum(['subscription', 'promotion', 'card']).meta({ unread: 'card' }),
    tier: z.enum(paidTiers).nullable(),
    interval: z.enum(intervals).nullable(),
    amount_chf: chf.nullable(),
    status: z.enum(['open', 'complete', 'expired']).meta({ unread: 'expired' }),
    card_works: z.boolean().meta({ unread: true }),
    return_path: answerText(200).meta({ unread: '/dashboard' }),
  })
  .meta({ id: 'TestCheckout' })
export type TestCheckout = z.infer<typeof testCheckout>

export const getTestCheckout = endpoint({
  method: 'GET',
  path: '/api/payments/test-checkouts/{checkout_id}',
  summary: 'A checkout of the built-in test provider',
  tag: 'payments',
  params: z.object({ checkout_id: pathId }),
  access: merchantsAlone,
  answer: testCheckout,
  refusals: [checkoutNotFound],
})

export const settleTestCheckout = endpoint({
  method: 'POST',
  path: '/api/payments/test-checkouts/{checkout_id}',
  summary: 'Pays a checkout of the built-in test provider, or says whether the test card works',
  tag: 'payments',
  params: z.object({ checkout_id: pathId }),
  body: z.object({ choice: z.enum(['pay', 'decline']).meta({ description: 'for a card: it works, or is declined' }) }),
  access: merchantsAlone,
  answer: testCheckout,
  refusals: [
    invalidInput,
    checkoutNotFound,
    checkoutOver,
    businessSuspended,
    businessLeaving,
    paymentDeclined,
    paymentsOff,
  ],
})
