import type { ReactNode } from 'react'
import Tag from 'lucide-react/icons/tag'
import type { Way } from '../../kit/browser/here-and-now.ts'
import { CardSlots } from '../../kit/browser/ui/CardSlots.tsx'
import { OpenState } from '../../kit/browser/ui/OpenState.tsx'
import { useWhen, type Opening } from '../../kit/browser/when.ts'

/** When a merchant is open, where it is, and how many deals it has, on each of its cards and rows. */
export function BusinessSlots({
  business,
  where,
  way = null,
  deals,
}: {
  business: Opening
  where: ReactNode
  way?: Way | null
  /** The number of live deals in words; false: not shown. */
  deals: ReactNode
}) {
  const open = useWhen().opening(business)
  return (
    <CardSlots
      when={<OpenState state={open.state}>{open.text}</OpenState>}
      where={where && <span className="line-clamp-2">{where}</span>}
      way={way}
      price={deals && <LiveDeals>{deals}</LiveDeals>}
    />
  )
}

/** In the place of a price: what a merchant offers. */
export function LiveDeals({ children }: { children: ReactNode }) {
  return (
    <span className="inline-flex items-center gap-1.5 text-sm font-semibold text-action-text">
      <Tag aria-hidden="true" className="size-4" />
      {children}
    </span>
  )
}
