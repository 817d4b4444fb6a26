import { ask, type Carrier } from '../../kit/browser/asking.ts'
import type { Position } from '../../kit/shared/geo.ts'
import { withDistance } from './with-distance.ts'
import { searchDeals } from '../contract.ts'
import { cardDeal, type CardDeal } from './card-deal.ts'

const farKm = 50

/**
 * Where nothing is found: the deal with these words and of this category that can be used soonest, also one that has not
 * started, and the nearest of these; null where there is none.
 */
export async function findNext(
  by: Carrier,
  { q, category }: { q?: string | undefined; category?: string | undefined },
  from: Position,
): Promise<CardDeal | null> {
  const query = {
    q,
    category,
    lat: from.latitude,
    lon: from.longitude,
    radius: farKm,
    sort: 'soonest' as const,
    limit: 1,
    hide_sponsored: true,
  }
  const { answer } = await ask(by, searchDeals, { query })
  const soonest = answer?.body[0]
  // of unknown hours nobody can say when
  const isKnown = soonest && soonest.open_now !== null && (soonest.usable_now || soonest.usable_from !== null)
  return isKnown ? cardDeal(withDistance(soonest, from)) : null
}
