import { useNavigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { currentSession } from '../../accounts/web/session.ts'
import { picksMost, picksOf, scheduleOutbox } from '../../kit/browser/picks.ts'
import type { ToastNote } from '../../kit/browser/ui/Toast.tsx'
import { loginPageWithNext, page, savedEventsPage } from '../../site-map.ts'
import { clash } from '../times.ts'
import { add, change, entryOf, pick, remove, unpick, type EventPick, type SavedEvent } from './my-schedule.ts'
import type { ScheduleEntry } from '../contract.ts'
import * as reminders from './reminder-question.ts'
import { usualReminder } from './reminder-question.ts'

/** Time to read and answer a question. */
const questionMs = 20_000

/** Asks what to do with an event that clashes with saved ones. */
export interface ClashQuestion {
  event: SavedEvent
  others: Omit<SavedEvent, 'status'>[]
}

/** Saves and removes events with one tap, for guests and accounts. */
export function useSaving(showNote: (note: ToastNote) => void, ask: (question: ClashQuestion) => void) {
  const t = useTranslations('saving')
  const navigate = useNavigate()

  function saveAnyway(event: SavedEvent, replaced: ClashQuestion['others'] = []) {
    if (currentSession() === 'guest') {
      unpick(replaced.map(({ event_id }) => event_id))
      if (!pick(event)) return showNote({ text: t('phoneFull', { n: picksMost }) })
      const toAccount = () => void navigate(loginPageWithNext(page.userLogin, page.mySchedule))
      return showNote({
        text: t('picked'),
        action: { label: t('picks'), onClick: () => void navigate(savedEventsPage) },
        ...(reminders.mayAsk(event) && {
          question: { yes: { label: t('remind.account'), onClick: toAccount } },
          stayMs: questionMs,
        }),
      })
    }
    const gone = replaced.map(({ event_id }) => entryOf(event_id)).filter((each) => each !== undefined)
    void add(event, {}, gone)
    const undo = () => {
      void remove(event)
      for (const each of gone) void bringBack(each)
    }
    const isAsked = reminders.mayAsk(event)
    showNote({
      text: t('added'),
      action: { label: t('undo'), onClick: undo },
      ...(isAsked && {
        question: {
          text: t('remind.ask', { n: usualReminder }),
          yes: { label: t('remind.yes'), onClick: () => void remind(event) },
        },
        stayMs: questionMs,
      }),
    })
    if (isAsked) reminders.prepare()
  }

  /** For this event and, as the default of the account, for all later ones. */
  async function remind(event: SavedEvent) {
    void change(event, { reminders: [usualReminder] })
    const { reach, email, refused } = await reminders.switchOn()
    if (refused) return showNote({ text: refused.error || t('remind.failed') })
    showNote({ text: t(`remind.${reach}`, { n: usualReminder, email }) })
  }

  function unsave(event: SavedEvent) {
    if (currentSession() === 'guest') {
      unpick([event.event_id])
      return showNote({ text: t('removed'), action: { label: t('undo'), onClick: () => void pick(event) } })
    }
    const entry = entryOf(event.event_id)
    void remove(event)
    const undo = () => (entry ? void bringBack(entry) : saveAnyway(event))
    showNote({ text: t('removed'), action: { label: t('undo'), onClick: undo } })
  }

  /** Saves an event; asks first if it clashes with saved ones. */
  function save(event: SavedEvent, saved: readonly ScheduleEntry[]) {
    const others = clashing(event, saved)
    if (others.length > 0 && event.status !== 'cancelled') ask({ event, others })
    else saveAnyway(event)
  }

  return { save, saveAnyway, unsave }
}

/** Adds a removed entry again, with all that its owner had set. */
export const bringBack = ({ event, priority, note, reminders }: ScheduleEntry) =>
  add(event, { priority, note, reminders })

function clashing(event: SavedEvent, saved: readonly ScheduleEntry[]): ClashQuestion['others'] {
  const others =
    currentSession() === 'guest'
      ? picksOf<EventPick>(scheduleOutbox).map(({ id, ...pick }) => ({ event_id: id, ...pick }))
      : saved.flatMap((entry) => (entry.event.status === 'cancelled' ? [] : entry.event))
  return others.filter((other) => other.event_id !== event.event_id && clash(other, event))
}
