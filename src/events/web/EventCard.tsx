import { useTranslations } from 'use-intl'
import { Badge } from '../../brand/Badge.tsx'
import { categoryFill, toCategory } from '../../brand/category.ts'
import { CategoryGlyph } from '../../brand/CategoryGlyph.tsx'
import { chf } from '../../kit/shared/numbers.ts'
import { Card, CardLink, CardPicture } from '../../kit/browser/ui/Card.tsx'
import { OpenState } from '../../kit/browser/ui/OpenState.tsx'
import { eventPage } from '../../site-map.ts'
import type { CardEvent } from './card-event.ts'
import { eventPicture } from './event-picture.ts'
import { useEventWhen } from './use-event-when.ts'

/** An event as a card: picture or poster, title, time and place. The whole card is the link. */
export function EventCard({ event }: { event: CardEvent }) {
  const t = useTranslations('events')
  const categoryName = useTranslations('categories')
  const when = useEventWhen()
  const soon = when.soon(event)
  const category = toCategory(event.category)
  const place = [event.stage, event.venue].filter(Boolean).join(', ')
  return (
    <Card
      layout="auto"
      className="h-full"
      picture={
        <>
          <CardPicture src={eventPicture(event)} />
          <span
            className={`absolute bottom-0 left-0 grid size-8 place-items-center rounded-tr-6 border-t-2 border-r-2 border-rule ${categoryFill[category]}`}
          >
            <CategoryGlyph category={category} label={categoryName(category)} className="size-5" />
          </span>
        </>
      }
    >
      {event.status === 'cancelled' && (
        <p>
          <Badge tone="wine">{t('status.cancelled')}</Badge>
        </p>
      )}
      {(event.status === 'moved' || event.status === 'delayed') && (
        <p>
          <Badge tone="lantern">{t(`status.${event.status}`)}</Badge>
        </p>
      )}
      <h3 className="line-clamp-3 text-lg leading-tight font-bold [overflow-wrap:anywhere]">
        <CardLink href={eventPage(event.event_id)}>{event.title}</CardLink>
      </h3>
      <p className="text-sm text-ink-soft [overflow-wrap:anywhere]">{place || t('placeUnknown')}</p>
      <p className="mt-auto flex flex-wrap items-center gap-x-3 gap-y-0.5 pt-1">
        {when.isOver(event) ? (
          <OpenState state="closed">{`${when.start(event)} · ${t('over')}`}</OpenState>
        ) : (
          <OpenState state={soon?.live ? 'live' : 'soon'}>{soon?.text ?? when.start(event)}</OpenState>
        )}
        {event.price_chf !== undefined && (
          <span className="figure text-sm">{event.price_chf === 0 ? t('free') : chf(event.price_chf)}</span>
        )}
      </p>
    </Card>
  )
}
