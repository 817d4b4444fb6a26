import CalendarCheck from 'lucide-react/icons/calendar-check'
import CalendarPlus from 'lucide-react/icons/calendar-plus'
import { useTranslations } from 'use-intl'
import { useSession } from '../../accounts/web/session.ts'
import { Button, IconButton } from '../../kit/browser/ui/Button.tsx'
import type { SavedEvent } from './my-schedule.ts'
import { press, useIsSaved } from './saved.ts'

/**
 * A button that saves or removes an event with one tap; guests save on their phone. Merchants, who have no schedule, see none.
 * `whole`: with its label. `isOver`: a past event can only be removed.
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
  // a saved event can be removed even if it is over or cancelled
  if ((isOver || event.status === 'cancelled') && !isSaved) return null
  const Icon = isSaved ? CalendarCheck : CalendarPlus
  const icon = <Icon aria-hidden="true" className="size-5 shrink-0" />
  if (whole)
    return (
      <Button
        variant={isSaved ? 'secondary' : 'primary'}
        size="lg"
        icon={icon}
        aria-pressed={isSaved}
        onClick={() => press(event)}
        className="noscript:hidden print-hidden"
      >
        {isSaved ? t('saved') : t('save')}
      </Button>
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
