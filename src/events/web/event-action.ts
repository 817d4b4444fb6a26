import { createContext, type ReactNode } from 'react'
import type { CardEvent } from './card-event.ts'

/** What an action knows of an event. */
export type ActionEvent = Pick<CardEvent, 'event_id' | 'title' | 'status' | 'starts_at' | 'ends_at'>

/**
 * Draws what stands beside an event in lists and on its page, such as the button of a higher room that saves it. The roof
 * says what; null: nothing. `whole`: there is room for words; `isOver`: by the clock of the page.
 */
export const EventAction = createContext<((event: ActionEvent, whole: boolean, isOver: boolean) => ReactNode) | null>(
  null,
)
