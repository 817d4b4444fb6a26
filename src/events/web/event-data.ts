import type { Site } from '../../kit/browser/site.ts'
import { geo, type Thing } from '../../kit/browser/structured-data.ts'
import { eventPage, sharingPicture } from '../../site-map.ts'
import { plainText } from '../../kit/shared/rich-text.ts'
import type { Event, ShownEvent } from '../contract.ts'
import { ownPicture } from './event-picture.ts'

const statuses: Record<Event['status'], string> = {
  draft: 'EventScheduled',
  scheduled: 'EventScheduled',
  delayed: 'EventRescheduled',
  // schema.org has a status for another time, none for another place
  moved: 'EventScheduled',
  cancelled: 'EventCancelled',
  ended: 'EventScheduled',
}

/** The picture that staff chose, and the sharing picture with the title. */
function picturesOf({ event_id, updated_at, image_url }: Event): string[] {
  const own = ownPicture(image_url)
  const sharing = sharingPicture('event', { id: event_id, updated_at })
  return own ? [own, sharing] : [sharing]
}

/** An event as schema.org data, for search engines. */
export function eventData({ origin, name }: Site, event: ShownEvent): Thing {
  const url = origin + eventPage(event.event_id)
  const { venue, status } = event
  // a moved event may have another start too
  const previousStart = (status === 'delayed' || status === 'moved') && event.previous?.starts_at
  return {
    '@type': event.category === 'music' || event.category === 'nightlife' ? 'MusicEvent' : 'Event',
    '@id': `${url}#event`,
    url,
    name: event.title,
    description: (event.content ? plainText(event.content) : event.description) || undefined,
    startDate: event.all_day ? event.festival_day : event.starts_at,
    endDate: event.all_day ? event.last_day : (event.ends_at ?? undefined),
    eventStatus: `https://schema.org/${previousStart ? 'EventRescheduled' : statuses[status]}`,
    previousStartDate: previousStart || undefined,
    eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
    image: picturesOf(event).map((path) => origin + path),
    inLanguage: event.languages.length > 0 ? event.languages : undefined,
    typicalAgeRange: event.age_min === null ? undefined : `${event.age_min}-`,
    isAccessibleForFree: event.price_chf === null ? undefined : event.price_chf === 0,
    maximumAttendeeCapacity: venue?.capacity ?? undefined,
    location: venue
      ? {
          '@type': 'Place',
          name:
            event.stage && event.stage !== venue.venue_name ? `${event.stage}, ${venue.venue_name}` : venue.venue_name,
          address: venue.address ?? undefined,
          geo: geo(venue),
        }
      : undefined,
    // an empty list is a mistake to search engines
    performer:
      event.performers.length > 0
        ? event.performers.map(({ performer_name }) => ({ '@type': 'PerformingGroup', name: performer_name }))
        : undefined,
    organizer: { '@type': 'Organization', name, url: origin },
    offers:
      event.price_chf === null
        ? undefined
        : {
            '@type': 'Offer',
            name: event.title,
            price: event.price_chf,
            priceCurrency: 'CHF',
            url: event.ticket_url ?? url,
            availability: status === 'cancelled' ? 'https://schema.org/Discontinued' : 'https://schema.org/InStock',
          },
  }
}
