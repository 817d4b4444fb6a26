import type { LoaderFunctionArgs } from 'react-router'
import { type FoundDeal, listDeals, type ListedDeal, searchDeals } from '../../deals/contract.ts'
import { cardDeal } from '../../deals/web/card-deal.ts'
import { listEvents, listNowNext } from '../../events/contract.ts'
import { cardEvent } from '../../events/web/card-event.ts'
import { ask, pageContext } from '../../kit/browser/ask.ts'
import { serverTime } from '../../kit/browser/server-time.ts'
import { todayEnd } from '../../kit/shared/calendar.ts'
import { actsOf, dealsOf } from './choose-tonight.ts'
import { featured } from './featured.ts'
import { dealsShown } from './home-data.ts'

const eventsShown = 3

/** What plays now, deals that can be used now, promoted ones first, and the next events. Home opens without them too. */
export async function load({ context }: LoaderFunctionArgs) {
  const firstBest = 6 * dealsShown
  const [premium, best, next, stages] = await Promise.all([
    ask(context, searchDeals, { query: { sponsored: true, limit: 3 * dealsShown } }),
    ask(context, listDeals, { query: { sort: 'best', limit: firstBest } }),
    ask(context, listEvents, { query: { upcoming: true, not_begun: true, limit: eventsShown } }),
    ask(context, listNowNext),
  ])
  const promoted: FoundDeal[] = premium.answer?.body ?? []
  const others: ListedDeal[] = best.answer?.body ?? []
  const { zone } = context.get(pageContext).festival
  const now = serverTime()
  const at = { now, tonight: todayEnd(zone, now) }
  const chosen = () => featured(promoted, others, dealsShown, at)
  // one merchant may fill the whole first part of the list
  if (others.length === firstBest && chosen().length < dealsShown) {
    const more = await ask(context, listDeals, { query: { sort: 'best', limit: 100, offset: firstBest } })
    others.push(...(more.answer?.body ?? []))
  }
  const deals = chosen()
  const coming = next.answer?.body ?? []
  return {
    acts: actsOf(stages.answer?.body ?? [], coming, now),
    tonight: dealsOf(others, deals),
    // without the distance, which the search measured from the festival's centre, not from the visitor
    featured: deals.map((deal) => ({
      ...cardDeal(deal),
      distance_km: null,
    })),
    upcoming: coming.map(cardEvent),
  }
}
