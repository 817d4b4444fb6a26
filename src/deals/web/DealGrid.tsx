import { useDeferredValue, type ReactNode } from 'react'
import { useNavigation } from 'react-router'
import { CardSkeletons } from '../../kit/browser/ui/Skeleton.tsx'
import { useLongerThan } from '../../kit/browser/use-longer-than.ts'
import { page } from '../../site-map.ts'
import { DealCard } from './DealCard.tsx'
import type { DealList } from './load-deals.ts'

const grid = 'grid gap-3 sm:grid-cols-2 sm:gap-5 lg:grid-cols-3 xl:grid-cols-4'

/** Skeletons instead of the list while new filters take long to load. */
export function Waiting({ count, children }: { count: number; children: ReactNode }) {
  return useLongWait() ? (
    <div className={grid}>
      <CardSkeletons count={Math.min(8, Math.max(4, count))} />
    </div>
  ) : (
    children
  )
}

/** Cards that a screen shows at most. */
const cardsAtOnce = 8

/** After a change of filters, visible cards are painted first, the others after that. */
export function Cards({ deals }: { deals: DealList['deals'] }) {
  const isPainted = useDeferredValue(deals) === deals
  return (
    <ul className={`${grid} prints-as-list`}>
      {(isPainted ? deals : deals.slice(0, cardsAtOnce)).map((deal, index) => (
        <li key={deal.deal_id} className="drawn-when-near min-w-0">
          <DealCard deal={deal} eager={index === 0} headingLevel="h2" />
        </li>
      ))}
    </ul>
  )
}

const patienceMs = 250

/** Whether loading new filters takes long enough to show it. */
function useLongWait(): boolean {
  const { state, location } = useNavigation()
  const isWaiting = state === 'loading' && location.pathname === page.deals
  return useLongerThan(patienceMs, isWaiting)
}
