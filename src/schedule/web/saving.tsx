import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { currentSession } from '../../accounts/web/session.ts'
import { picksMost, picksOf } from '../../kit/browser/picks.ts'
import type { ToastNote } from '../../kit/browser/ui/Toast.tsx'
import { savedEventsPage } from '../../site-map.ts'
import { clash } from '../times.ts'
import {
  add,
  entryOf,
  eventPicks,
  isInSchedule,
  pick,
  remove,
  unpick,
  type EventPick,
  type SavedEvent,
} from './my-schedule.ts'
import type { ScheduleEntry } from '../contract.ts'

/** A question about an event that runs at the same time as saved ones. */
export interface ClashQuestion {
  event: SavedEvent
  others: { event_id: string; title: string; starts_at: string; ends_at: string | null; entry_id: string | null }[]
}

interface Told {
  note?: ToastNote
  question?: ClashQuestion | null
}

let host: ((told: Told) => void) | null = null
/** What was told before the host was there. */
let missed: Told | null = null

/** The one place of a page that shows questions and notes of all its buttons; see SavingParts. */
export function hostOfSaving(tell: ((told: Told) => void) | null): void {
  host = tell
  if (tell && missed) tell(missed)
  missed = null
}

function tellHost(told: Told): void {
  if (host) host(told)
  else missed = told
}

/** Saving and removing an event with one tap, as guest or logged in. */
export function useSaving() {
  const t = useTranslations('saving')
  const navigate = useNavigate()
  const [texts] = useState(() => ({ note: (note: ToastNote) => tellHost({ note }) }))
  const { note } = texts
  const failed = (error: string) => note({ text: error || t('failed') })

  async function keep(event: SavedEvent, replaced: ClashQuestion['others'] = []) {
    if (currentSession() === 'guest') {
      unpick(replaced.map(({ event_id }) => event_id))
      if (!pick(event)) return note({ text: t('phoneFull', { n: picksMost }) })
      return note({ text: t('picked'), action: { label: t('picks'), onClick: () => void navigate(savedEventsPage) } })
    }
    const gone = replaced.map(({ event_id }) => entryOf(event_id)).filter((each) => each !== undefined)
    const refused = await add(event, { replaces: gone.map(({ entry_id }) => entry_id) })
    if (refused) return failed(refused.error)
    // taken back while it was on its way
    if (!isInSchedule(event.event_id)) return
    note({ text: t('added'), action: { label: t('undo'), onClick: () => void takeBack(event, gone) } })
  }

  async function takeBack(event: SavedEvent, gone: ScheduleEntry[]) {
    const entry = entryOf(event.event_id)
    const refused = entry ? await remove(entry) : null
    if (refused) failed(refused.error)
    for (const each of gone) await bringBack(each)
  }

  async function bringBack(entry: ScheduleEntry) {
    const refused = await add(entry.event, besideOf(entry))
    if (refused) failed(refused.error)
  }

  async function letGo(event: SavedEvent) {
    if (currentSession() === 'guest') {
      unpick([event.event_id])
      return note({ text: t('removed'), action: { label: t('undo'), onClick: () => void pick(event) } })
    }
    // none yet while it is being added
    const entry = entryOf(event.event_id)
    const refused = await remove(entry ?? { event })
    if (refused) return failed(refused.error)
    if (isInSchedule(event.event_id)) return
    const undo = () => void (entry ? bringBack(entry) : keep(event))
    note({ text: t('removed'), action: { label: t('undo'), onClick: undo } })
  }

  /** Asks first where it clashes with what is saved. */
  function save(event: SavedEvent, saved: readonly ScheduleEntry[]) {
    const others = currentSession() === 'guest' ? clashingPicks(event) : clashingEntries(event, saved)
    if (others.length > 0 && event.status !== 'cancelled') tellHost({ question: { event, others } })
    else void keep(event)
  }

  return { save, keep, letGo }
}

export const besideOf = ({ priority, note, reminders }: ScheduleEntry) => ({ priority, note, reminders })

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
