import { picksMost } from '../../kit/browser/picks.ts'

/** Ids of the next events to import: those not in the schedule yet, as many as one request takes. */
export const nextToBring = (events: readonly { event_id: string }[], there: ReadonlySet<string>): string[] =>
  events.flatMap(({ event_id }) => (there.has(event_id) ? [] : event_id)).slice(0, picksMost)
