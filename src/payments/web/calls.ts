import { apiCall } from '../../kit/browser/asking.ts'
import {
  flag,
  flagOr,
  instant,
  isObject,
  list,
  needed,
  number,
  numberOr,
  oneOf,
  or,
  record,
  text,
  textOr,
  type Read,
} from '../../kit/browser/reading.ts'
import { tiers } from '../../businesses/limits.ts'
import type * as contract from '../contract.ts'
import { intervals, paidTiers } from '../limits.ts'

/** How screens ask the endpoints of this room, and how tolerantly they read the answers. */

type Pending = NonNullable<contract.MySubscription['pending_change']>
const pending = or(
  record<Pending>({
    tier: (value) => paidTiers.find((each) => each === value),
    interval: oneOf(intervals, 'month'),
    at: (value) => instant(value) ?? undefined,
  }),
  null,
)

/** What a business pays for, as far as it is told. */
export interface PaymentRecord {
  subscription_tier: (typeof tiers)[number]
  provider_id: string | null
  tier: (typeof paidTiers)[number] | null
  interval: (typeof intervals)[number] | null
  status: string | null
  current_period_end: string | null
  cancel_at_period_end: boolean | null
  amount_chf: number | null
  pending_change: Pending | null
  payment_method: string | null
  /** End of the tier unless the overdue payment comes. */
  overdue_until: string | null
  featured_until: string | null
  last_promotion: contract.MySubscription['last_promotion']
  promotion_paid_at: string | null
  /** null: not told. */
  live_deals: number | null
  /** Percent; null: no VAT is charged. */
  vat_rate: number | null
  has_invoices: boolean
  has_portal: boolean
}

const paymentRecord = record<PaymentRecord>({
  subscription_tier: oneOf(tiers, 'FREE'),
  provider_id: text,
  tier: oneOf(paidTiers, null),
  interval: oneOf(intervals, null),
  status: text,
  current_period_end: instant,
  cancel_at_period_end: flag,
  amount_chf: number,
  pending_change: pending,
  payment_method: text,
  overdue_until: instant,
  featured_until: instant,
  last_promotion: or(
    record<NonNullable<contract.MySubscription['last_promotion']>>({
      starts_at: (value) => instant(value) ?? undefined,
      ends_at: (value) => instant(value) ?? undefined,
      profile_views: numberOr(0),
      profile_views_before: numberOr(0),
    }),
    null,
  ),
  promotion_paid_at: instant,
  live_deals: number,
  vat_rate: number,
  has_invoices: flagOr(false),
  has_portal: flagOr(false),
})

export const getMySubscription = apiCall<typeof contract.getMySubscription, PaymentRecord>(
  'GET /api/payments/my-subscription',
  paymentRecord,
)
export const cancelSubscription = apiCall<typeof contract.cancelSubscription, PaymentRecord>(
  'POST /api/payments/cancel',
  paymentRecord,
)
export const resumeSubscription = apiCall<typeof contract.resumeSubscription, PaymentRecord>(
  'POST /api/payments/resume',
  paymentRecord,
)
export const switchInterval = apiCall<typeof contract.switchInterval, PaymentRecord>(
  'POST /api/payments/switch',
  paymentRecord,
)

export interface Upgraded {
  tier: string
  sessionUrl: string | null
  pending_change: Pending | null
}
const upgraded: Read<Upgraded> = (value) => {
  if (!isObject(value)) return undefined
  const tier = isObject(value['business']) ? text(value['business']['subscription_tier']) : null
  const sessionUrl = text(value['sessionUrl']) ?? null
  if (!tier && !sessionUrl) return undefined
  return { tier: tier ?? '', sessionUrl, pending_change: pending(value['pending_change']) ?? null }
}
export const upgradeBusiness = apiCall<typeof contract.upgradeBusiness, Upgraded>(
  'POST /api/business/upgrade',
  upgraded,
)

/** null: the answer has none, which is told in its own words. */
const session: Read<string | null> = (value) => (isObject(value) ? (text(value['sessionUrl']) ?? null) : null)
export const createPromoSession = apiCall<typeof contract.createPromoSession, string | null>(
  'POST /api/payments/create-promo-session',
  session,
)
export const createPortalSession = apiCall<typeof contract.createPortalSession, string | null>(
  'POST /api/payments/portal-session',
  session,
)

const invoice = record<contract.Invoice>({
  invoice_id: needed,
  number: textOr('–'),
  what: oneOf(['subscription', 'promotion'] as const, 'subscription'),
  tier: oneOf(paidTiers, null),
  interval: oneOf(intervals, null),
  period_start: or(instant, ''),
  period_end: or(instant, ''),
  paid_at: or(instant, ''),
  amount_chf: numberOr(0),
  deducted: flagOr(false),
  vat_rate: number,
  vat_chf: number,
  refunded_chf: numberOr(0),
  disputed: flagOr(false),
  issuer: textOr(''),
  vat_id: text,
  billed_to: textOr(''),
})
export const listInvoices = apiCall<typeof contract.listInvoices>('GET /api/payments/invoices', list(invoice))
export const getInvoice = apiCall<typeof contract.getInvoice>('GET /api/payments/invoices/{invoice_id}', invoice)

const billingAddress = record<contract.BillingAddress>({ legal_name: text, address: text, uid: text })
export const getBillingAddress = apiCall<typeof contract.getBillingAddress>(
  'GET /api/payments/billing-address',
  billingAddress,
)
export const changeBillingAddress = apiCall<typeof contract.changeBillingAddress>(
  'PUT /api/payments/billing-address',
  billingAddress,
)

const testCheckout = record<contract.TestCheckout>({
  checkout_id: needed,
  what: oneOf(['subscription', 'promotion', 'card'] as const, 'card'),
  tier: oneOf(paidTiers, null),
  interval: oneOf(intervals, null),
  amount_chf: number,
  status: oneOf(['open', 'complete', 'expired'] as const, 'expired'),
  card_works: flagOr(true),
  return_path: textOr('/dashboard'),
})
export const getTestCheckout = apiCall<typeof contract.getTestCheckout>(
  'GET /api/payments/test-checkouts/{checkout_id}',
  testCheckout,
)
export const settleTestCheckout = apiCall<typeof contract.settleTestCheckout>(
  'POST /api/payments/test-checkouts/{checkout_id}',
  testCheckout,
)
