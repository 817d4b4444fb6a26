import { priceRappen, promotionDays, promotionRappen } from '../../../payments/policy.ts'
import { isOpen, type Room } from '../../../open-rooms.ts'

/**
 * What the information pages say about the product, in one place. Prices and limits are the specification's; they move
 * to the contracts of their rooms when these open, and are then imported here.
 */
export const facts = {
  /** CHF a month */
  premium: priceRappen({ tier: 'PREMIUM', interval: 'month' }) / 100,
  /** CHF a month */
  ultimate: priceRappen({ tier: 'ULTIMATE', interval: 'month' }) / 100,
  /** CHF */
  promotion: promotionRappen / 100,
  /** days of featured placement */
  days: promotionDays,
  /** active deals */
  freeDeals: 10,
  premiumDeals: 50,
} as const

/** When terms or privacy last changed in substance. */
export const lastChanged = '2026-11-22'

/** Which part of which page (by its anchor) speaks of which room. */
const speaksOf: Record<string, Room> = {
  'terms.accounts': 'accounts',
  'terms.posts': 'forum',
  'terms.merchants': 'payments',
  'privacy.accounts': 'accounts',
  'privacy.merchants': 'payments',
  'help.account': 'accounts',
  'help.schedule': 'schedule',
  'help.join': 'accounts',
  'help.plans': 'payments',
  'help.promotion': 'payments',
  'help.change-plan': 'payments',
  'help.opening-hours': 'merchants',
  'help.struck-out-prices': 'merchants',
  'learnMore.map': 'map',
  'learnMore.schedule': 'schedule',
  'learnMore.forum': 'forum',
  'learnMore.merchants': 'merchants',
  'learnMore.plans': 'payments',
  'learnMore.promotion': 'payments',
}

export function opensSoon(page: string, anchor: string): boolean {
  const room = speaksOf[`${page}.${anchor}`]
  return room !== undefined && !isOpen(room)
}
