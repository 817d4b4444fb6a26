import { createContext, type ReactNode } from 'react'

/** Draws a mark on an event of the timetable, such as the initials of friends; the roof provides it. The function gives null for none. */
export const EventMark = createContext<((eventId: string) => ReactNode | null) | null>(null)
