import { useTranslations } from 'use-intl'
import { categoryFill, toCategory } from '../../brand/category.ts'
import { CategoryGlyph } from '../../brand/CategoryGlyph.tsx'
import { Card, CardLink, CardPicture } from '../../kit/browser/ui/Card.tsx'
import { eventPage } from '../../site-map.ts'
import type { CardEvent } from './card-event.ts'
import { eventPicture } from './event-picture.ts'
import { EventSlots } from './EventSlots.tsx'

/** An event as a card: picture or poster, title, time, place and price. The whole card is the link. */
export function EventCard({ event }: { event: CardEvent }) {
  const categoryName = useTranslations('categories')
  const category = toCategory(event.category)
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
      <h3 className="line-clamp-3 text-lg leading-tight font-bold [overflow-wrap:anywhere]">
        <CardLink href={eventPage(event.event_id)}>{event.title}</CardLink>
      </h3>
      <EventSlots event={event} withStart />
    </Card>
  )
}
