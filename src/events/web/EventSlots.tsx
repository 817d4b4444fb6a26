import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Badge } from '../../brand/Badge.tsx'
import { isInTime, useHereAndNow } from '../../kit/browser/here-and-now.ts'
import { CardSlots } from '../../kit/browser/ui/CardSlots.tsx'
import { OpenState } from '../../kit/browser/ui/OpenState.tsx'
import { Price } from '../../kit/browser/ui/Price.tsx'
import { chfDisplay } from '../../kit/shared/numbers.ts'
import type { CardEvent } from './card-event.ts'
import { useEventWhen } from './use-event-when.ts'

/** When, where and how much of an event, on each of its cards and rows. */
export function EventSlots({
  event,
  withStart = false,
  badge,
}: {
  event: CardEvent
  /** Names the start too, where it does not stand beside the title. */
  withStart?: boolean
  badge?: ReactNode
}) {
  const t = useTranslations('events')
  const sayWay = useTranslations('way')
  const when = useEventWhen()
  const here = useHereAndNow()
  const { status, stage, venue, price_chf: price, age_min: age } = event
  const isOver = when.isOver(event)
  const soon = when.soon(event)
  const way = isOver ? null : here.way(event.place ?? {})
  const isTooFar = soon?.live === true && !isInTime(way, event.ends_at, here.now)
  const place = [stage, venue].filter(Boolean).join(', ')
  const start = withStart && when.start(event)
  return (
    <CardSlots
      when={
        <>
          {(status === 'cancelled' || status === 'moved' || status === 'delayed') && (
            <Badge tone={status === 'cancelled' ? 'wine' : 'lantern'}>{t(`status.${status}`)}</Badge>
          )}
          {isOver && status !== 'cancelled' ? (
            <OpenState state="closed">{start ? `${start} · ${t('over')}` : t('over')}</OpenState>
          ) : soon ? (
            <OpenState state={isTooFar ? 'closed' : soon.live ? 'live' : 'soon'}>{soon.text}</OpenState>
          ) : (
            start && <OpenState state="soon">{start}</OpenState>
          )}
          {isTooFar && <span className="font-semibold text-ink-soft">{sayWay('tooFar')}</span>}
          {badge}
        </>
      }
      where={place || t('placeUnknown')}
      way={way}
      price={
        <>
          {price !== undefined && <Price>{price === 0 ? t('free') : chfDisplay(price)}</Price>}
          {age !== undefined && <span className="text-sm text-ink-soft">{t('age', { n: age })}</span>}
        </>
      }
    />
  )
}
