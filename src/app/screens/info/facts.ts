import { priceRappen, promotionDays, promotionRappen } from '../../../payments/policy.ts'
import { activeDealLimits } from '../../../deals/policy.ts'

/** Figures in the information pages, from the rooms that decide them. */
export const facts = {
  /** CHF a month */
  premium: priceRappen({ tier: 'PREMIUM', interval: 'month' }) / 100,
  /** CHF a month */
  ultimate: priceRappen({ tier: 'ULTIMATE', interval: 'month' }) / 100,
  /** CHF */
  promotion: promotionRappen / 100,
  /** days of featured placement */
  promotionDays,
  /** active deals */
  freeDeals: activeDealLimits.FREE,
  premiumDeals: activeDealLimits.PREMIUM,
} as const

/** When terms or privacy last changed in substance. */
export const lastChanged = '2026-11-27'
