import { createContext, type ReactNode } from 'react'
import type { CardEvent } from './card-event.ts'

/** The fields of an event that an action gets. */
export type ActionEvent = Pick<
  CardEvent,
  'event_id' | 'title' | 'status' | 'starts_at' | 'ends_at' | 'all_day' | 'place'
>

/**
 * Draws the action beside an event, such as the save button of a higher room; the roof provides it. null: none.
 * `whole`: with its label; `isOver`: by the clock of the page.
 */
export const EventAction = createContext<((event: ActionEvent, whole: boolean, isOver: boolean) => ReactNode) | null>(
  null,
)

/** Draws a mark on an event of the timetable, such as the initials of friends, or null; the roof provides it. null: none. */
export const EventMark = createContext<((eventId: string) => ReactNode) | null>(null)
