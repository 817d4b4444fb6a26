import type { Deal, FoundDeal, ListedDeal } from '../contract.ts'

const ofEveryDeal = [
  'deal_id',
  'deal_name',
  'lang',
  'business_name',
  'category',
  'image_url',
  'is_premium',
  'discount',
  'price',
  'price_chf',
  'regular_price_chf',
  'regular_price_since',
  'latitude',
  'longitude',
  'usable_now',
  'usable_from',
  'usable_until',
  'over_at',
  'active_days',
  'start_time',
  'end_time',
  'open_now',
  'open_until',
  'opens_at',
  'rating_mean',
  'rating_count',
] as const satisfies (keyof Deal)[]

const ofFoundDeals = ['match', 'distance_km', 'sponsored', 'rank_reason'] as const satisfies (keyof FoundDeal)[]

/** The fields that a card shows. */
export type CardDeal = Pick<Deal, (typeof ofEveryDeal)[number]> &
  Partial<Pick<FoundDeal, (typeof ofFoundDeals)[number] | 'status'>> & { isFromCentre?: boolean }

/**
 * The deal with the fields of its card only. Loader data are sent in the document beside the rendered page, and descriptions and
 * terms would be sent for nothing.
 */
export function cardDeal(deal: Deal | ListedDeal | FoundDeal): CardDeal {
  const all = deal as FoundDeal
  const card: Record<string, unknown> = {}
  for (const name of [...ofEveryDeal, ...ofFoundDeals]) if (all[name] !== undefined) card[name] = all[name]
  // a card shows the hours of the place only where the deal's own are unknown
  if (import.meta.env.SSR && all.usable_now !== null) card['open_until'] = card['opens_at'] = null
  if (all.match === null) delete card['match']
  // in lists nearly all are active, so that is the default
  if (all.status !== 'active') card['status'] = all.status
  return card as unknown as CardDeal
}

/** A deal as the map's list and card show it. */
export type MapListDeal = Pick<FoundDeal, (typeof onMap)[number]>

const onMap = [
  ...ofEveryDeal,
  'business_id',
  'description',
  'distance_km',
  'sponsored',
] as const satisfies (keyof FoundDeal)[]

/** The deal with these fields only, for the same reason. */
export function mapListDeal(deal: FoundDeal): MapListDeal {
  const shown: Record<string, unknown> = {}
  for (const name of onMap) shown[name] = deal[name]
  return shown as unknown as MapListDeal
}
