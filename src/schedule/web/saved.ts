import { useSyncExternalStore } from 'react'
import { currentSession } from '../../accounts/web/session.ts'
import { followPicks, picksOf, scheduleOutbox } from '../../kit/browser/picks.ts'
import type { SavedEvent } from './my-schedule.ts'

/** The part of the schedule that save buttons need at hydration; the rest is loaded later (SavingHost). */

const schedule: { has: (eventId: string) => boolean } = { has: () => false }
const listeners = new Set<() => void>()

/** Called by SavingParts after each change of the schedule; `isIn` answers whether an event is in it. */
export function updateSaved(isIn: (eventId: string) => boolean): void {
  schedule.has = isIn
  for (const notify of listeners) notify()
}

/** True: a guest saved the event on this phone, or it is in the account's schedule. */
export const isSaved = (eventId: string): boolean =>
  currentSession() === 'guest' ? picksOf(scheduleOutbox).some(({ id }) => id === eventId) : schedule.has(eventId)

/** `isSaved` as a hook. Of hundreds of buttons only the changed one renders again. */
export function useIsSaved(eventId: string): boolean {
  return useSyncExternalStore(
    follow,
    () => isSaved(eventId),
    () => false,
  )
}

function follow(notify: () => void) {
  listeners.add(notify)
  const leave = followPicks(notify)
  return () => {
    listeners.delete(notify)
    leave()
  }
}

const presses: { answer: ((event: SavedEvent) => void) | null; early: SavedEvent[] } = { answer: null, early: [] }

/** Called by the button of an event. */
export function press(event: SavedEvent): void {
  if (presses.answer) presses.answer(event)
  else presses.early.push(event)
}

/** Sets the handler of presses, which also gets earlier ones; null removes it. */
export function answerPresses(by: typeof presses.answer): void {
  presses.answer = by
  if (by) for (const event of presses.early.splice(0)) by(event)
}
