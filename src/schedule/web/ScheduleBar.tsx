import { useTranslations } from 'use-intl'
import { ActionBar } from '../../kit/browser/ui/ActionBar.tsx'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { AddToSchedule, useScheduleButton } from './AddToSchedule.tsx'
import type { SavedEvent } from './my-schedule.ts'

/** The main button of an event's page. */
function ScheduleBar({ event, isOver }: { event: SavedEvent; isOver: boolean }) {
  const t = useTranslations('saveEvent')
  const { action, isSaved, icon, press } = useScheduleButton(event, isOver)
  if (action === null) return null
  return (
    <ActionBar needsScript>
      <Button
        variant={isSaved ? 'secondary' : 'primary'}
        size="lg"
        wide
        icon={icon}
        aria-pressed={isSaved}
        onClick={press}
      >
        {isSaved ? t('saved') : t('save')}
      </Button>
    </ActionBar>
  )
}

/** The buttons of an event's page, by `EventAction`: the main one (`whole`), and those of other events. */
export const scheduleBar = (event: SavedEvent, whole: boolean, isOver: boolean) =>
  whole ? <ScheduleBar event={event} isOver={isOver} /> : <AddToSchedule event={event} isOver={isOver} />
