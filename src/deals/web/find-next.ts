import { ask, type Carrier } from '../../kit/browser/asking.ts'
import type { Position } from '../../kit/shared/geo.ts'
import { withDistance } from './with-distance.ts'
import { searchDeals } from './calls.ts'
import { cardDeal, type CardDeal } from './card-deal.ts'

const looksAt = 50
const farKm = 50

/**
 * Where nothing is found: the deal with these words and of this category that can be used soonest, by its time and then
 * its distance; null where there is none.
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
    limit: looksAt,
    hide_sponsored: true,
  }
  const { answer } = await ask(by, searchDeals, { query })
  const known = (answer?.body ?? []).filter((deal) => deal.usable_now || deal.usable_from !== null)
  const [soonest] = known.toSorted((a, b) => startOf(a) - startOf(b))
  return soonest ? cardDeal(withDistance(soonest, from)) : null
}

const startOf = ({ usable_now, usable_from }: Pick<CardDeal, 'usable_now' | 'usable_from'>) =>
  usable_now ? 0 : Date.parse(usable_from!)
