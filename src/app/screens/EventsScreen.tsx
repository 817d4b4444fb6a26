import 'texts:categories,events,saveEvent'
import { memo, useState } from 'react'
import { useSearchParams } from 'react-router'
import { EventAction, EventMark } from '../../events/web/event-action.ts'
import EventsScreen from '../../events/web/EventsScreen.tsx'
import { useHydrated } from '../../kit/browser/hydrated.ts'
import { late, suspended } from '../../kit/browser/late.tsx'
import { saveButton } from '../../schedule/web/AddToSchedule.tsx'
import type { MarkOf } from '../../schedule/web/FriendMark.tsx'
import SavedEvents from '../../schedule/web/SavedEvents.tsx'
import { SavingHost } from '../../schedule/web/SavingHost.tsx'
import { SavedTabs } from './SavedTabs.tsx'

export { clientLoader, loader } from '../../events/web/EventsScreen.tsx'

/**
 * Loaded when needed, since few people open it; servers render it at once. `memo`, because a part that is rendered again before it is
 * hydrated would disappear.
 */
const Saved = import.meta.env.SSR
  ? suspended(SavedEvents)
  : memo(late(() => import('../../schedule/web/SavedEvents.tsx')))

const savedTabs = <SavedTabs current="events" />

const Friends = late(() => import('../../schedule/web/FriendsOnTimetable.tsx'))

/** The programme, each event with the button that saves it, and friends on the timetable; with `saved=1` the events that a guest has picked. */
export default function EventsWithSchedule() {
  const [query] = useSearchParams()
  const alive = useHydrated()
  // in an object, because React calls a function that it gets as a state
  const [{ markOf }, setMark] = useState<{ markOf: MarkOf | null }>({ markOf: null })
  return (
    <EventAction value={saveButton}>
      {query.get('saved') === '1' ? (
        <Saved tabs={savedTabs} />
      ) : (
        <EventMark value={markOf}>
          <EventsScreen aboveTimetable={alive && <Friends onMark={setMark} />} />
        </EventMark>
      )}
      <SavingHost />
    </EventAction>
  )
}
