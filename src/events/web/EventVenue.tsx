import { Suspense, type ComponentProps, type ReactNode } from 'react'
import Accessibility from 'lucide-react/icons/accessibility'
import Map from 'lucide-react/icons/map'
import MoonStar from 'lucide-react/icons/moon-star'
import Navigation from 'lucide-react/icons/navigation'
import Users from 'lucide-react/icons/users'
import { useTranslations } from 'use-intl'
import { directionsTo } from '../../kit/browser/directions.ts'
import { lazily } from '../../kit/browser/late.tsx'
import { ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { mapIntent } from '../../map/web/load-engine.ts'
import { dealsMapPage, eventsPage } from '../../site-map.ts'
import type { Event } from '../contract.ts'
import { placeOf } from './event-place.ts'
import { VenueMap } from './VenueMap.tsx'

/** The map; where its script cannot be loaded, the drawing of the server stays. */
const Picture = import.meta.env.SSR
  ? VenueMap
  : lazily<ComponentProps<typeof VenueMap>>(() =>
      import('./VenueMap.tsx').then(
        (part) => ({ default: part.VenueMap }),
        () => new Promise<never>(() => {}),
      ),
    )

/** Where the event is, and what is known about the venue. */
export function EventVenue({
  event,
  hasMap,
  theme,
}: {
  event: Event
  hasMap: boolean
  theme: ComponentProps<typeof VenueMap>['theme']
}) {
  const t = useTranslations('event')
  const { venue } = event
  const place = placeOf(event)
  if (!venue) return null
  return (
    <section aria-labelledby="venue" className="grid content-start gap-4 lg:self-start">
      <h2 id="venue">{t('venue')}</h2>
      {place && hasMap && (
        <a
          href={dealsMapPage({ lat: place.latitude, lon: place.longitude, z: 16, layers: 'deals,events' })}
          aria-label={t('onMap', { venue: venue.venue_name })}
          className="relative block h-56 overflow-clip rounded-6 border-2 border-rule bg-well"
          {...mapIntent}
        >
          <Suspense>
            <Picture place={place} theme={theme} />
          </Suspense>
        </a>
      )}
      <ul className="grid gap-2">
        <VenueFact icon={<Accessibility aria-hidden="true" className="size-5 shrink-0" />}>
          {t(`stepFree.${answerKey(venue.step_free)}`)}
        </VenueFact>
        <VenueFact icon={<MoonStar aria-hidden="true" className="size-5 shrink-0" />}>
          {t(`quietArea.${answerKey(venue.quiet_area)}`)}
        </VenueFact>
        {venue.capacity !== null && (
          <VenueFact icon={<Users aria-hidden="true" className="size-5 shrink-0" />}>
            {t('capacity', { n: venue.capacity })}
          </VenueFact>
        )}
      </ul>
      <p className="flex flex-wrap gap-3 print-hidden">
        {place && (
          <ButtonLink
            href={directionsTo(place)}
            rel="noreferrer"
            icon={<Navigation aria-hidden="true" className="size-5" />}
          >
            {t('directions')}
          </ButtonLink>
        )}
        <ButtonLink
          href={eventsPage({ venue: venue.venue_id, day: event.festival_day })}
          icon={<Map aria-hidden="true" className="size-5" />}
        >
          {t('atVenue')}
        </ButtonLink>
      </p>
    </section>
  )
}

function VenueFact({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <li className="flex items-center gap-2">
      {icon}
      {children}
    </li>
  )
}

const answerKey = (fact: boolean | null) => (fact === null ? 'unknown' : fact ? 'yes' : 'no')
