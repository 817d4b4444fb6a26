import { useLoaderData, type LoaderFunctionArgs } from 'react-router'
import { EventAction } from '../../events/web/event-action.ts'
import EventPage, { loader as loadEvent } from '../../events/web/EventScreen.tsx'
import { TopicsAbout, topicsAbout } from '../../forum/web/TopicsAbout.tsx'
import { saveButton } from '../../schedule/web/AddToSchedule.tsx'
import { SavingHost } from '../../schedule/web/SavingHost.tsx'

async function load(args: LoaderFunctionArgs) {
  const [event, topics] = await Promise.all([loadEvent(args), topicsAbout(args.context, args.params['event_id'] ?? '')])
  return { ...event, topics }
}
export { load as loader, load as clientLoader }

/** The page of an event with its way into the schedule, and what the forum says about it. */
export default function EventScreen() {
  const { event, topics } = useLoaderData<typeof load>()
  return (
    <EventAction value={saveButton}>
      <EventPage>
        <TopicsAbout eventId={event.event_id} topics={topics} />
      </EventPage>
      <SavingHost />
    </EventAction>
  )
}
