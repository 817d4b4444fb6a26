import CalendarCheck from 'lucide-react/icons/calendar-check'
import CalendarPlus from 'lucide-react/icons/calendar-plus'
import { useTranslations } from 'use-intl'
import { useSession } from '../../accounts/web/session.ts'
import { IconButton } from '../../kit/browser/ui/Button.tsx'
import { scheduleAction } from '../policy.ts'
import type { SavedEvent } from './my-schedule.ts'
import { press, useIsSaved } from './saved.ts'

/** What the button of an event can do; `action` null: nothing. Guests save on their phone; merchants have no schedule. */
export function useScheduleButton(event: SavedEvent, isOver: boolean) {
  const session = useSession()
  const isSaved = useIsSaved(event.event_id)
  const action = session === 'business' ? null : scheduleAction(event, { isSaved, isOver })
  const Icon = isSaved ? CalendarCheck : CalendarPlus
  return { action, isSaved, icon: <Icon aria-hidden="true" className="size-5 shrink-0" />, press: () => press(event) }
}

/** A small button that saves or removes an event with one tap. `isOver`: by the clock of the page. */
export function AddToSchedule({ event, isOver }: { event: SavedEvent; isOver: boolean }) {
  const t = useTranslations('saveEvent')
  const { action, isSaved, icon, press } = useScheduleButton(event, isOver)
  if (action === null) return null
  return (
    <IconButton
      label={t('saveNamed', { title: event.title })}
      pressed={isSaved}
      icon={icon}
      onClick={press}
      className="z-10 noscript:hidden print-hidden aria-pressed:[&_svg]:fill-none"
    />
  )
}

/** The button for lists of lower rooms, by `EventAction`. */
export const saveButton = (event: SavedEvent, _whole: boolean, isOver: boolean) => (
  <AddToSchedule event={event} isOver={isOver} />
)
