import type { FoundDeal } from '../contract.ts'
import type { DealSort, FoundRow } from './store.ts'

/** The reason, shown to people, that best explains the place of a deal in a list. */
export function rankReason(
  found: Omit<FoundRow, 'deal' | 'total' | 'all_paid'> & {
    deal: Pick<FoundRow['deal'], 'rating_sum' | 'rating_count' | 'hours_known_now'>
  },
  sort: DealSort,
): FoundDeal['rank_reason'] {
  if (found.sponsored) return 'sponsored'
  if (found.distance_km === null) return 'no_location'
  if (sort === 'distance') return 'near'
  if (sort === 'new') return 'new'
  if (sort === 'ending_soon') return found.ending_soon ? 'ending_soon' : 'near'
  const { rating_count, rating_sum } = found.deal
  const wellRated = rating_count >= 3 && rating_sum / rating_count >= 4
  if (sort === 'rating') return wellRated ? 'well_rated' : 'near'
  if (found.matched) return 'match'
  if (found.phase === 0) return 'open_now'
  if (found.phase === 1) return 'starts_soon'
  if (found.ending_soon) return 'ending_soon'
  if (wellRated) return 'well_rated'
  if (found.phase !== 2) return 'near'
  return found.deal.hours_known_now ? 'later_today' : 'hours_unknown'
}
