import type { EventRowState } from '../limits.ts'

/**
 * The fact `event-changed` for the rooms above: people who saved the event should know of a change, by staff or an import.
 * Published by a job after the change; not for drafts, and not for new events.
 */
export interface EventChanged {
  event_id: string
  /** What changed. `gone`: deleted or a draft again; `back`: published again while people still have it saved. */
  kinds: ('time' | 'place' | 'status' | 'text' | 'gone' | 'back')[]
  /** Before the change. Of an event that is `back`, the present event with the state `draft`. */
  before: EventState
  /** null: gone */
  after: EventState | null
  /** SEQUENCE of iCalendar after the change. */
  sequence: number
}

/** What a notification says of an event. */
export interface EventState {
  title: string
  state: EventRowState
  /** ISO 8601 in UTC */
  starts_at: string
  ends_at: string | null
  /** "Rheinbühne, Oberer Rheinweg"; null: not known. */
  place: string | null
}

export const eventChanged = 'event-changed'
