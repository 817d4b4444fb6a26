import { EventAction, type ActionEvent } from '../../events/web/event-action.ts'
import EventScreen from '../../events/web/EventScreen.tsx'
import { AddToSchedule } from '../../schedule/web/AddToSchedule.tsx'
import { RemindMe } from '../../schedule/web/RemindMe.tsx'
import { SavingHost } from '../../schedule/web/SavingHost.tsx'

export { clientLoader, loader } from '../../events/web/EventScreen.tsx'

/** The page of an event with its way into the schedule. */
export default function EventWithSchedule() {
  return (
    <EventAction value={actions}>
      <EventScreen />
      <SavingHost />
    </EventAction>
  )
}

const actions = (event: ActionEvent, whole: boolean) => (
  <>
    <AddToSchedule event={event} whole={whole} />
    {whole && <RemindMe event={event} />}
  </>
)
