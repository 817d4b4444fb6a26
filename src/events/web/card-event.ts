import type { ListedEvent } from '../contract.ts'

/** What the grid shows of an event: a page of 300 events carries no more. */
export type GridEvent = Pick<
  ListedEvent,
  'event_id' | 'title' | 'category' | 'status' | 'starts_at' | 'ends_at' | 'stage_id' | 'stage'
>

/** What a list and a card show of it; what there is nothing to say of is left out, because a page may list a hundred. */
export interface CardEvent extends GridEvent {
  price_chf?: number
  venue?: string
  /** Names that the title does not say already. */
  performers?: string
  age_min?: number
}

export function gridEvent(event: ListedEvent): GridEvent {
  const { event_id, title, category, status, starts_at, ends_at, stage_id, stage } = event
  return { event_id, title, category, status, starts_at, ends_at, stage_id, stage }
}

export function cardEvent(event: ListedEvent): CardEvent {
  const { title, stage, price_chf, age_min } = event
  const venue = event.venue?.venue_name
  const performers = event.performers
    .map(({ performer_name }) => performer_name)
    .filter((name) => !title.toLowerCase().includes(name.toLowerCase()))
  return {
    ...gridEvent(event),
    ...(price_chf === null ? {} : { price_chf }),
    ...(age_min === null ? {} : { age_min }),
    ...(venue && venue !== stage ? { venue } : {}),
    ...(performers.length > 0 ? { performers: performers.join(', ') } : {}),
  }
}

/** An event without an end counts for an hour. ms since 1970. */
export function overAt({ starts_at, ends_at }: Pick<ListedEvent, 'starts_at' | 'ends_at'>): number {
  return ends_at === null ? Date.parse(starts_at) + 60 * 60_000 : Date.parse(ends_at)
}
