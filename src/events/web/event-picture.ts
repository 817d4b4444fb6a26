import { posterImage } from '../../site-map.ts'
import type { Event } from '../contract.ts'

/** The picture that staff chose, if it is on this site, else the drawn poster. Visitors never load pictures from other hosts. */
export function eventPicture(
  event: Pick<Event, 'event_id' | 'title' | 'category'> & { image_url?: string | null },
): string {
  return (
    ownPicture(event.image_url) ??
    posterImage('event', { id: event.event_id, category: event.category, title: event.title })
  )
}

/** The path of a picture on this site; null: no picture, or one on another host. */
export function ownPicture(url: string | null | undefined): string | null {
  return url && /^\/(?![/\\])/.test(url) ? url : null
}
