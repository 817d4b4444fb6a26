import type { Tier } from '../businesses/contract.ts'

/** Who may see, publish and price deals how; the server enforces it, the screens hide or explain by it. */

/** Everybody sees a deal, also a paused or an expired one, unless it is a draft, archived or hidden by staff. */
export const isPublic = (stateOrStatus: string): boolean => !['draft', 'archived', 'hidden'].includes(stateOrStatus)

/** Merchants also see, and alone change, the deals of their own business. */
export const isOwnBusiness = (who: { businessId: string | null } | null, businessId: string): boolean =>
  who?.businessId?.toLowerCase() === businessId.toLowerCase()

/** Why a merchant can publish no deal at all now, as the code of the notice; null: the merchant can. */
export function publishingBar(merchant: {
  is_suspended: boolean
  is_leaving: boolean
  mustConfirm: boolean
}): 'bySuspension' | 'whileLeaving' | 'untilConfirmed' | null {
  if (merchant.is_suspended) return 'bySuspension'
  if (merchant.is_leaving) return 'whileLeaving'
  return merchant.mustConfirm ? 'untilConfirmed' : null
}

export const isOver = ({ ends_at }: { ends_at: string | null }, now: Date): boolean =>
  ends_at !== null && Date.parse(ends_at) <= now.getTime()

/** Published deals take a place of their merchant's tier until they end. */
export const takesPlace = (deal: { state: string; ends_at: string | null }, now: Date): boolean =>
  deal.state === 'published' && !isOver(deal, now)

/** Places: deals that can be published at the same time, by tier; null: any number. */
export const activeDealLimits = { FREE: 10, PREMIUM: 50, ULTIMATE: null } as const satisfies Record<Tier, number | null>

/** The next tier, with more places; null: there is none. */
export const tierAbove: Record<Tier, Tier | null> = { FREE: 'PREMIUM', PREMIUM: 'ULTIMATE', ULTIMATE: null }

/** The CHF of a price that is only an amount, such as "12.50" or "CHF 12"; null for any other text. */
export function amountIn(text: string | null): number | null {
  const amount = /^(?:CHF|Fr\.?)?\s*(\d{1,6}(?:[.,]\d{1,2})?)(?:[.,][–-])?$/i.exec(text?.trim() ?? '')?.[1]
  return amount === undefined ? null : Number(amount.replace(',', '.'))
}

/** After so many days at the usual price it may be shown struck out without a time limit. */
export const regularPriceDays = 30

export type StruckPriceFault =
  | { field: 'regular_price_chf'; key: 'struck_needs_amount' | 'struck_not_lower' }
  | { field: 'regular_price_since'; key: 'struck_needs_since' | 'struck_since_later' }
  | { field: 'regular_price_since'; key: 'struck_needs_end' | 'struck_too_long'; days: number; most: number }

/**
 * Why a deal may not show its usual price struck out; null when it may. By the Swiss Price Disclosure Ordinance
 * (PBV, SR 942.211, art. 16): after at least 30 consecutive days at the usual price without a limit, after fewer days for half
 * as many, and for no longer than two months.
 */
export function struckPriceFault(deal: {
  price_chf: number | null
  regular_price_chf: number | null
  /** `YYYY-MM-DD`, as `begins` and `ends` in the festival's zone. */
  regular_price_since: string | null
  /** The day on which the deal begins. */
  begins: string
  /** Its last day; null: it has no end. */
  ends: string | null
}): StruckPriceFault | null {
  const { price_chf, regular_price_chf, regular_price_since: since } = deal
  if (regular_price_chf === null) return null
  if (price_chf === null) return { field: 'regular_price_chf', key: 'struck_needs_amount' }
  if (regular_price_chf <= price_chf) return { field: 'regular_price_chf', key: 'struck_not_lower' }
  if (since === null) return { field: 'regular_price_since', key: 'struck_needs_since' }
  const days = daysBetween(since, deal.begins)
  if (days <= 0) return { field: 'regular_price_since', key: 'struck_since_later' }
  if (days >= regularPriceDays) return null
  const most = Math.floor(days / 2)
  if (deal.ends === null) return { field: 'regular_price_since', key: 'struck_needs_end', days, most }
  if (daysBetween(deal.begins, deal.ends) + 1 > most)
    return { field: 'regular_price_since', key: 'struck_too_long', days, most }
  return null
}

const dayMs = 24 * 60 * 60_000
const daysBetween = (from: string, until: string) =>
  Math.round((Date.parse(`${until}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / dayMs)
