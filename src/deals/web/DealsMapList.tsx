import { useState, type ReactNode } from 'react'
import MapPin from 'lucide-react/icons/map-pin'
import Music from 'lucide-react/icons/eighth-notes'
import Store from 'lucide-react/icons/store'
import { useTranslations } from 'use-intl'
import { Button, ButtonLink } from '../../kit/browser/ui/Button.tsx'
import type { Position } from '../../kit/shared/geo.ts'
import type { CardDeal } from './card-deal.ts'
import { DealItem, MerchantItem } from './DealsMapItem.tsx'
import { mapWith, showsLayer, type MapQuery } from './deals-map-query.ts'
import { SheetButton, sheets, useDraggedSheet, type Sheet } from './DealsMapSheet.tsx'
import { PlaceItem, VenueItem } from './DealsMapSpots.tsx'
import { DealsMapSummary } from './DealsMapSummary.tsx'
import { NextOnMap } from './NextOnMap.tsx'
import type { Outdated, Continued, MapResult } from './use-map-deals.ts'

const sectionHead = 'flex items-center gap-2 border-y-2 border-hair bg-well px-4 py-2 text-base'

/**
 * The result as a list, the accessible view of the map: beside the map on wide screens, a sheet over its lower edge on phones.
 * It comes before the map in the document. An open card covers it.
 */
export function DealsMapList({
  query,
  centre,
  found,
  nextUp,
  isUpdating,
  focus,
  onFocus,
  onMore,
  isAdding,
  failedMore,
  notes,
  behind,
  onAgain,
  homeHref,
  allHref,
  card,
  isStack,
}: {
  query: MapQuery
  centre: Position
  found: MapResult
  /** The next usable deal, if the first list is empty. */
  nextUp: CardDeal | null
  isUpdating: boolean
  focus: string | null
  onFocus: (id: string | null) => void
  onMore: (list: Continued) => void
  isAdding: Continued | null
  /** The list whose next page failed to load. */
  failedMore: Continued | null
  /** Notes below the count, about the position and the basemap. */
  notes: (string | null)[]
  /** What is outdated because a search failed. */
  behind: Outdated | null
  onAgain: () => void
  /** Search around the festival; null: the search is near it. */
  homeHref: string | null
  allHref: string
  card: ReactNode
  /** The card is a list, and leaves the map visible. */
  isStack: boolean
}) {
  const t = useTranslations('dealsMap')
  const [sheet, setSheet] = useState<Sheet>('peek')
  const { box, ...dragged } = useDraggedSheet(setSheet)
  const { deals, merchants, events, places } = found
  const showsDeals = showsLayer(query, 'deals')
  const showsMerchants = showsLayer(query, 'merchants')
  const isKnown = behind?.what !== 'everything'
  const isNothing = deals.items.length + merchants.items.length + events.length + places.length === 0
  const next = showsDeals && isKnown && deals.items.length === 0 && (
    <NextOnMap query={query} centre={centre} first={nextUp} />
  )
  const moreButton = (list: Continued, label: string) => (
    <div className="grid gap-2 px-4 py-4">
      {failedMore === list && (
        <p role="alert" className="text-sm text-ink-soft">
          {t('moreFailed')}
        </p>
      )}
      <Button loading={isAdding === list} onClick={() => onMore(list)}>
        {label}
      </Button>
    </div>
  )

  return (
    <section
      ref={box}
      aria-label={t('listLabel')}
      className={`flex min-h-0 flex-col bg-page transition-[height] print:static! print:h-auto! print:max-h-none! stage:absolute stage:inset-x-0 stage:bottom-0 stage:z-20 stage:rounded-t-6 stage:border-t-2 stage:border-rule ${card ? `stage:h-auto ${isStack ? 'stage:max-h-[60%]' : 'stage:max-h-[85%]'}` : sheets[sheet]}`}
    >
      <a
        href="#main-end"
        className="sr-only focus:not-sr-only focus:absolute focus:z-30 focus:m-2 focus:rounded-6 focus:border-2 focus:border-night focus:bg-lantern focus:px-4 focus:py-2 focus:font-semibold focus:text-on-lantern"
      >
        {t('skipMap')}
      </a>
      <div
        {...dragged}
        className={`border-b-2 border-hair px-4 py-1.5 stage:touch-none stage:select-none ${card ? 'stage:hidden' : ''}`}
      >
        <span
          aria-hidden="true"
          className="mx-auto -mb-1 block h-1 w-10 rounded-full bg-hair beside:hidden noscript:hidden print:hidden"
        />
        <DealsMapSummary
          query={query}
          found={found}
          notes={notes}
          behind={behind}
          onAgain={onAgain}
          homeHref={homeHref}
        >
          <SheetButton sheet={sheet} onChange={setSheet} />
        </DealsMapSummary>
      </div>
      {card}
      <div
        aria-busy={isUpdating || undefined}
        className={`min-h-0 flex-1 overflow-y-auto overscroll-contain pb-6 print:block! print:overflow-visible ${card ? 'hidden' : ''}`}
      >
        {showsDeals && deals.items.length > 0 && (
          <ol>
            {deals.items.map((deal) => (
              <DealItem
                key={deal.deal_id}
                id={`item-${deal.deal_id}`}
                deal={deal}
                href={mapWith(query, { deal: deal.deal_id })}
                isMarked={focus === deal.deal_id}
                onFocus={onFocus}
              />
            ))}
          </ol>
        )}
        {!isNothing && next && <div className="px-4 py-3">{next}</div>}
        {showsDeals && deals.next && moreButton('deals', t('more'))}
        {showsMerchants && merchants.items.length > 0 && (
          <>
            <h2 className={sectionHead}>
              <Store aria-hidden="true" className="size-5" />
              {t('layer.merchants')}
            </h2>
            <ol>
              {merchants.items.map((merchant) => (
                <MerchantItem
                  key={merchant.business_id}
                  id={`item-${merchant.business_id}`}
                  merchant={merchant}
                  href={mapWith(query, { business: merchant.business_id })}
                  isMarked={focus === merchant.business_id}
                  onFocus={onFocus}
                />
              ))}
            </ol>
            {merchants.next && moreButton('merchants', t('moreMerchants'))}
          </>
        )}
        {events.length > 0 && (
          <>
            <h2 className={sectionHead}>
              <Music aria-hidden="true" className="size-5" />
              {t('layer.events')}
            </h2>
            <ol>
              {events.map((venue) => (
                <VenueItem
                  key={venue.venue_id}
                  id={`item-${venue.venue_id}`}
                  venue={venue}
                  href={mapWith(query, { venue: venue.venue_id })}
                  isMarked={focus === venue.venue_id}
                  onFocus={onFocus}
                />
              ))}
            </ol>
          </>
        )}
        {places.length > 0 && (
          <>
            <h2 className={sectionHead}>
              <MapPin aria-hidden="true" className="size-5" />
              {t('layer.places')}
            </h2>
            <ol>
              {places.map((place) => (
                <PlaceItem
                  key={place.place_id}
                  id={`item-${place.place_id}`}
                  place={place}
                  href={mapWith(query, { place: place.place_id })}
                  isMarked={focus === place.place_id}
                  onFocus={onFocus}
                />
              ))}
            </ol>
          </>
        )}
        {isKnown && isNothing && (
          <div className="grid justify-items-start gap-3 px-4 py-6">
            <p className="figure text-xl">{t('nothing')}</p>
            <p className="text-ink-soft">{t('nothingText')}</p>
            {next}
            <ButtonLink href={allHref}>{t('allDeals')}</ButtonLink>
          </div>
        )}
      </div>
    </section>
  )
}
