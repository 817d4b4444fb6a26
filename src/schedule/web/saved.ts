import { useSyncExternalStore } from 'react'
import { currentSession } from '../../accounts/web/session.ts'
import { followPicks, picksOf } from '../../kit/browser/picks.ts'
import type { eventPicks, SavedEvent } from './my-schedule.ts'

/** What the save buttons of a page need from the beginning. All else of the schedule comes once the page is alive. */

// the same as in my-schedule.ts, which is not there yet
const picked: typeof eventPicks = 'schedule'

const schedule: { has: (eventId: string) => boolean } = { has: () => false }
const listeners = new Set<() => void>()

/** What is in the schedule of who is logged in, told whenever it changes. */
export function tellSaved(isIn: (eventId: string) => boolean): void {
  schedule.has = isIn
  for (const tell of listeners) tell()
}

/** As guest on this phone, logged in in the schedule. */
export const isSaved = (eventId: string): boolean =>
  currentSession() === 'guest' ? picksOf(picked).some(({ id }) => id === eventId) : schedule.has(eventId)

/** The same, followed. Of hundreds of buttons only the one that changes is drawn again. */
export function useIsSaved(eventId: string): boolean {
  return useSyncExternalStore(
    follow,
    () => isSaved(eventId),
    () => false,
  )
}

function follow(tell: () => void) {
  listeners.add(tell)
  const leave = followPicks(tell)
  return () => {
    listeners.delete(tell)
    leave()
  }
}

const presses: { answer: ((event: SavedEvent) => void) | null; early: SavedEvent[] } = { answer: null, early: [] }

/** The button of an event was pressed. */
export function press(event: SavedEvent): void {
  if (presses.answer) presses.answer(event)
  else presses.early.push(event)
}

/** The one place of a page that answers presses, also those from before it was there; null: it has left. */
export function answerPresses(by: typeof presses.answer): void {
  presses.answer = by
  if (by) for (const event of presses.early.splice(0)) by(event)
}
