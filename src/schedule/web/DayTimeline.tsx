import { useState, type ReactNode } from 'react'
import Footprints from 'lucide-react/icons/footprints'
import TriangleAlert from 'lucide-react/icons/triangle-exclamation-point'
import Utensils from 'lucide-react/icons/utensils'
import { useTranslations } from 'use-intl'
import type { ListedEvent } from '../../events/contract.ts'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { longestGapMinutes } from '../limits.ts'
import { gapMinutes, inOrder, placeOf, runningInto, sharedMinutes, startOf, wayBetween, type Way } from '../times.ts'
import { GapDeals } from './GapDeals.tsx'
import { useTimes } from './use-times.ts'

/** Events of a day in order, with the way to each from the one before: whether there is time, and when to leave. */
export function DayTimeline({
  events,
  shows = () => true,
  withDeals = false,
  children,
}: {
  /** All of the day. */
  events: ListedEvent[]
  /** Which of them this list shows; default: all. */
  shows?: (event: ListedEvent) => boolean
  /** true: offers deals in long gaps. */
  withDeals?: boolean
  children: (event: ListedEvent) => ReactNode
}) {
  const ordered = events.toSorted(inOrder)
  const taking = ordered.filter(({ status }) => status !== 'cancelled')
  const first = ordered.find(shows)
  return (
    <ol className="grid grid-cols-1">
      {ordered.map((event, index) => {
        if (!shows(event)) return null
        const { clashes, last: before } = runningInto(event, taking.includes(event) ? taking : [])
        return (
          <li key={event.event_id} className="grid min-w-0 grid-cols-1">
            {before && (
              <Between from={before} to={event} clashes={clashes} above={ordered[index - 1]} withDeals={withDeals} />
            )}
            {!before && event !== first && <div className="h-3" />}
            {children(event)}
          </li>
        )
      })}
    </ol>
  )
}

const edges = {
  fits: 'border-moss-text',
  tight: 'border-lantern',
  impossible: 'border-action',
} as const

function Between({
  from,
  to,
  clashes,
  above,
  withDeals,
}: {
  from: ListedEvent
  to: ListedEvent
  clashes: ListedEvent[]
  /** The event of the card above. */
  above: ListedEvent | undefined
  withDeals: boolean
}) {
  const t = useTranslations('schedule')
  const { now } = useTimes()
  const [open, setOpen] = useState(false)
  const way = wayBetween(from, to)
  const isClash = clashes.length > 0
  const isGap = way.gap >= gapMinutes && way.gap <= longestGapMinutes
  const hasDeals = withDeals && isGap && placeOf(from) && placeOf(to) && startOf(to) > now
  const edge = isClash ? edges.impossible : edges[way.fit]
  const Icon = isClash || way.fit === 'impossible' ? TriangleAlert : Footprints
  return (
    <div className={`my-1 ml-6 grid grid-cols-1 gap-2 border-l-6 border-dotted py-3 pl-4 sm:ml-12 ${edge}`}>
      <p className="flex items-start gap-2">
        <Icon aria-hidden="true" className="mt-0.5 size-5 shrink-0" />
        <span className="min-w-0 [overflow-wrap:anywhere]">
          {clashes.map((each) => (
            <strong key={each.event_id} className="block">
              {t('clashesFor', {
                title: to.title,
                earlier: each.title,
                isAbove: each === above ? 'yes' : 'no',
                ...hours(sharedMinutes(each, to)),
              })}
            </strong>
          ))}
          {!isClash && <WayText way={way} />}
        </span>
      </p>
      {hasDeals && (
        <div className="grid justify-items-start gap-3">
          <Button
            aria-expanded={open}
            icon={<Utensils aria-hidden="true" className="size-5" />}
            onClick={() => setOpen(!open)}
          >
            {t('gapDeals')}
          </Button>
          {open && <GapDeals from={from.event_id} to={to.event_id} />}
        </div>
      )}
    </div>
  )
}

/** Values for "90 min" or "2 h 15 min": below two hours, minutes alone. */
const hours = (minutes: number) =>
  minutes < 120 ? { h: 0, min: minutes } : { h: Math.floor(minutes / 60), min: minutes % 60 }

/** "40 min free, about 9 min on foot: leave at 20:41". */
function WayText({ way: { gap, walk, fit, leave_at } }: { way: Way }) {
  const t = useTranslations('schedule')
  const { clock } = useTimes()
  const time = clock(leave_at)
  const free = t('free', { h: Math.floor(gap / 60), min: gap % 60 })
  if (fit === 'impossible')
    return (
      <>
        <strong>{t('fit.impossible')}</strong> {t('tooFar', { gap, walk, time, missed: walk - gap })}
      </>
    )
  const way = walk === 0 ? t('samePlace') : t('onFoot', { n: walk })
  return (
    <>
      {fit === 'tight' ? <strong>{t('fit.tight')}</strong> : <span className="sr-only">{t('fit.fits')}</span>} {free},{' '}
      {walk > 0 ? t.rich('thenLeave', { way, time, leave: (text) => <strong>{text}</strong> }) : way}
    </>
  )
}
