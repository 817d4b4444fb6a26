import { useState, type ReactNode } from 'react'
import Bell from 'lucide-react/icons/bell'
import NotebookPen from 'lucide-react/icons/notebook-pen'
import Trash2 from 'lucide-react/icons/trash'
import { useTranslations } from 'use-intl'
import { cardEvent } from '../../events/web/card-event.ts'
import { EventItem } from '../../events/web/EventItem.tsx'
import { IconButton } from '../../kit/browser/ui/Button.tsx'
import { priorities } from '../autoplan.ts'
import type { ScheduleEntry } from '../contract.ts'
import EntryDialog from './EntryDialog.tsx'
import { change, remove } from './my-schedule.ts'
import { remindersText } from './reminders-text.ts'
import type { ShowNote } from './show-note.ts'
import { bringBack } from './use-saving.ts'

/** An event of my schedule with its priority, note and reminders. */
export function EntryCard({
  entry,
  showNote,
  mark,
}: {
  entry: ScheduleEntry
  showNote: ShowNote
  /** The friends who saved it too. */
  mark?: ReactNode
}) {
  const t = useTranslations('schedule')
  const saving = useTranslations('saving')
  const [isOpen, setOpen] = useState(false)
  // a new key resets the dialog; it is not rendered before it is opened, because that would load its texts for each card
  const [openings, setOpenings] = useState(0)
  const open = () => {
    setOpenings(openings + 1)
    setOpen(true)
  }
  const { event, note, reminders, priority } = entry
  const unsave = () => {
    void remove(event)
    const undo = () => void bringBack(entry)
    showNote(t('removed', { title: event.title }), { label: t('undo'), onClick: undo })
  }
  return (
    <EventItem
      event={cardEvent(event)}
      badge={mark}
      beside={
        <span className="flex flex-wrap justify-end">
          <IconButton
            label={t('edit', { title: event.title })}
            icon={<NotebookPen aria-hidden="true" className="size-5" />}
            onClick={open}
          />
          <IconButton
            label={t('remove', { title: event.title })}
            icon={<Trash2 aria-hidden="true" className="size-5" />}
            data-removes
            onClick={({ currentTarget }) => {
              if (currentTarget.matches(':focus-visible')) focusBeside(currentTarget)
              unsave()
            }}
          />
        </span>
      }
    >
      {note && (
        <p className="border-l-6 border-lantern pl-3 text-sm whitespace-pre-line [overflow-wrap:anywhere]">{note}</p>
      )}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <fieldset className="flex max-w-full min-w-0 flex-wrap gap-0.5 rounded-6 border-2 border-rule bg-rule">
          <legend className="sr-only">{t('priorityOf', { title: event.title })}</legend>
          {priorities.map((each) => (
            <label
              key={each}
              className="relative flex min-h-11 grow items-center justify-center bg-surface px-2 text-sm font-semibold sm:px-3 has-checked:bg-ink has-checked:text-page has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus"
            >
              <input
                type="radio"
                name={`priority-${entry.entry_id}`}
                checked={priority === each}
                onChange={() => void change(event, { priority: each })}
                className="absolute inset-0 cursor-pointer opacity-0"
              />
              {t(`priority.${each}`)}
            </label>
          ))}
        </fieldset>
        {reminders.length > 0 && (
          <p className="inline-flex items-center gap-1.5 text-sm">
            <Bell aria-hidden="true" className="size-4" />
            {saving('remindersSet', remindersText(reminders))}
          </p>
        )}
      </div>
      {openings > 0 && <EntryDialog key={openings} entry={entry} open={isOpen} onClose={() => setOpen(false)} />}
    </EventItem>
  )
}

/** Moves the focus after a removal by keyboard: to the next remove button, else the one before, else the page. */
function focusBeside(button: HTMLElement) {
  const all = [...document.querySelectorAll<HTMLElement>('[data-removes]')]
  const at = all.indexOf(button)
  const next = all[at + 1] ?? all[at - 1]
  if (next) next.focus()
  else document.getElementById('main')?.focus({ preventScroll: true })
}
