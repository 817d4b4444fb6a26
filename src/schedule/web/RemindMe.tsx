import { useState } from 'react'
import Bell from 'lucide-react/icons/bell'
import BellPlus from 'lucide-react/icons/bell-plus'
import { useTranslations } from 'use-intl'
import { late } from '../../kit/browser/late.tsx'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { useMySchedule } from './my-schedule.ts'
import { remindersTold } from './reminders-told.ts'

const EntryDialog = late(() => import('./LateEntryDialog.tsx'))

/** Beside a saved event: when to be reminded of it. Guests and events that are not saved have no reminder. */
export function RemindMe({ event }: { event: { event_id: string; status: string } }) {
  const t = useTranslations('saving')
  const { entries, pending } = useMySchedule()
  const [isOpen, setOpen] = useState(false)
  const entry = entries?.find((each) => each.event.event_id === event.event_id)
  if (!entry || pending.get(event.event_id) === 'removing' || event.status === 'ended' || event.status === 'cancelled')
    return null
  const Icon = entry.reminders.length > 0 ? Bell : BellPlus
  return (
    <>
      <Button
        size="lg"
        icon={<Icon aria-hidden="true" className="size-5" />}
        onClick={() => setOpen(true)}
        className="print-hidden"
      >
        {entry.reminders.length > 0
          ? t('reminded', { told: t('remindersSet', remindersTold(entry.reminders)) })
          : t('remind')}
      </Button>
      {isOpen && <EntryDialog entry={entry} open onClose={() => setOpen(false)} />}
    </>
  )
}
