import 'texts:categories,events,saveEvent'
import { useSearchParams } from 'react-router'
import { EventAction } from '../../events/web/event-action.ts'
import EventsScreen from '../../events/web/EventsScreen.tsx'
import { late, suspended } from '../../kit/browser/late.tsx'
import { saveButton } from '../../schedule/web/AddToSchedule.tsx'
import SavedEvents from '../../schedule/web/SavedEvents.tsx'
import { SavingHost } from '../../schedule/web/SavingHost.tsx'
import { SavedTabs } from './SavedTabs.tsx'

export { clientLoader, loader } from '../../events/web/EventsScreen.tsx'

/** Loaded when needed, since few people open it; servers render it at once. */
const Saved = import.meta.env.SSR ? suspended(SavedEvents) : late(() => import('../../schedule/web/SavedEvents.tsx'))

/** The programme, each event with the button that saves it; with `saved=1` the events that a guest has picked. */
export default function EventsWithSchedule() {
  const [query] = useSearchParams()
  return (
    <EventAction value={saveButton}>
      {query.get('saved') === '1' ? <Saved tabs={<SavedTabs current="events" />} /> : <EventsScreen />}
      <SavingHost />
    </EventAction>
  )
}
