import { posterImage } from '../../site-map.ts'
import type { Event } from '../contract.ts'

/** The picture that staff chose, else the drawn poster. Only own paths: a foreign host is never asked for a picture. */
export function eventPicture(
  event: Pick<Event, 'event_id' | 'title' | 'category'> & { image_url?: string | null },
): string {
  return (
    ownPicture(event.image_url) ??
    posterImage('event', { id: event.event_id, category: event.category, title: event.title })
  )
}

/** The path of an own picture; null: none, or one on a foreign host. */
export function ownPicture(url: string | null | undefined): string | null {
  return url && /^\/(?![/\\])/.test(url) ? url : null
}
