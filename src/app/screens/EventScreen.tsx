import { EventAction } from '../../events/web/event-action.ts'
import EventScreen from '../../events/web/EventScreen.tsx'
import { saveButton } from '../../schedule/web/AddToSchedule.tsx'
import { SavingHost } from '../../schedule/web/SavingHost.tsx'

export { clientLoader, loader } from '../../events/web/EventScreen.tsx'

/** The page of an event with its way into the schedule. */
export default function EventWithSchedule() {
  return (
    <EventAction value={saveButton}>
      <EventScreen />
      <SavingHost />
    </EventAction>
  )
}
