import { posterImage } from '../../site-map.ts'
import type { Event } from '../contract.ts'

/** The picture that staff chose, or the drawn poster. Own paths only: nothing of a foreign host is ever drawn. */
export function eventPicture(
  event: Pick<Event, 'event_id' | 'title' | 'category'> & { image_url?: string | null },
): string {
  return (
    ownPicture(event.image_url) ??
    posterImage('event', { id: event.event_id, category: event.category, title: event.title })
  )
}

/** null: it has none, or one of a foreign host. */
export function ownPicture(url: string | null | undefined): string | null {
  return url && /^\/(?![/\\])/.test(url) ? url : null
}
