import { picksMost } from '../../kit/browser/picks.ts'

/** The events to be brought in next: as many as go at once of those that are not there yet. */
export const nextToBring = (events: readonly { event_id: string }[], there: ReadonlySet<string>): string[] =>
  events.flatMap(({ event_id }) => (there.has(event_id) ? [] : event_id)).slice(0, picksMost)
