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

const ofFoundOnes = ['match', 'distance_km', 'sponsored', 'rank_reason'] as const satisfies (keyof FoundDeal)[]

/** What a card says of a deal. */
export type CardDeal = Pick<Deal, (typeof ofEveryDeal)[number]> &
  Partial<Pick<FoundDeal, (typeof ofFoundOnes)[number] | 'status'>>

/**
 * A deal as far as its card needs it. Loader data travel in the document beside what is drawn of them, so a list sends
 * no descriptions and conditions along that nobody sees in it.
 */
export function cardDeal(deal: Deal | ListedDeal | FoundDeal): CardDeal {
  const all = deal as FoundDeal
  const shown: Record<string, unknown> = {}
  for (const name of [...ofEveryDeal, ...ofFoundOnes]) if (all[name] !== undefined) shown[name] = all[name]
  // where it is known when the deal can be used, nobody reads the hours of the place
  if (import.meta.env.SSR && all.usable_now !== null) shown['open_until'] = shown['opens_at'] = null
  // lists hold active ones alone
  if (all.status !== 'active') shown['status'] = all.status
  return shown as unknown as CardDeal
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

/** A deal as far as the map needs it, for the same reason. */
export function mapListDeal(deal: FoundDeal): MapListDeal {
  const shown: Record<string, unknown> = {}
  for (const name of onMap) shown[name] = deal[name]
  return shown as unknown as MapListDeal
}
