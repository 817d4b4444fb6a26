import type { Tier } from '../businesses/contract.ts'

/** Rules of deals that need no database: the server enforces them, the screens tell them beforehand. */

/** Deals that may be published at once, by tier; null: as many as they like. */
export const activeDealLimits = { FREE: 10, PREMIUM: 50, ULTIMATE: null } as const satisfies Record<Tier, number | null>

/** The tier in which more deals may be published; null: there is none above. */
export const tierAbove: Record<Tier, Tier | null> = { FREE: 'PREMIUM', PREMIUM: 'ULTIMATE', ULTIMATE: null }

/** A price typed as an amount in CHF, "12.50" or "CHF 12"; null for any other words. */
export function amountIn(text: string | null): number | null {
  const amount = /^(?:CHF|Fr\.?)?\s*(\d{1,6}(?:[.,]\d{1,2})?)(?:[.,][–-])?$/i.exec(text?.trim() ?? '')?.[1]
  return amount === undefined ? null : Number(amount.replace(',', '.'))
}

/** Days for which a price must have been asked, so that it may be struck out for as long as one likes. */
export const regularPriceDays = 30

export type StruckPriceFault =
  | { field: 'regular_price_chf'; key: 'struck_needs_amount' | 'struck_not_lower' }
  | { field: 'regular_price_since'; key: 'struck_needs_since' | 'struck_since_later' }
  | { field: 'regular_price_since'; key: 'struck_needs_end' | 'struck_too_long'; days: number; most: number }

/**
 * Why a deal may not show its usual price struck out; null when it may. By the Swiss Price Disclosure Ordinance
 * (PBV, SR 942.211, art. 16): the usual price was asked for at least 30 consecutive days before, or else it may be
 * compared with for half the time for which it was asked, and never for longer than two months.
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
