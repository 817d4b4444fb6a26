import { useEffect, useEffectEvent, useRef, useState } from 'react'
import ArrowRight from 'lucide-react/icons/arrow-right'
import { useTranslations } from 'use-intl'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { Skeleton } from '../../kit/browser/ui/Skeleton.tsx'
import type { Position } from '../../kit/shared/geo.ts'
import { DealItem, MerchantItem } from './DealsMapItem.tsx'
import { PlaceItem, VenueItem } from './DealsMapSpots.tsx'
import { mapWith, readBox, searchOf, type MapQuery } from './deals-map-query.ts'
import { atShown, findAt, type MapResult } from './use-map-deals.ts'

/** In degrees, about six metres. Pins within this distance are shown as one place. */
const onePlace = 0.00006

/** Lists everything under a pressed pin: deals, merchants, events and places at this spot or close to it. */
export function DealsMapStack({
  at,
  known,
  pins,
  query,
  centre,
  onFocus,
}: {
  /** Box around the pin, as a `bbox` parameter. */
  at: string
  /** Result that came with the page. */
  known: MapResult | null
  /** Number of pins in the box; 0 until the map shows any. Shown until the lists are loaded. */
  pins: number
  query: MapQuery
  centre: Position
  onFocus: (id: string | null) => void
}) {
  const t = useTranslations('dealsMap')
  const [found, setFound] = useState(known)
  /** The request that failed; null: none did. */
  const [failed, setFailed] = useState<string | null>(null)
  const request = `${at} ${JSON.stringify(searchOf(query, centre))} ${query.layers ?? ''}`
  const [tries, setTries] = useState(0)
  /** The request that `found` answers. */
  const answered = useRef(known && request)
  const find = useEffectEvent(() => findAt(callByFetch, query, centre, at))
  useEffect(() => {
    if (request === answered.current) return
    let isOver = false
    find().then(
      (lists) => {
        if (isOver) return
        answered.current = request
        setFound(lists)
        setFailed(null)
      },
      (error: unknown) => {
        console.error('What lies at this place could not be fetched.', error)
        if (!isOver) setFailed(request)
      },
    )
    return () => {
      isOver = true
    }
  }, [request, tries])

  const { west, east, south, north } = readBox(at)!
  const isOnePlace = east - west <= onePlace && north - south <= onePlace
  const n = found ? found.deals.total + found.merchants.total + found.events.length + found.places.length : pins
  const list = { query, focus: null, onFocus, isMain: false }
  const dealsIfMore = found?.deals.next ? found.deals.total : 0
  return (
    <>
      <h2 data-first tabIndex={-1} className="px-4 py-4 pr-16 text-lg">
        {n === 0 ? t('here') : t(isOnePlace ? 'atOnePlace' : 'closeTogether', { n })}
      </h2>
      {failed === request ? (
        <div className="grid justify-items-start gap-3 border-t-2 border-hair p-4">
          <p role="alert">{t('cardFailed')}</p>
          <Button
            onClick={() => {
              setFailed(null)
              setTries(tries + 1)
            }}
          >
            {t('tryAgain')}
          </Button>
        </div>
      ) : (
        <ul className="border-t-2 border-hair">
          {!found && (
            <li className="p-4">
              <Skeleton className="h-8" />
            </li>
          )}
          {found?.deals.items.map((deal) => (
            <DealItem key={deal.deal_id} deal={deal} list={list} />
          ))}
          {dealsIfMore > atShown && (
            <li>
              <a
                href={mapWith(query, { bbox: at, near: null, at: null })}
                className="flex min-h-12 items-center justify-between gap-3 border-b border-hair px-4 py-2 font-semibold text-ink no-underline hover:bg-well focus-visible:-outline-offset-4 focus-visible:shadow-none"
              >
                {t('restHere', { n: dealsIfMore })}
                <ArrowRight aria-hidden="true" className="size-5 shrink-0" />
              </a>
            </li>
          )}
          {found?.merchants.items.map((merchant) => (
            <MerchantItem key={merchant.business_id} merchant={merchant} list={list} />
          ))}
          {found?.events.map((venue) => (
            <VenueItem key={venue.venue_id} venue={venue} list={list} />
          ))}
          {found?.places.map((place) => (
            <PlaceItem key={place.place_id} place={place} list={list} />
          ))}
        </ul>
      )}
    </>
  )
}
