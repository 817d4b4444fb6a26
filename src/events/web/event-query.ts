import { eventsPage } from '../../site-map.ts'

/** The query of `/events`, as text. `earlier`: in a list of all days, those before the festival or before today. */
export const queryNames = ['day', 'view', 'q', 'category', 'stage', 'venue', 'free', 'family', 'earlier'] as const
export type EventQuery = Partial<Record<(typeof queryNames)[number], string>>

/** Names of what narrows the list beside the day. */
export const narrowing = ['q', 'category', 'stage', 'venue', 'free', 'family'] as const

/** `/events` as it is, but for these changes; null takes a part away. */
export function eventsWith(query: EventQuery, changes: { [Name in keyof EventQuery]?: string | null }): string {
  return eventsPage({ ...query, ...changes })
}

/** True for what a ticked box or a hand-made link says. */
export const isOn = (value: string | undefined) => value !== undefined && /^(true|1|on|yes)$/i.test(value)
