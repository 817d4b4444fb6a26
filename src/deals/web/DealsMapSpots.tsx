import { useTranslations } from 'use-intl'
import type { CardEvent } from '../../events/web/card-event.ts'
import { useEventWhen } from '../../events/web/use-event-when.ts'
import { Badge } from '../../brand/Badge.tsx'
import { CardSlots } from '../../kit/browser/ui/CardSlots.tsx'
import { OpenState } from '../../kit/browser/ui/OpenState.tsx'
import { Price } from '../../kit/browser/ui/Price.tsx'
import { useWhen } from '../../kit/browser/when.ts'
import { chfDisplay } from '../../kit/shared/numbers.ts'
import { Directions } from '../../map/web/Directions.tsx'
import { spotGlyphs, type SpotLook } from '../../map/web/spot-glyphs.ts'
import type { UsefulPlace } from '../../places/contract.ts'
import { eventPage } from '../../site-map.ts'
import { MapItem, type ItemList } from './DealsMapItem.tsx'
import type { VenueSpot } from './map-spots.ts'
import { useWayTo } from './reach.ts'

/** A venue in the list, with its current or next event. */
export function VenueItem({ venue, list }: { venue: VenueSpot; list: ItemList }) {
  const [first] = useRunning(venue)
  return (
    <MapItem
      list={list}
      opens="venue"
      id={venue.venue_id}
      name={venue.venue_name}
      picture={<Glyph look={first?.live ? 'venue-now' : 'venue-later'} />}
    >
      <CardSlots
        when={
          first && (
            <>
              <OpenState state={first.live ? 'live' : 'soon'}>{first.text}</OpenState>
              <span className="min-w-0 font-semibold [overflow-wrap:anywhere]">{first.event.title}</span>
            </>
          )
        }
        way={useWayTo(venue)}
      />
    </MapItem>
  )
}

/** A useful place in the list. */
export function PlaceItem({ place, list }: { place: UsefulPlace; list: ItemList }) {
  const t = useTranslations('dealsMap')
  const kind = t(`kind.${place.kind}`)
  return (
    <MapItem
      list={list}
      opens="place"
      id={place.place_id}
      name={place.place_name || kind}
      picture={<Glyph look={place.kind} />}
    >
      <CardSlots when={<Hours of={place} />} where={place.place_name && kind} way={useWayTo(place)} />
      {place.note && <p className="text-sm text-ink-soft [overflow-wrap:anywhere]">{place.note}</p>}
    </MapItem>
  )
}

/** The card of a venue; null: not among those shown. */
export function VenueCard({ venue }: { venue: VenueSpot | null }) {
  const t = useTranslations('dealsMap')
  const say = useTranslations('events')
  const events = useRunning(venue)
  const way = useWayTo(venue)
  if (!venue) return <Gone />
  return (
    <div className="grid gap-3 p-4">
      <h2 data-first tabIndex={-1} className="pr-12 text-xl [overflow-wrap:anywhere]">
        {venue.venue_name}
      </h2>
      <CardSlots where={venue.address} way={way} />
      <Facts venue={venue} />
      <ul className="grid gap-3">
        {events.map(({ event, live, text }) => (
          <li key={event.event_id} className="grid gap-0.5">
            <span className="text-sm font-semibold">{say(live ? 'now' : 'next')}</span>
            <a href={eventPage(event.event_id)} className="link font-semibold [overflow-wrap:anywhere]">
              {event.title}
            </a>
            <CardSlots
              when={<OpenState state={live ? 'live' : 'soon'}>{text}</OpenState>}
              where={event.stage !== venue.venue_name && event.stage}
              price={
                event.price_chf !== undefined && (
                  <Price>{event.price_chf === 0 ? say('free') : chfDisplay(event.price_chf)}</Price>
                )
              }
            />
          </li>
        ))}
      </ul>
      <p className="pt-1">
        <Directions to={venue} name={venue.venue_name}>
          {t('directions')}
        </Directions>
      </p>
    </div>
  )
}

function Hours({ of }: { of: UsefulPlace }) {
  const when = useWhen()
  if (of.open_now === null) return null
  const { state, text } = when.opening(of)
  return <OpenState state={state}>{text}</OpenState>
}

/** The card of a useful place; null: not among those shown. */
export function PlaceCard({ place }: { place: UsefulPlace | null }) {
  const t = useTranslations('dealsMap')
  const way = useWayTo(place)
  if (!place) return <Gone />
  const kind = t(`kind.${place.kind}`)
  const name = place.place_name || kind
  return (
    <div className="grid gap-3 p-4">
      <div className="flex items-start gap-3 pr-12">
        <Glyph look={place.kind} />
        <h2 data-first tabIndex={-1} className="min-w-0 text-xl [overflow-wrap:anywhere]">
          {name}
        </h2>
      </div>
      <CardSlots when={<Hours of={place} />} where={place.place_name && kind} way={way} />
      {place.kind !== 'step_free' && <Facts venue={{ step_free: place.step_free, quiet_area: null }} />}
      {place.note && <p className="[overflow-wrap:anywhere]">{place.note}</p>}
      <p className="pt-1">
        <Directions to={place} name={name}>
          {t('directions')}
        </Directions>
      </p>
    </div>
  )
}

/** Events that are on or to come by the clock: some may have ended since the answer. */
function useRunning(venue: VenueSpot | null) {
  const when = useEventWhen()
  const shown: { event: CardEvent; live: boolean; text: string }[] = []
  for (const event of [venue?.now, venue?.next]) {
    if (!event || when.isOver(event)) continue
    const live = when.isNow(event)
    shown.push({ event, live, text: live ? when.until(event) : when.moment(event.starts_at) })
  }
  return shown
}

function Facts({ venue }: { venue: Pick<VenueSpot, 'step_free' | 'quiet_area'> }) {
  const t = useTranslations('dealsMap')
  if (!venue.step_free && !venue.quiet_area) return null
  return (
    <p className="flex flex-wrap gap-2">
      {venue.step_free && <Badge>{t('stepFree')}</Badge>}
      {venue.quiet_area && <Badge>{t('quietArea')}</Badge>}
    </p>
  )
}

function Gone() {
  const t = useTranslations('dealsMap')
  return (
    <p data-first tabIndex={-1} className="p-4 pr-16 font-semibold">
      {t('spotGone')}
    </p>
  )
}

function Glyph({ look }: { look: SpotLook }) {
  return (
    <span className="grid size-11 shrink-0 place-items-center rounded-6 border-2 border-rule bg-well">
      <svg aria-hidden="true" viewBox="0 0 24 24" className="size-6" fill="none" stroke="currentColor" strokeWidth="2">
        <path d={spotGlyphs[look]} strokeLinecap="round" strokeLinejoin="round" />
      </svg>
    </span>
  )
}
