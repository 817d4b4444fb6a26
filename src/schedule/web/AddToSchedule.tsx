import CalendarCheck from 'lucide-react/icons/calendar-check'
import CalendarPlus from 'lucide-react/icons/calendar-plus'
import { useTranslations } from 'use-intl'
import { useSession } from '../../accounts/web/session.ts'
import { ActionBar } from '../../kit/browser/ui/ActionBar.tsx'
import { Button, IconButton } from '../../kit/browser/ui/Button.tsx'
import { scheduleAction } from '../policy.ts'
import type { SavedEvent } from './my-schedule.ts'
import { press, useIsSaved } from './saved.ts'

/**
 * A button that saves or removes an event with one tap; guests save on their phone. Merchants, who have no schedule, see none.
 * `whole`: the main button of the event's page. `isOver`: by the clock of the page.
 */
export function AddToSchedule({
  event,
  whole = false,
  isOver,
}: {
  event: SavedEvent
  whole?: boolean
  isOver: boolean
}) {
  const t = useTranslations('saveEvent')
  const session = useSession()
  const isSaved = useIsSaved(event.event_id)
  if (session === 'business') return null
  if (scheduleAction(event, { isSaved, isOver }) === null) return null
  const Icon = isSaved ? CalendarCheck : CalendarPlus
  const icon = <Icon aria-hidden="true" className="size-5 shrink-0" />
  if (whole)
    return (
      <ActionBar needsScript>
        <Button
          variant={isSaved ? 'secondary' : 'primary'}
          size="lg"
          wide
          icon={icon}
          aria-pressed={isSaved}
          onClick={() => press(event)}
        >
          {isSaved ? t('saved') : t('save')}
        </Button>
      </ActionBar>
    )
  return (
    <IconButton
      label={t('saveNamed', { title: event.title })}
      pressed={isSaved}
      icon={icon}
      onClick={() => press(event)}
      className="z-10 noscript:hidden print-hidden aria-pressed:[&_svg]:fill-none"
    />
  )
}

/** The button for lists of lower rooms, by `EventAction`. */
export const saveButton = (event: SavedEvent, whole: boolean, isOver: boolean) => (
  <AddToSchedule event={event} whole={whole} isOver={isOver} />
)
