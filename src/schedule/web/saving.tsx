import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { currentSession } from '../../accounts/web/session.ts'
import { picksMost, picksOf } from '../../kit/browser/picks.ts'
import type { ToastNote } from '../../kit/browser/ui/Toast.tsx'
import { savedEventsPage } from '../../site-map.ts'
import { clash } from '../times.ts'
import { add, entryOf, eventPicks, pick, remove, unpick, type EventPick, type SavedEvent } from './my-schedule.ts'
import type { ScheduleEntry } from '../contract.ts'

/** Asks what to do with an event that clashes with saved ones. */
export interface ClashQuestion {
  event: SavedEvent
  others: { event_id: string; title: string; starts_at: string; ends_at: string | null; entry_id: string | null }[]
}

interface SavingMessage {
  note?: ToastNote
  question?: ClashQuestion | null
}

const host: { show: ((message: SavingMessage) => void) | null; early: SavingMessage | null } = {
  show: null,
  early: null,
}

/** Sets who shows toasts and questions of all buttons, including the last one from before; null removes it. See SavingParts. */
export function hostOfSaving(show: typeof host.show): void {
  host.show = show
  if (show && host.early) show(host.early)
  host.early = null
}

function showAtHost(message: SavingMessage): void {
  if (host.show) host.show(message)
  else host.early = message
}

/** Saves and removes events with one tap, for guests and accounts. */
export function useSaving() {
  const t = useTranslations('saving')
  const navigate = useNavigate()
  const [texts] = useState(() => ({ note: (note: ToastNote) => showAtHost({ note }) }))
  const { note } = texts

  function saveAnyway(event: SavedEvent, replaced: ClashQuestion['others'] = []) {
    if (currentSession() === 'guest') {
      unpick(replaced.map(({ event_id }) => event_id))
      if (!pick(event)) return note({ text: t('phoneFull', { n: picksMost }) })
      return note({ text: t('picked'), action: { label: t('picks'), onClick: () => void navigate(savedEventsPage) } })
    }
    const gone = replaced.map(({ event_id }) => entryOf(event_id)).filter((each) => each !== undefined)
    void add(event, {}, gone)
    const undo = () => {
      void remove(event)
      for (const each of gone) bringBack(each)
    }
    note({ text: t('added'), action: { label: t('undo'), onClick: undo } })
  }

  const bringBack = (entry: ScheduleEntry) => void add(entry.event, entryFieldsOf(entry))

  function unsave(event: SavedEvent) {
    if (currentSession() === 'guest') {
      unpick([event.event_id])
      return note({ text: t('removed'), action: { label: t('undo'), onClick: () => void pick(event) } })
    }
    const entry = entryOf(event.event_id)
    void remove(event)
    const undo = () => (entry ? bringBack(entry) : saveAnyway(event))
    note({ text: t('removed'), action: { label: t('undo'), onClick: undo } })
  }

  /** Saves an event; asks first if it clashes with saved ones. */
  function save(event: SavedEvent, saved: readonly ScheduleEntry[]) {
    const others = currentSession() === 'guest' ? clashingPicks(event) : clashingEntries(event, saved)
    if (others.length > 0 && event.status !== 'cancelled') showAtHost({ question: { event, others } })
    else saveAnyway(event)
  }

  return { save, saveAnyway, unsave }
}

export const entryFieldsOf = ({ priority, note, reminders }: ScheduleEntry) => ({ priority, note, reminders })

const timed = ({ event_id, starts_at, ends_at }: Pick<SavedEvent, 'event_id' | 'starts_at' | 'ends_at'>) => ({
  event_id,
  starts_at,
  ends_at,
  venue: null,
})

const clashingPicks = (event: SavedEvent) =>
  picksOf<EventPick>(eventPicks)
    .map(({ id, ...rest }) => ({ event_id: id, entry_id: null, ...rest }))
    .filter((each) => each.event_id !== event.event_id && clash(timed(each), timed(event)))

const clashingEntries = (event: SavedEvent, saved: readonly ScheduleEntry[]) =>
  saved
    .filter((each) => each.event.status !== 'cancelled' && each.event.event_id !== event.event_id)
    .filter((each) => clash(each.event, timed(event)))
    .map(({ entry_id, event: { event_id, title, starts_at, ends_at } }) => ({
      entry_id,
      event_id,
      title,
      starts_at,
      ends_at,
    }))
