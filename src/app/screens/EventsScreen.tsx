import 'texts:categories,events,friends,saveEvent'
import { useSearchParams } from 'react-router'
import { EventAction } from '../../events/web/event-action.ts'
import { EventMark } from '../../events/web/event-mark.ts'
import EventsScreen from '../../events/web/EventsScreen.tsx'
import { late, suspended } from '../../kit/browser/late.tsx'
import { saveButton } from '../../schedule/web/AddToSchedule.tsx'
import { FriendsHere } from '../../schedule/web/FriendsHere.tsx'
import { useFriendMarks } from '../../schedule/web/FriendMark.tsx'
import SavedEvents from '../../schedule/web/SavedEvents.tsx'
import { SavingHost } from '../../schedule/web/SavingHost.tsx'

export { clientLoader, loader } from '../../events/web/EventsScreen.tsx'

/** Loaded when needed, since few people open it; servers render it at once. */
const Saved = import.meta.env.SSR ? suspended(SavedEvents) : late(() => import('../../schedule/web/SavedEvents.tsx'))

/** The programme, each event with the button that saves it, and friends on the timetable; with `saved=1` the events that a guest has picked. */
export default function EventsWithSchedule() {
  const [query] = useSearchParams()
  const markOf = useFriendMarks()
  return (
    <EventAction value={saveButton}>
      {query.get('saved') === '1' ? (
        <Saved />
      ) : (
        <EventMark value={markOf}>
          <EventsScreen aboveTimetable={<FriendsHere />} />
        </EventMark>
      )}
      <SavingHost />
    </EventAction>
  )
}
