import { useState, type ReactNode } from 'react'
import MapPin from 'lucide-react/icons/map-pin'
import Music from 'lucide-react/icons/eighth-notes'
import Store from 'lucide-react/icons/store'
import { useTranslations } from 'use-intl'
import { late, suspended } from '../../kit/browser/late.tsx'
import { Button, ButtonLink } from '../../kit/browser/ui/Button.tsx'
import type { Position } from '../../kit/shared/geo.ts'
import { needIn, placesFor } from '../../places/needs.ts'
import Answer from '../../places/web/NeedAnswer.tsx'
import type { CardDeal } from './card-deal.ts'
import { DealItem, MerchantItem } from './DealsMapItem.tsx'
import { showsLayer, type MapQuery } from './deals-map-query.ts'
import { searchPage } from '../../site-map.ts'
import { SheetButton, sheets, useDraggedSheet, type Sheet } from './DealsMapSheet.tsx'
import { PlaceItem, VenueItem } from './DealsMapSpots.tsx'
import { DealsMapSummary } from './DealsMapSummary.tsx'
import { NextOnMap } from './NextOnMap.tsx'
import type { Continued, useMapDeals } from './use-map-deals.ts'

/** Loaded when needed; servers render it at once. */
const NeedAnswer = import.meta.env.SSR ? suspended(Answer) : late(() => import('../../places/web/NeedAnswer.tsx'))

/**
 * The result as a list, the accessible view of the map: beside the map on wide screens, a sheet over its lower edge on phones.
 * It comes before the map in the document. An open card covers it.
 */
export function DealsMapList({
  query,
  centre,
  result,
  nextUp,
  focus,
  onFocus,
  notes,
  homeHref,
  allHref,
  card,
  isStack,
}: {
  query: MapQuery
  centre: Position
  result: ReturnType<typeof useMapDeals>
  /** The next usable deal, if the first list is empty. */
  nextUp: CardDeal | null
  focus: string | null
  onFocus: (id: string | null) => void
  /** Notes below the count, about the position and the basemap. */
  notes: (string | null)[]
  /** Search around the festival; null: the search is near it. */
  homeHref: string | null
  allHref: string
  card: ReactNode
  /** The card is a list, and leaves the map visible. */
  isStack: boolean
}) {
  const t = useTranslations('dealsMap')
  const frame = useTranslations('frame')
  const [sheet, setSheet] = useState<Sheet>('peek')
  const { box, ...dragged } = useDraggedSheet(setSheet)
  const { found, isUpdatingList, behind, more, isAdding, failedMore } = result
  const { deals, merchants, events, places } = found
  const showsDeals = showsLayer(query, 'deals')
  const showsMerchants = showsLayer(query, 'merchants')
  const isKnown = behind?.what !== 'everything'
  const isNothing = deals.items.length + merchants.items.length + events.length + places.length === 0
  const next = showsDeals && isKnown && deals.items.length === 0 && (
    <NextOnMap query={query} centre={centre} first={nextUp} />
  )
  const list = { query, focus, onFocus, isMain: true }
  const asked = needIn(query.q)
  // the list and the map answer a need for places themselves, but have no number to call
  const need = asked === 'first_aid' || placesFor(asked) !== asked ? asked : null
  const moreButton = (of: Continued, label: string) => (
    <div className="grid gap-2 px-4 py-4">
      {failedMore === of && (
        <p role="alert" className="text-sm text-ink-soft">
          {t('moreFailed')}
        </p>
      )}
      <Button loading={isAdding === of} onClick={() => void more(of)}>
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
        <DealsMapSummary query={query} result={result} notes={notes} homeHref={homeHref}>
          <SheetButton sheet={sheet} onChange={setSheet} />
        </DealsMapSummary>
      </div>
      {card}
      <div
        aria-busy={isUpdatingList || undefined}
        className={`min-h-0 flex-1 overflow-y-auto overscroll-contain pb-6 print:block! print:overflow-visible ${card ? 'hidden' : ''}`}
      >
        {need && (
          <div className="p-4">
            <NeedAnswer found={{ need, places: [] }} />
          </div>
        )}
        {showsDeals && deals.items.length > 0 && (
          <ol>
            {deals.items.map((deal) => (
              <DealItem key={deal.deal_id} deal={deal} list={list} />
            ))}
          </ol>
        )}
        {!isNothing && places.length === 0 && next && <div className="px-4 py-3">{next}</div>}
        {showsDeals && deals.next && moreButton('deals', t('more'))}
        {showsMerchants && merchants.items.length > 0 && (
          <>
            <Section icon={Store} title={t('layer.merchants')}>
              {merchants.items.map((merchant) => (
                <MerchantItem key={merchant.business_id} merchant={merchant} list={list} />
              ))}
            </Section>
            {merchants.next && moreButton('merchants', t('moreMerchants'))}
          </>
        )}
        {events.length > 0 && (
          <Section icon={Music} title={t('layer.events')}>
            {events.map((venue) => (
              <VenueItem key={venue.venue_id} venue={venue} list={list} />
            ))}
          </Section>
        )}
        {places.length > 0 && (
          <Section icon={MapPin} title={t('layer.places')}>
            {places.map((place) => (
              <PlaceItem key={place.place_id} place={place} list={list} />
            ))}
          </Section>
        )}
        {isKnown && isNothing && !need && (
          <div className="grid justify-items-start gap-3 px-4 py-6">
            <p className="figure text-xl">{t('nothing')}</p>
            <p className="text-ink-soft">{t(hasFilter(query) ? 'nothingText' : 'nothingHere')}</p>
            {next}
            <ButtonLink href={allHref}>{t('allDeals')}</ButtonLink>
          </div>
        )}
        {query.q && (
          <p className="px-4 py-2">
            <a
              href={searchPage({ q: query.q, first: 'deals' })}
              className="link inline-flex min-h-11 items-center font-semibold"
            >
              {frame('searchAll', { q: query.q })}
            </a>
          </p>
        )}
      </div>
    </section>
  )
}

/** Whether something but the place limits the result. */
const hasFilter = ({ q, category, openNow, sponsored, radius }: MapQuery) =>
  Boolean(q || category || openNow || sponsored || radius)

function Section({ icon: Icon, title, children }: { icon: typeof Store; title: string; children: ReactNode }) {
  return (
    <>
      <h2 className="flex items-center gap-2 border-y-2 border-hair bg-well px-4 py-2 text-base">
        <Icon aria-hidden="true" className="size-5" />
        {title}
      </h2>
      <ol>{children}</ol>
    </>
  )
}
