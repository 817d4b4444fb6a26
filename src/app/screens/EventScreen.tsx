import 'texts:categories,event,events,saveEvent'
import { useLoaderData, type LoaderFunctionArgs } from 'react-router'
import { EventAction } from '../../events/web/event-action.ts'
import EventPage, { loader as loadEvent } from '../../events/web/EventScreen.tsx'
import TopicsAbout from '../../forum/web/TopicsAbout.tsx'
import { late, suspended } from '../../kit/browser/late.tsx'
import { SavingHost } from '../../schedule/web/SavingHost.tsx'
import { scheduleBar } from '../../schedule/web/ScheduleBar.tsx'

/** Hydrated late, since it is far down; servers render it at once. */
const Topics = import.meta.env.SSR ? suspended(TopicsAbout) : late(() => import('../../forum/web/TopicsAbout.tsx'))

async function load(args: LoaderFunctionArgs) {
  const [event, topics] = await Promise.all([loadEvent(args), topicsOf(args)])
  return { ...event, topics }
}
export { load as loader, load as clientLoader }

async function topicsOf({ context, params }: LoaderFunctionArgs) {
  const part = await import('../../forum/web/topics-about.ts').catch(() => null)
  return part ? part.topicsAbout(context, params['event_id'] ?? '') : []
}

/** The page of an event, with the button that saves it and topics of the forum about it. */
export default function EventScreen() {
  const { event, topics } = useLoaderData<typeof load>()
  return (
    <EventAction value={scheduleBar}>
      <EventPage>
        <Topics eventId={event.event_id} topics={topics} />
      </EventPage>
      <SavingHost />
    </EventAction>
  )
}
