import type { EventRowState } from '../limits.ts'

/**
 * The fact `event-changed`, which rooms above hear: one event changed so that people who saved it should know. Told in the
 * transaction of the change, by staff and by imports alike; not for drafts and not for new events.
 */
export interface EventChanged {
  event_id: string
  /** What is different. `gone`: it was deleted, or is a draft again; `back`: it was one of these, and people still have it saved. */
  kinds: ('time' | 'place' | 'status' | 'text' | 'gone' | 'back')[]
  /** Of an event that is back: what it is now, with the state `draft`. */
  before: EventState
  /** null: gone */
  after: EventState | null
  /** Of the event after the change, as in iCalendar. */
  sequence: number
}

/** What people remember of an event. */
export interface EventState {
  title: string
  state: EventRowState
  /** ISO 8601 in UTC */
  starts_at: string
  ends_at: string | null
  /** "Rheinbühne, Oberer Rheinweg"; null: not known. */
  place: string | null
}

/** Name of the fact. */
export const eventChanged = 'event-changed'
