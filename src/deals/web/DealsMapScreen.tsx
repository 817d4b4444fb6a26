import 'texts:categories,dealList,deals,dealsMap,events,map'
import { useRef, useState } from 'react'
import LocateFixed from 'lucide-react/icons/locate-fixed'
import Search from 'lucide-react/icons/search'
import { useLoaderData, type ShouldRevalidateFunctionArgs } from 'react-router'
import { useTranslations } from 'use-intl'
import { useNumbers } from '../../kit/browser/measures.ts'
import { PageHead } from '../../kit/browser/PageHead.tsx'
import { usePacked } from '../../kit/browser/packed.ts'
import { Bars } from '../../kit/browser/ui/Bars.tsx'
import { Button, IconButton } from '../../kit/browser/ui/Button.tsx'
import { distanceKm } from '../../kit/shared/geo.ts'
import type { Basemap } from '../../map/contract.ts'
import { basemapOrder } from '../../map/web/basemap.ts'
import { loadEngineAfterPaint } from '../../map/web/load-engine.ts'
import { MapView, type MapHandle } from '../../map/web/MapView.tsx'
import { dealsPage, page } from '../../site-map.ts'
import { mapWith, searchCentre } from './deals-map-query.ts'
import { defaultRadius } from './deal-query.ts'
import { DealsMapCard } from './DealsMapCard.tsx'
import { DealsMapFilters } from './DealsMapFilters.tsx'
import { DealsMapList } from './DealsMapList.tsx'
import { sheetPx } from './DealsMapSheet.tsx'
import { DealsMapStack } from './DealsMapStack.tsx'
import { PlaceCard, VenueCard } from './DealsMapSpots.tsx'
import { load } from './load-deals-map.ts'
import { useCardOnMap } from './use-card-on-map.ts'
import { useDrawnPlaces } from './use-drawn-places.ts'
import { useIsStage } from './use-is-stage.ts'
import { useMapAddress } from './use-map-address.ts'
import { findsNoneNear, useMapDeals } from './use-map-deals.ts'
import { useMapMoves } from './use-map-moves.ts'
import { useMerchant } from './use-merchant.ts'
import { useOwnPosition } from './use-own-position.ts'

loadEngineAfterPaint(page.dealsMap)

export { load as loader, load as clientLoader }

/** No loader within the screen: it follows the address itself, list and map together. */
export function shouldRevalidate({ currentUrl, nextUrl, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  return currentUrl.pathname === nextUrl.pathname ? false : defaultShouldRevalidate
}

/** The button stays this long: a second tap would hit the map below it and zoom. */
const secondTapMs = 500

export default function DealsMapScreen() {
  const {
    found: packed,
    nextUp,
    config,
    centre,
    theme,
    opened,
    openedMerchant,
    openedAt,
  } = useLoaderData<typeof load>()
  const loaded = usePacked(packed)
  const t = useTranslations('dealsMap')
  const address = useMapAddress(config.bounds)
  const { query, beyond, go } = address
  const result = useMapDeals(query, centre, loaded)
  const { found, pins } = result
  const [filtersShown, showFilters] = useState(true)
  const hasTouched = useRef(false)
  const map = useRef<MapHandle>(null)
  const [basemap, setBasemap] = useState<Basemap | null>(null)
  const [focus, setFocus] = useState<string | null>(null)
  const position = useOwnPosition()
  const { own } = position
  const say = useTranslations('map')
  const { distance } = useNumbers()

  const merchantId = query.business ?? null
  const card = useMerchant(
    merchantId,
    found.merchants.items.find(({ business_id }) => business_id === merchantId) ??
      (openedMerchant?.business_id === merchantId ? openedMerchant : null),
  )
  const drawn = useDrawnPlaces({ query, found, pins, merchant: card.merchant, own, focus })
  const cardId = query.deal
  const open = cardId ?? merchantId ?? query.venue ?? query.place ?? query.at ?? null
  const isCardOpen = open !== null
  const isNoneNear = !beyond && !result.behind && findsNoneNear(query, found)
  const moves = useMapMoves({ map, address, position, centre, config, pins, drawn, basemap, isCardOpen, isNoneNear })
  const { elsewhere, searchHere } = moves
  const [isJustAsked, setJustAsked] = useState(false)
  const fromList = found.deals.items.find((deal) => deal.deal_id === cardId)
  const { pick, close } = useCardOnMap({ open, places: drawn.places, map, go })
  const place =
    beyond === 'search'
      ? t('position.far', { distance: distance(distanceKm(searchCentre(query, centre), centre)) })
      : beyond === 'box'
        ? t('position.beyond')
        : isNoneNear
          ? t('position.none', {
              n: found.deals.items.length,
              km: query.radius ?? defaultRadius,
              distance: distance(distanceKm(searchCentre(query, centre), centre)),
            })
          : query.bbox && !query.near
            ? t('position.middle')
            : null
  // with a search around oneself, cards show the distance of the list
  const venue = found.events.find(({ venue_id }) => venue_id === query.venue) ?? null
  const spotHere = found.places.find(({ place_id }) => place_id === query.place) ?? null
  const isStage = useIsStage()
  const best = basemapOrder(config)[0]
  const fallback = basemap !== null && basemap !== best && basemap !== 'online' ? basemap : null

  return (
    <div className="flex min-h-[calc(100dvh-7.5rem)] flex-col md:min-h-[calc(100dvh-4.125rem)]">
      <PageHead
        title={t('title')}
        description={t('description')}
        address={page.dealsMap}
        hidden={address.search !== ''}
        kind="CollectionPage"
      />
      <DealsMapFilters query={query} isShown={filtersShown} onToggle={() => showFilters(!filtersShown)} />
      <div className="relative flex min-h-[28rem] flex-1 basis-[0px] flex-col border-t-2 print:block! border-rule beside:grid beside:min-h-[min(34rem,100dvh)] beside:grid-cols-[min(26rem,42%)_minmax(0,1fr)] beside:grid-rows-[minmax(0,1fr)]">
        <DealsMapList
          query={query}
          centre={centre}
          result={result}
          nextUp={nextUp}
          focus={focus}
          onFocus={setFocus}
          notes={[position.note ?? place, fallback && say(`fallback.${fallback}`)]}
          homeHref={beyond === 'search' || isNoneNear ? mapWith(query, { near: 'centre' }) : null}
          allHref={dealsPage({ q: query.q, category: query.category, openNow: query.openNow })}
          isStack={query.at !== undefined}
          card={
            open ? (
              <DealsMapCard
                key={open}
                dealId={cardId ?? null}
                known={fromList ?? (opened?.deal_id === cardId ? opened : null)}
                merchant={merchantId ? card : null}
                stackName={venue?.venue_name ?? (spotHere && (spotHere.place_name || t(`kind.${spotHere.kind}`)))}
                stack={
                  query.venue ? (
                    <VenueCard venue={venue} />
                  ) : query.place ? (
                    <PlaceCard place={spotHere} />
                  ) : query.at ? (
                    <DealsMapStack
                      at={query.at}
                      known={openedAt?.at === query.at ? openedAt.lying : null}
                      pins={drawn.lying.reduce((sum, place) => sum + place.ids.length, 0)}
                      query={query}
                      centre={centre}
                      onFocus={setFocus}
                    />
                  ) : null
                }

                onClose={close}
              />
            ) : null
          }
        />
        <div
          id="map"
          className="relative -order-1 min-h-80 flex-1 print:hidden beside:order-none beside:border-l-2 beside:border-rule"
        >
          <MapView
            config={config}
            chosenTheme={theme}
            start={moves.start}
            data={drawn.data}
            label={t('mapLabel')}
            cooperative={!isStage}
            isCovered
            coveredPx={isStage ? sheetPx : 0}
            isUnderCard={isCardOpen}
            handle={map}
            onReady={(ready) => {
              setBasemap(ready)
              const at = map.current?.view()
              if (at) moves.stands(at)
            }}
            onMoved={(moved, byVisitor) => {
              moves.onMoved(moved, byVisitor)
              // on phones the first move closes the filters, which cover a third of the map
              if (!byVisitor || !isStage || hasTouched.current) return
              hasTouched.current = true
              showFilters(false)
            }}
            onPick={pick}
            onServerCluster={(at) => searchHere(at)}
            onHover={(place) =>
              setFocus((place && drawn.places.find((each) => each.key === place.key)?.ids[0]) ?? null)
            }
            onBackground={() => open && close()}
          >
            <span className="rounded-6 border-2 border-rule bg-surface noscript:hidden">
              <IconButton
                label={t('locate')}
                icon={position.isLocating ? <Bars /> : <LocateFixed aria-hidden="true" className="size-5" />}
                className="border-0"
                onClick={moves.goToOwn}
              />
            </span>
          </MapView>
          <div className="pointer-events-none absolute inset-x-0 top-3 z-10 grid justify-items-center gap-2 px-16">
            {(elsewhere || isJustAsked) && (
              <Button
                variant="primary"
                className="pointer-events-auto"
                // not `disabled`: some browsers pass taps on disabled buttons to the map
                aria-disabled={isJustAsked}
                icon={<Search aria-hidden="true" className="size-5" />}
                onClick={() => {
                  if (!elsewhere || isJustAsked) return
                  searchHere(elsewhere)
                  setJustAsked(true)
                  setTimeout(() => setJustAsked(false), secondTapMs)
                  // the button disappears, so the map takes the focus
                  map.current?.focus()
                }}
              >
                {t('searchArea')}
              </Button>
            )}
            {result.isUpdating && basemap !== null && (
              <output className="figure flex items-center gap-3 rounded-6 border-2 border-night bg-lantern px-4 py-2 text-on-lantern">
                <Bars />
                {t('updating')}
              </output>
            )}
          </div>
        </div>
      </div>
      <div id="main-end" tabIndex={-1} />
    </div>
  )
}
