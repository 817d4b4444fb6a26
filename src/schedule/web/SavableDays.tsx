import type { ListedEvent } from '../../events/contract.ts'
import { cardEvent } from '../../events/web/card-event.ts'
import { EventItem } from '../../events/web/EventItem.tsx'
import { byFestivalDay } from '../times.ts'
import { AddToSchedule } from './AddToSchedule.tsx'
import { DayTimeline } from './DayTimeline.tsx'
import type { MarkOf } from './FriendMark.tsx'
import { useTimes } from './use-times.ts'

/** Events by day, each with its save button; `markOf` draws who else saved it. */
export function SavableDays({ events, markOf }: { events: readonly ListedEvent[]; markOf?: MarkOf | null }) {
  const { day, isOver } = useTimes()
  return byFestivalDay(events, (event) => event.festival_day).map(([festivalDay, ofDay]) => (
    <section key={festivalDay} aria-label={day(festivalDay)} className="grid max-w-3xl gap-4">
      <h2>{day(festivalDay)}</h2>
      <DayTimeline events={ofDay}>
        {(event) => (
          <EventItem
            event={cardEvent(event)}
            badge={markOf?.(event.event_id)}
            beside={<AddToSchedule event={event} isOver={isOver(event)} />}
          />
        )}
      </DayTimeline>
    </section>
  ))
}
