import { CalendarCheck, CalendarPlus } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { useKnownSession } from '../../accounts/web/session.ts'
import { Button, IconButton } from '../../kit/browser/ui/Button.tsx'
import { savedEntries, useIsSaved, type SavedEvent } from './my-schedule.ts'
import { useSaving } from './saving.tsx'

/**
 * One tap saves an event, another one removes it; guests keep it on their phone. Merchants have no schedule and see none.
 * `whole`: with its words, where there is room for them.
 */
export function AddToSchedule({ event, whole = false }: { event: SavedEvent; whole?: boolean }) {
  const t = useTranslations('saving')
  const session = useKnownSession()
  const isSaved = useIsSaved(event.event_id)
  const { save, letGo } = useSaving()
  if (session === 'business') return null
  const press = () => (isSaved ? void letGo(event) : save(event, savedEntries()))
  const Icon = isSaved ? CalendarCheck : CalendarPlus
  const icon = <Icon aria-hidden="true" className="size-5" />
  if (whole)
    return (
      <Button
        variant={isSaved ? 'secondary' : 'primary'}
        size="lg"
        icon={icon}
        aria-pressed={isSaved}
        onClick={press}
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
      onClick={press}
      className="z-10 noscript:hidden print-hidden aria-pressed:[&_svg]:fill-none"
    />
  )
}

/** For lists of lower rooms, which know no button. */
export const saveButton = (event: SavedEvent, whole: boolean) => <AddToSchedule event={event} whole={whole} />
