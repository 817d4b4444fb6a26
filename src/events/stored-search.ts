import { fold } from '../kit/shared/search-fold.ts'
import type { ListedEvent } from './contract.ts'

export interface EventQuestion {
  q?: string | undefined
  category?: string | undefined
  stage?: string | undefined
  venue?: string | undefined
  free: boolean
  family: boolean
}

/**
 * Filters stored events by the rules of the server (events/server/store/programme.ts), in order of time. Words are looked for in
 * titles, performers and places: lists have no descriptions.
 */
export function searchStoredEvents(events: readonly ListedEvent[], asked: EventQuestion): ListedEvent[] {
  const words = fold(asked.q ?? '')
    .split(' ')
    .filter(Boolean)
    .slice(0, 8)
  const isOnce = new Map(events.map((event) => [event.event_id, event]))
  return [...isOnce.values()]
    .filter(
      (event) =>
        (!asked.category || event.category === asked.category) &&
        (!asked.stage || event.stage_id === asked.stage) &&
        (!asked.venue || event.venue?.venue_id === asked.venue) &&
        (!asked.free || event.price_chf === 0) &&
        (!asked.family || event.family_friendly) &&
        (!asked.q || (words.length > 0 && words.every((word) => textOf(event).includes(` ${word}`)))),
    )
    .toSorted((one, other) => order(one.starts_at, other.starts_at) || order(one.event_id, other.event_id))
}

const order = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)

/** The folded words of an event, each after a space. */
const textOf = ({ title, performers, stage, venue }: ListedEvent) =>
  ` ${fold([title, ...performers.map(({ performer_name }) => performer_name), stage ?? '', venue?.venue_name ?? ''].join(' '))}`
