import type { Position } from '../../kit/shared/geo.ts'
import type { ListedEvent } from '../contract.ts'
import { placeOf } from './event-place.ts'

/** An event in one line. */
export interface LineEvent extends Pick<ListedEvent, 'event_id' | 'title' | 'status' | 'starts_at' | 'ends_at'> {
  /** Left out where it is false. */
  all_day?: boolean
}

/** An event in the grid, with few fields, as a page may hold 300. */
export type GridEvent = LineEvent & Pick<ListedEvent, 'category' | 'stage_id' | 'stage'>

/** An event in a list or card. Empty fields are left out, as a page may list a hundred. */
export interface CardEvent extends LineEvent, Pick<ListedEvent, 'category' | 'stage'> {
  price_chf?: number
  venue?: string
  /** To about 10 m. */
  place?: Position
  /** Performers whose names are not in the title. */
  performers?: string
  age_min?: number
  image_url?: string
}

export function lineEvent({ event_id, title, status, starts_at, ends_at, all_day }: ListedEvent): LineEvent {
  return { event_id, title, status, starts_at, ends_at, ...(all_day ? { all_day } : {}) }
}

export function gridEvent(event: ListedEvent): GridEvent {
  const { category, stage_id, stage } = event
  return { ...lineEvent(event), category, stage_id, stage }
}

export function cardEvent(event: ListedEvent): CardEvent {
  const { title, stage, price_chf, age_min, image_url } = event
  const venue = event.venue?.venue_name
  const place = placeOf(event)
  const performers = event.performers
    .map(({ performer_name }) => performer_name)
    .filter((name) => !title.toLowerCase().includes(name.toLowerCase()))
  return {
    ...lineEvent(event),
    category: event.category,
    stage,
    ...(price_chf === null ? {} : { price_chf }),
    ...(age_min === null ? {} : { age_min }),
    ...(image_url === null ? {} : { image_url }),
    ...(venue && venue !== stage ? { venue } : {}),
    ...(place ? { place: { latitude: rounded(place.latitude), longitude: rounded(place.longitude) } } : {}),
    ...(performers.length > 0 ? { performers: performers.join(', ') } : {}),
  }
}

const rounded = (degrees: number) => Math.round(degrees * 1e4) / 1e4

const dayMs = 24 * 60 * 60_000
/** True: the event lasts longer than a day, so that its times need their days. */
export const isLong = (event: Pick<ListedEvent, 'starts_at' | 'ends_at'>) =>
  overAt(event) - Date.parse(event.starts_at) > dayMs

/** When an event is over, ms since 1970; one without an end counts for an hour. */
export function overAt({ starts_at, ends_at }: Pick<ListedEvent, 'starts_at' | 'ends_at'>): number {
  return ends_at === null ? Date.parse(starts_at) + 60 * 60_000 : Date.parse(ends_at)
}
