import { useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { Dialog } from '../../kit/browser/ui/Dialog.tsx'
import { TextArea } from '../../kit/browser/ui/TextArea.tsx'
import type { ScheduleEntry } from '../contract.ts'
import { noteLength, reminderMinutes, remindersMost } from '../limits.ts'
import { change } from './my-schedule.ts'
import { differing } from './schedule-intents.ts'

/** Edits note and reminders of an entry. */
export default function EntryDialog({
  entry,
  open,
  onClose,
}: {
  entry: ScheduleEntry
  open: boolean
  onClose: () => void
}) {
  const t = useTranslations('schedule')
  const [opened] = useState(entry)
  const [note, setNote] = useState(entry.note ?? '')
  const [reminders, setReminders] = useState(entry.reminders)
  const left = noteLength - [...note].length
  const area = useRef<HTMLTextAreaElement>(null)
  const save = () => {
    // the field shows the error already
    if (left < 0) return area.current?.focus()
    // only changed fields: another device may have changed the others
    const changed = differing({ note: note.trim() || null, reminders }, opened)
    if (Object.keys(changed).length > 0) void change(entry.event, changed)
    onClose()
  }
  const toggle = (minutes: number) =>
    setReminders(
      reminders.includes(minutes)
        ? reminders.filter((each) => each !== minutes)
        : [...reminders, minutes].toSorted((a, b) => a - b),
    )
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={entry.event.title}
      closeLabel={t('close')}
      actions={
        <>
          <Button variant="primary" onClick={save}>
            {t('save')}
          </Button>
          <Button onClick={onClose}>{t('cancel')}</Button>
        </>
      }
    >
      <TextArea
        ref={area}
        label={t('note')}
        help={t('noteHelp', { n: Math.max(0, left) })}
        error={left < 0 ? t('noteTooLong', { n: -left }) : undefined}
        rows={3}
        value={note}
        onChange={({ currentTarget }) => setNote(currentTarget.value)}
      />
      <fieldset className="grid gap-1.5">
        <legend className="text-sm font-semibold">{t('reminders')}</legend>
        <div className="flex flex-wrap gap-2 pt-1.5">
          {reminderMinutes.map((minutes) => (
            <label
              key={minutes}
              className="relative flex min-h-11 items-center rounded-6 border-2 border-rule px-3 text-sm font-semibold has-checked:bg-ink has-checked:text-page has-disabled:opacity-55 has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus"
            >
              <input
                type="checkbox"
                checked={reminders.includes(minutes)}
                disabled={!reminders.includes(minutes) && reminders.length >= remindersMost}
                onChange={() => toggle(minutes)}
                className="absolute inset-0 cursor-pointer opacity-0"
              />
              {t('minutesBefore', { n: minutes })}
            </label>
          ))}
        </div>
        <p className="text-sm text-ink-soft">{t('remindersHelp', { n: remindersMost })}</p>
      </fieldset>
    </Dialog>
  )
}
