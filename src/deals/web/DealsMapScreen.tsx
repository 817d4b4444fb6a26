import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { LocateFixed, Search } from 'lucide-react'
import {
  useLoaderData,
  useLocation,
  useNavigate,
  useNavigationType,
  type LoaderFunctionArgs,
  type ShouldRevalidateFunctionArgs,
} from 'react-router'
import { useTranslations } from 'use-intl'
import { ask, pageContext } from '../../kit/browser/asking.ts'
import { keepHere } from '../../kit/browser/here.ts'
import { distance } from '../../kit/browser/measures.ts'
import { PageHead } from '../../kit/browser/PageHead.tsx'
import { Bars } from '../../kit/browser/ui/Bars.tsx'
import { Button, IconButton } from '../../kit/browser/ui/Button.tsx'
import { distanceKm, isWithin } from '../../kit/shared/geo.ts'
import type { Basemap } from '../../map/contract.ts'
import { mapConfig } from '../../map/web/calls.ts'
import { basemapOrder, plainConfig } from '../../map/web/basemap.ts'
import type { MapView as View } from '../../map/web/engine.ts'
import { loadEngineAfterPaint } from '../../map/web/load-engine.ts'
import { MapView, type MapHandle } from '../../map/web/MapView.tsx'
import type { OverlayData, Place } from '../../map/web/overlay.ts'
import { dealsPage, page } from '../../site-map.ts'
import {
  mapStart,
  mapWith,
  noCard,
  onThisMap,
  readBox,
  readMapQuery,
  roundedPlace,
  searchCentre,
  searchedFrom,
  zoomToSee,
  type MapQuery,
} from './deals-map-query.ts'
import { placeOf } from './with-distance.ts'
import { askPosition, type AskedPosition, type Own } from './position.ts'
import { DealsMapCard } from './DealsMapCard.tsx'
import { DealsMapFilters } from './DealsMapFilters.tsx'
import { DealsMapList, sheetPx } from './DealsMapList.tsx'
import { DealsMapStack } from './DealsMapStack.tsx'
import { PlaceCard, VenueCard } from './DealsMapSpots.tsx'
import { placesOf, type MerchantAt, type PlaceOnMap } from './places.ts'
import { boxAround, findAt, findLists, useMapDeals } from './use-map-deals.ts'
import { useMerchant, type MapMerchant } from './use-merchant.ts'
import { getBusiness } from '../../businesses/web/calls.ts'
import { getDeal } from './calls.ts'

loadEngineAfterPaint(page.dealsMap)

async function load({ context, request }: LoaderFunctionArgs) {
  const asked = readMapQuery(new URL(request.url).searchParams)
  const { festival, theme } = context.get(pageContext)
  const centre = { latitude: festival.latitude, longitude: festival.longitude }
  const configAnswer = ask(context, mapConfig).then(({ answer }) => answer?.body ?? plainConfig(centre))
  // only a place in the address must wait for what the map shows
  const { query } =
    asked.lat || asked.near || asked.bbox ? onThisMap(asked, (await configAnswer).bounds) : { query: asked }
  const [found, opened, merchant, lying, config] = await Promise.all([
    findLists(context, query, festival).catch((error: unknown) => {
      // the map is worth showing without its deals
      console.error('The deals of the map could not be loaded.', error)
      return null
    }),
    query.deal ? ask(context, getDeal, { params: { deal_id: query.deal } }) : null,
    query.business
      ? ask(context, getBusiness, {
          params: { business_id: query.business },
        })
      : null,
    query.at ? findAt(context, query, festival, query.at).catch(() => null) : null,
    configAnswer,
  ])
  return {
    found,
    opened: opened?.answer?.body ?? null,
    openedMerchant: merchant?.answer?.body ?? null,
    openedAt: query.at && lying ? { at: query.at, lying } : null,
    config,
    centre,
    theme,
  }
}
export { load as loader, load as clientLoader }

/** Within the screen the address is followed by the screen itself, list and map together. */
export function shouldRevalidate({ currentUrl, nextUrl, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  return currentUrl.pathname === nextUrl.pathname ? false : defaultShouldRevalidate
}

export default function DealsMapScreen() {
  const { found: loaded, config, centre, theme, opened, openedMerchant, openedAt } = useLoaderData<typeof load>()
  const t = useTranslations('dealsMap')
  const { search } = useLocation()
  const { query, beyond } = useMemo(
    () => onThisMap(readMapQuery(new URLSearchParams(search)), config.bounds),
    [search, config.bounds],
  )
  const navigate = useNavigate()
  const wentBack = useNavigationType() === 'POP'
  const { found, pins, isUpdating, isUpdatingList, behind, again, more, isAdding, failedMore } = useMapDeals(
    query,
    centre,
    loaded,
  )
  const [filtersShown, showFilters] = useState(true)
  const map = useRef<MapHandle>(null)
  const [start] = useState(() => mapStart(query, centre, config.zoom, config.bounds))
  const [view, setView] = useState<View | null>(null)
  const [basemap, setBasemap] = useState<Basemap | null>(null)
  const [focus, setFocus] = useState<string | null>(null)
  const { own, locate, isLocating, said, tell, forgetView } = useOwnPosition()
  const say = useTranslations('map')

  const merchantId = query.business ?? null
  const card = useMerchant(
    merchantId,
    found.merchants.items.find(({ business_id }) => business_id === merchantId) ??
      (openedMerchant?.business_id === merchantId ? openedMerchant : null),
  )
  const { merchant } = card
  const places = useMemo(
    () =>
      placesOf(
        pins,
        { merchants: found.merchants.items, events: found.events, places: found.places },
        merchant && placedMerchant(merchant),
      ),
    [pins, found.merchants.items, found.events, found.places, merchant],
  )
  const heaps = useMemo(
    () => [
      ...pins.heaps.map((heap) => ({ ...heap, count: heap.cluster, of: 'deals' as const })),
      ...pins.merchantHeaps.map((heap) => ({ ...heap, count: heap.cluster, of: 'merchants' as const })),
    ],
    [pins.heaps, pins.merchantHeaps],
  )
  const pinOf = (id: string | null | undefined): Place | null =>
    id ? (places.find((place) => place.ids.includes(id)) ?? null) : null
  const lying = useMemo(() => placesWithin(places, query.at), [places, query.at])
  const cardOf = query.deal ?? query.business ?? query.venue ?? query.place
  const data: OverlayData = useMemo(
    () => ({
      places,
      heaps,
      own,
      focus: pinOf(focus),
      chosen: lying.length === 1 ? lying[0]! : pinOf(cardOf),
    }),
    // oxlint-disable-next-line react/exhaustive-deps
    [places, heaps, own, focus, lying, cardOf],
  )

  // what was asked for last: a move may end while a search is still on its way into the address, and must not undo it
  const wanted = useRef(query)
  useEffect(() => {
    wanted.current = query
  }, [query])
  const go = (changes: { [name in keyof MapQuery]?: string | null }, replace = false) => {
    const address = mapWith(wanted.current, changes)
    wanted.current = readMapQuery(new URLSearchParams(address.slice(page.dealsMap.length)))
    return navigate(address, { replace, preventScrollReset: true })
  }

  /** Somebody who moves the map leaves its search where it was. */
  const keepsSearch = (): Partial<MapQuery> => {
    if (wanted.current.near || wanted.current.bbox) return {}
    const at = searchCentre(wanted.current, centre)
    return { near: distanceKm(at, centre) === 0 ? 'centre' : `${at.latitude},${at.longitude}` }
  }
  const follow = (moved: View) => {
    setView(moved)
    forgetView()
    const { latitude, longitude, zoom } = moved
    void go({ ...keepsSearch(), lat: latitude.toFixed(5), lon: longitude.toFixed(5), z: zoom.toFixed(2) }, true)
  }
  const searchHere = (at: View) => {
    const { west, south, east, north } = at.bounds
    setSearched(at)
    void go({
      bbox: [west, south, east, north].map((side) => side.toFixed(4)).join(','),
      near: null,
      lat: at.latitude.toFixed(5),
      lon: at.longitude.toFixed(5),
      z: at.zoom.toFixed(2),
      ...noCard,
    })
  }
  const [searched, setSearched] = useState<View | null>(null)
  const hasMoved = view !== null && searched !== null && isElsewhere(view, searched)

  const stand = useEffectEvent((place: Own, isAsked: boolean) => {
    map.current?.goTo({ ...place, zoom: Math.max(map.current.view()?.zoom ?? 13, isAsked ? 14 : 13) })
    setSearched(null)
    void go({ near: roundedPlace(place), bbox: null, lat: null, lon: null, z: null }, !isAsked)
  })
  /** To where somebody is; beyond the map the search goes there alone. */
  const standAt = ({ place, why }: AskedPosition, isAsked: boolean) => {
    if (!place) {
      // who asked is shown the festival instead, as the note says; who did not is left alone
      if (!isAsked || why !== 'unknown') return
      map.current?.goTo({ ...centre, zoom: config.zoom })
      setSearched(null)
      void go({ near: null, bbox: null, lat: null, lon: null, z: null })
    } else if (isWithin(place, config.bounds)) {
      stand(place, isAsked)
      if (place.accuracy > roughFrom) tell('rough', { distance: distance(place.accuracy / 1000) })
    } else {
      setSearched(null)
      void go({ near: roundedPlace(place), bbox: null, lat: null, lon: null, z: null }, !isAsked)
    }
  }
  const onOpening = useEffectEvent(() => {
    // a position in the address wins
    if (query.lat || query.near || query.bbox || beyond) return
    void locate(false).then((place) => standAt(place, false))
  })
  useEffect(() => onOpening(), [])

  // back and forward take the map along
  const followBack = useEffectEvent(() => {
    if (!wentBack || !map.current?.view()) return
    const to = mapStart(query, centre, config.zoom, config.bounds)
    const at = map.current.view()!
    const moves = distanceKm(to, at) > 0.02 || Math.abs(to.zoom - at.zoom) > 0.05
    setSearched(moves ? null : searchedFrom(query, centre, at))
    if (moves) map.current.goTo(to)
  })
  useEffect(() => followBack(), [search])

  const cardId = query.deal
  const open = cardId ?? merchantId ?? query.venue ?? query.place ?? query.at ?? null
  // what was searched for by word lies out of sight: the map steps back as far as the nearest of it
  const stepBack = useEffectEvent(() => {
    const at = map.current?.view()
    if (!at || !(query.q || query.category) || query.lat || query.bbox || open || beyond === 'search') return
    const middle = searchCentre(query, centre)
    const zoom = zoomToSee([...places, ...heaps], middle, at)
    if (zoom === null) return
    setSearched(null)
    map.current?.goTo({ ...middle, zoom })
  })
  useEffect(() => stepBack(), [pins, basemap])
  const fromList = found.deals.items.find((deal) => deal.deal_id === cardId)
  const isClosing = useRef(false)
  const close = () => {
    isClosing.current = true
    void go(noCard)
  }
  const openBefore = useRef(open)
  // what had the focus went with the card: to where it came from, also when the browser's button closed it
  useEffect(() => {
    const before = openBefore.current
    openBefore.current = open
    if (open || !before) return
    const isLost = isClosing.current || document.activeElement === document.body
    isClosing.current = false
    if (!isLost) return
    // the list is there again only now
    const item = document.getElementById(`item-${before}`)
    if (item) item.focus()
    else map.current?.focus()
  }, [open])
  const pick = (picked: Place[]) => {
    const all = places.filter((place) => picked.some(({ key }) => key === place.key))
    const deals = all.flatMap((place) => place.deals)
    const merchants = all.flatMap((place) => place.merchants)
    const venues = all.flatMap((place) => place.venues)
    const spots = all.flatMap((place) => place.spots)
    const others = merchants.length + venues.length + spots.length
    if (deals.length === 1 && all.length === 1 && venues.length + spots.length === 0)
      void go({ deal: deals[0]!.deal_id })
    else if (deals.length === 0 && others === 1) {
      if (venues[0]) void go({ venue: venues[0].venue_id })
      else if (spots[0]) void go({ place: spots[0].place_id })
      else void go({ business: merchants[0]!.business_id })
    } else if (all.length > 0) void go({ at: boxAround(all) })
  }
  const place =
    beyond === 'search'
      ? t('position.far', { distance: distance(distanceKm(searchCentre(query, centre), centre)) })
      : beyond === 'box'
        ? t('position.beyond')
        : null
  // around oneself, the distance of a card is that of the list
  const cardFrom = own && query.near !== roundedPlace(own) ? own : null
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
        hidden={search !== ''}
        kind="CollectionPage"
      />
      <DealsMapFilters query={query} isShown={filtersShown} onToggle={() => showFilters(!filtersShown)} />
      <div className="relative flex min-h-[28rem] flex-1 basis-[0px] flex-col border-t-2 print:block! border-rule beside:grid beside:min-h-[min(34rem,100dvh)] beside:grid-cols-[min(26rem,42%)_minmax(0,1fr)] beside:grid-rows-[minmax(0,1fr)]">
        <DealsMapList
          query={query}
          centre={centre}
          found={found}
          isUpdating={isUpdatingList}
          focus={focus}
          onFocus={setFocus}
          onMore={more}
          isAdding={isAdding}
          failedMore={failedMore}
          behind={behind}
          onAgain={() => again()}
          notes={[said ?? place, fallback && say(`fallback.${fallback}`)]}
          homeHref={beyond === 'search' ? mapWith(query, { near: 'centre' }) : null}
          allHref={dealsPage({ q: query.q, category: query.category, openNow: query.openNow })}
          isStack={query.at !== undefined}
          card={
            open ? (
              <DealsMapCard
                key={open}
                dealId={cardId ?? null}
                known={fromList ?? (opened?.deal_id === cardId ? opened : null)}
                merchant={merchantId ? card : null}
                stackName={venue?.venue_name ?? spotHere?.place_name ?? null}
                stack={
                  query.venue ? (
                    <VenueCard venue={venue} from={cardFrom} />
                  ) : query.place ? (
                    <PlaceCard place={spotHere} from={cardFrom} />
                  ) : query.at ? (
                    <DealsMapStack
                      at={query.at}
                      known={openedAt?.at === query.at ? openedAt.lying : null}
                      pins={lying.reduce((sum, place) => sum + place.ids.length, 0)}
                      query={query}
                      centre={centre}
                      onFocus={setFocus}
                    />
                  ) : null
                }
                from={cardFrom}
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
            start={start}
            data={data}
            label={t('mapLabel')}
            cooperative={!isStage}
            isCovered
            coveredPx={isStage ? sheetPx : 0}
            isUnderCard={open !== null}
            handle={map}
            onReady={(ready) => {
              setBasemap(ready)
              const at = map.current?.view()
              if (at) setSearched((before) => before ?? searchedFrom(query, centre, at))
            }}
            onMoved={(moved, byVisitor) => {
              if (byVisitor) follow(moved)
              else {
                setView(moved)
                setSearched((before) => before ?? searchedFrom(query, centre, moved))
              }
            }}
            onPick={pick}
            onHeap={(at) => searchHere(at)}
            onHover={(place) => setFocus((place && places.find((each) => each.key === place.key)?.ids[0]) ?? null)}
            onBackground={() => open && close()}
          >
            <span className="rounded-6 border-2 border-rule bg-surface noscript:hidden">
              <IconButton
                label={t('locate')}
                icon={isLocating ? <Bars /> : <LocateFixed aria-hidden="true" className="size-5" />}
                className="border-0"
                onClick={() => void locate(true).then((place) => standAt(place, true))}
              />
            </span>
          </MapView>
          <div className="pointer-events-none absolute inset-x-0 top-3 z-10 grid justify-items-center gap-2 px-16">
            {hasMoved && (
              <Button
                variant="primary"
                className="pointer-events-auto"
                icon={<Search aria-hidden="true" className="size-5" />}
                onClick={() => {
                  searchHere(view)
                  // the button goes, and would take the focus along
                  map.current?.focus()
                }}
              >
                {t('searchArea')}
              </Button>
            )}
            {isUpdating && basemap !== null && (
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

function placesWithin(places: PlaceOnMap[], at: string | undefined): PlaceOnMap[] {
  const box = at && readBox(at)
  return box ? places.filter((place) => isWithin(place, box)) : []
}

function placedMerchant(merchant: MapMerchant): MerchantAt | null {
  const place = placeOf(merchant)
  return place && { ...place, business_id: merchant.business_id, business_name: merchant.business_name }
}

/** Metres: a browser that knows no more than that guesses from the network. */
const roughFrom = 2000

/** More than a fifth of the view away, or half a zoom step. */
function isElsewhere(now: View, then: View): boolean {
  const { west, east, south, north } = then.bounds
  return (
    Math.abs(now.longitude - then.longitude) > (east - west) * 0.2 ||
    Math.abs(now.latitude - then.latitude) > (north - south) * 0.2 ||
    Math.abs(now.zoom - then.zoom) > 0.5
  )
}

/** As the variant `beside` of the style sheet has it. */
const beside = '(min-width: 64rem), (min-width: 40rem) and (max-height: 29.99rem)'

/** On phones the map fills the screen and may take every finger; beside a list it lies in a page that scrolls. */
function useIsStage(): boolean {
  const [is, set] = useState(() => typeof matchMedia !== 'undefined' && !matchMedia(beside).matches)
  useEffect(() => {
    const list = matchMedia(beside)
    const look = () => set(!list.matches)
    list.addEventListener('change', look)
    return () => list.removeEventListener('change', look)
  }, [])
  return is
}

type Note = 'denied' | 'unknown' | 'default' | 'rough'
/** These say what the map shows, and so only until somebody has moved it. */
const ofView: readonly Note[] = ['unknown', 'default']

function useOwnPosition() {
  const t = useTranslations('dealsMap')
  const [own, setOwn] = useState<Own | null>(null)
  const [isLocating, setLocating] = useState(false)
  const [said, say] = useState<{ note: Note; text: string } | null>(null)
  const tell = (note: Note, values: { distance: string } = { distance: '' }) =>
    say({ note, text: t(`position.${note}`, values) })
  async function locate(isAsked: boolean): Promise<AskedPosition> {
    setLocating(true)
    const answer = await askPosition()
    setLocating(false)
    if (answer.place) {
      keepHere(answer.place)
      setOwn(answer.place)
      say(null)
    } else tell(answer.why === 'denied' && !isAsked ? 'default' : answer.why)
    return answer
  }
  const forgetView = () => say((before) => (before && ofView.includes(before.note) ? null : before))
  return { own, locate, isLocating, said: said?.text ?? null, tell, forgetView }
}
