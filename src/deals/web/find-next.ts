import { ask, type Carrier } from '../../kit/browser/ask.ts'
import type { Position } from '../../kit/shared/geo.ts'
import { withDistance } from './with-distance.ts'
import { searchDeals } from '../contract.ts'
import { cardDeal, type CardDeal } from './card-deal.ts'

const farKm = 50

/**
 * For an empty result: the deal with these words and this category that can be used soonest (it may not have begun), the nearest of
 * several; null: none.
 */
export async function findNext(
  by: Carrier,
  { q, category, max_price }: { q?: string | undefined; category?: string | undefined; max_price?: string | undefined },
  from: Position,
): Promise<CardDeal | null> {
  const query = {
    q,
    category,
    max_price: max_price === undefined ? undefined : Number(max_price),
    lat: from.latitude,
    lon: from.longitude,
    radius: farKm,
    sort: 'soonest' as const,
    limit: 1,
    hide_sponsored: true,
  }
  const { answer } = await ask(by, searchDeals, { query })
  const soonest = answer?.body[0]
  // with unknown hours nobody knows when
  const isKnown = soonest && soonest.open_now !== null && (soonest.usable_now || soonest.usable_from !== null)
  return isKnown ? cardDeal(withDistance(soonest, from)) : null
}
