import { eventsPage } from '../../site-map.ts'

/** The query of `/events`. `earlier`: in a list of all days, past days that are not of the festival. */
export const queryNames = ['day', 'view', 'q', 'category', 'stage', 'venue', 'free', 'family', 'earlier'] as const
export type EventQuery = Partial<Record<(typeof queryNames)[number], string>>

/** The filters beside the day. */
export const narrowing = ['q', 'category', 'stage', 'venue', 'free', 'family'] as const

/** The address of `/events` with changes; null removes a parameter. */
export function eventsWith(query: EventQuery, changes: { [Name in keyof EventQuery]?: string | null }): string {
  return eventsPage({ ...query, ...changes })
}

/** True for the value of a ticked box, and for words that people type into links. */
export const isOn = (value: string | undefined) => value !== undefined && /^(true|1|on|yes)$/i.test(value)
