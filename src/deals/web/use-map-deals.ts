import { useEffect, useEffectEvent, useRef, useState } from 'react'
import {
  type BusinessCluster,
  type BusinessOnMap,
  mapBusinesses,
  type NearbyBusiness,
  searchBusinesses,
} from '../../businesses/contract.ts'
import { askOrFail, asTyped, type Carrier } from '../../kit/browser/asking.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { currentConnection, onReconnect } from '../../kit/browser/connection.ts'
import { staleAfterMs, onReturn } from '../../kit/browser/on-return.ts'
import type { Position } from '../../kit/shared/geo.ts'
import { isForLater, type RefusedAnswer } from '../../kit/shared/refusal.ts'
import type { Answer, AnswerBody, AnyEndpoint } from '../../kit/shared/endpoint.ts'
import { mapListDeal, type MapListDeal } from './card-deal.ts'
import { type Cluster, type DealPin, mapDeals, searchDeals } from '../contract.ts'
import { withDistance } from './with-distance.ts'
import { findPlaces, findVenues, type PlaceSpot, type VenueSpot } from './map-spots.ts'
import { searchCentre, searchOf, showsLayer, type MapQuery } from './deals-map-query.ts'

const listSize = 15

/** A single deal of the map; what it is called is asked for when somebody opens it. */
export type MapDeal = DealPin
export type MapHeap = Cluster

/** One part of the list: some of all, in the order asked for. */
export interface Listed<Item> {
  items: Item[]
  total: number
  isCapped: boolean
  /** Nothing has the words as typed: these have what may have been meant. */
  isGuessed: boolean
  next: string | null
}

/** List and map are one result: they are replaced together or not at all. */
export interface Found {
  deals: Listed<MapListDeal>
  merchants: Listed<NearbyBusiness>
  events: VenueSpot[]
  places: PlaceSpot[]
}
/** What is continued page by page. */
export type Continued = 'deals' | 'merchants'

export interface OnMap {
  deals: MapDeal[]
  heaps: MapHeap[]
  merchants: BusinessOnMap[]
  /** Gathered by the server where there are too many merchants. */
  merchantHeaps: BusinessCluster[]
}

const nothing = { items: [], total: 0, isCapped: false, isGuessed: false, next: null }
const nothingFound: Found = { deals: nothing, merchants: nothing, events: [], places: [] }
const noPins: OnMap = { deals: [], heaps: [], merchants: [], merchantHeaps: [] }

/**
 * The lists of a search, by the loader on the server and by `fetch` in the browser. Throws the refusal of deals or
 * merchants; beside them, venues and places that cannot be had are left out.
 */
export async function findLists(by: Carrier, query: MapQuery, centre: Position, size = listSize): Promise<Found> {
  const limit = String(size)
  const isAside = showsLayer(query, 'deals') || showsLayer(query, 'merchants')
  const aside = <T>(spots: Promise<T[]>) => (isAside ? spots.catch(() => []) : spots)
  const [deals, merchants, events, places] = await Promise.all([
    showsLayer(query, 'deals') ? findDeals(by, query, centre, { limit }) : null,
    showsLayer(query, 'merchants') ? findMerchants(by, query, centre, { limit }) : null,
    showsLayer(query, 'events') ? aside(findVenues(by, query, centre)) : [],
    showsLayer(query, 'places') ? aside(findPlaces(by, query, centre)) : [],
  ])
  return {
    deals: deals ? { ...listed(deals), items: deals.body.map(mapListDeal) } : nothing,
    merchants: merchants ? listed(merchants) : nothing,
    events,
    places,
  }
}

/** Nothing around a place other than the festival: what the list holds then has no place of its own. */
export function findsNoneNear({ near, bbox }: MapQuery, { deals, merchants, events, places }: Found): boolean {
  if (!near || near === 'centre' || bbox) return false
  const hasPlace = deals.items.some(({ distance_km }) => distance_km !== null)
  return !hasPlace && merchants.items.length + events.length + places.length === 0
}

const listed = <Item>({
  body,
  total,
  totalCapped,
  guessed,
  next,
}: Omit<Answer<AnyEndpoint>, 'body'> & { body: Item[] }) => ({
  items: body,
  total: total ?? body.length,
  isCapped: totalCapped,
  isGuessed: guessed,
  next,
})

/** A page of the search; distances that the answer does not say are from the middle of the search. */
async function findDeals(by: Carrier, query: MapQuery, centre: Position, page: { limit: string; after?: string }) {
  const answer = await askOrFail(by, searchDeals, asTyped({ ...searchOf(query, centre), ...page }))
  return { ...answer, body: answer.body.map((deal) => withDistance(deal, searchCentre(query, centre))) }
}

async function findMerchants(by: Carrier, query: MapQuery, centre: Position, page: { limit: string; after?: string }) {
  const answer = await askOrFail(by, searchBusinesses, asTyped({ ...merchantsOf(query, centre), ...page }))
  return { ...answer, body: answer.body.map((merchant) => withDistance(merchant, searchCentre(query, centre))) }
}

async function findPins(query: MapQuery, centre: Position): Promise<OnMap> {
  const [deals, merchants] = await Promise.all([
    showsLayer(query, 'deals')
      ? askOrFail(callByFetch, mapDeals, asTyped({ ...searchOf(query, centre), compact: 'true' }))
      : null,
    showsLayer(query, 'merchants') ? askOrFail(callByFetch, mapBusinesses, asTyped(merchantsOf(query, centre))) : null,
  ])
  const rows = deals?.body ?? []
  const houses = merchants?.body ?? []
  return {
    deals: rows.flatMap(pinOf),
    heaps: rows.filter((row) => 'cluster' in row),
    merchants: houses.filter((row) => 'business_id' in row),
    merchantHeaps: houses.filter((row) => 'cluster' in row),
  }
}

/** A row as the specification names it says neither category nor time; without a place it cannot be drawn. */
function pinOf(row: AnswerBody<typeof mapDeals>[number]): MapDeal[] {
  if (!('deal_id' in row) || row.latitude === null || row.longitude === null) return []
  return [{ category: 'other', time: 'now', ...row, latitude: row.latitude, longitude: row.longitude }]
}

function findMore(list: Continued, query: MapQuery, centre: Position, after: string) {
  const page = { limit: String(listSize), after }
  return list === 'deals'
    ? findDeals(callByFetch, query, centre, page)
    : findMerchants(callByFetch, query, centre, page)
}

/** What is asked about merchants: the filters that fit them. */
function merchantsOf(query: MapQuery, centre: Position) {
  const { q, openNow, radius, lat, lon, bbox, category } = searchOf(query, centre) as Record<string, string>
  return { q, category, openNow, radius, lat, lon, bbox }
}

/** As `bbox`: just these places. */
export function bboxOf(places: Position[]): string {
  const margin = 0.00002
  const [lats, lons] = [places.map(({ latitude }) => latitude), places.map(({ longitude }) => longitude)]
  const box = [
    Math.min(...lons) - margin,
    Math.min(...lats) - margin,
    Math.max(...lons) + margin,
    Math.max(...lats) + margin,
  ]
  return box.map((side) => side.toFixed(5)).join(',')
}

/** As many of each kind as a small list shows. */
export const atShown = 50

/** What lies within a box of the map, in the order of the search. */
export const findAt = (by: Carrier, query: MapQuery, centre: Position, box: string): Promise<Found> =>
  findLists(by, { ...query, bbox: box }, centre, atShown)

/** Seconds of rest before it is asked again by itself: longer after each failure, and never the same for all visitors. */
const firstRestSeconds = 3
const longestRestSeconds = 60
const restMs = (failures: number) =>
  Math.min(firstRestSeconds * 2 ** (failures - 1), longestRestSeconds) * (750 + Math.random() * 500)

/** What is shown although it is not the answer to the address; `since` (ISO) belongs to a list of another search. */
export type Behind = { what: 'list' | 'old'; since: string } | { what: 'everything' | 'pins' }

/**
 * The result of the search in the address. The first list comes with the page, null where it could not be had; the pins
 * follow. After that both are asked for together at each change. A failure is logged, what is shown stays, and it is
 * asked again: after a rest, when the connection comes back, or by `again`. `behind`: what does not fit meanwhile.
 */
export function useMapDeals(query: MapQuery, centre: Position, loaded: Found | null) {
  const search = `${JSON.stringify(searchOf(query, centre))} ${query.layers ?? ''}`
  /** `isQuiet`: nobody has asked for it, so nobody is told of it. */
  const [attempt, setAttempt] = useState({ n: 0, isQuiet: false })
  const asked = `${search} ${attempt.n}`
  /** Its list came with the page. */
  const [first] = useState(loaded && asked)
  const [found, setFound] = useState(loaded ?? nothingFound)
  const [pins, setPins] = useState<OnMap>(noPins)
  const [settled, settle] = useState<string | null>(null)
  /** What the list shown answers, and since when; the first came with the page. */
  const [answered, setAnswered] = useState(() => ({
    search: loaded && search,
    at: new Date().toISOString(),
    hasPins: false,
  }))
  /** How often in a row, and whether it can be otherwise next time. */
  const [failures, setFailures] = useState({ n: 0, mayPass: true })
  const shown = useRef<string | null>(null)
  const findAgain = useEffectEvent((isFirst: boolean) =>
    Promise.all([isFirst && loaded ? null : findLists(callByFetch, query, centre), findPins(query, centre)]),
  )

  useEffect(() => {
    let isOver = false
    const isFirst = shown.current === null
    shown.current = asked
    findAgain(isFirst)
      .then(([lists, onMap]) => {
        if (isOver) return
        if (lists) setFound(lists)
        setAnswered((before) => ({ search, at: lists ? new Date().toISOString() : before.at, hasPins: true }))
        setPins(onMap)
        setFailures({ n: 0, mayPass: true })
      })
      .catch((error: unknown) => {
        if (isOver) return
        console.error('The deals could not be updated.', error)
        const refused = (error as { data?: RefusedAnswer }).data ?? { status: 0 }
        setFailures(({ n }) => ({ n: n + 1, mayPass: isForLater(refused) }))
      })
      .finally(() => {
        if (!isOver) settle(asked)
      })
    return () => {
      isOver = true
    }
    // oxlint-disable-next-line react/exhaustive-deps
  }, [asked])

  const again = (isQuiet = false) => setAttempt(({ n }) => ({ n: n + 1, isQuiet }))
  // who comes back to a map that has grown old
  useEffect(() => onReturn(() => Date.now() - Date.parse(answered.at) > staleAfterMs && again(true)), [answered])
  // and a map that was kept is asked for anew once the network is back
  useEffect(() => (currentConnection().asOf === null ? undefined : onReconnect(() => again(true))), [answered])
  const isWaiting = settled !== asked
  useEffect(() => {
    if (failures.n === 0 || !failures.mayPass) return
    const quietly = () => again(true)
    const timer = isWaiting ? undefined : setTimeout(quietly, restMs(failures.n))
    addEventListener('online', quietly)
    return () => {
      clearTimeout(timer)
      removeEventListener('online', quietly)
    }
  }, [failures, isWaiting])
  const isTold = isWaiting && !(attempt.isQuiet && settled === `${search} ${attempt.n - 1}`)

  const [isAdding, setAdding] = useState<Continued | null>(null)
  /** Of which result which list could not be continued. */
  const [stuck, setStuck] = useState<{ found: Found; list: Continued } | null>(null)
  /** The next page of one of the lists; it is dropped when the result has become another one meanwhile. */
  async function more(list: Continued) {
    const after = found[list].next
    if (isAdding || !after) return
    setAdding(list)
    setStuck(null)
    try {
      const page = await findMore(list, query, centre, after)
      setFound((before) =>
        before === found
          ? { ...before, [list]: { ...before[list], items: [...before[list].items, ...page.body], next: page.next } }
          : before,
      )
    } catch (error) {
      console.error('No more could be fetched.', error)
      setStuck({ found, list })
    } finally {
      setAdding(null)
    }
  }
  return {
    found,
    pins,
    isUpdating: isTold,
    isUpdatingList: isTold && (settled !== null || asked !== first),
    behind: behind(answered, search, failures.n > 0),
    again,
    more,
    isAdding,
    failedMore: stuck?.found === found ? stuck.list : null,
  }
}

function behind(
  answered: { search: string | null; at: string; hasPins: boolean },
  search: string,
  hasFailed: boolean,
): Behind | null {
  if (answered.search === null) return { what: 'everything' }
  if (!hasFailed) return null
  if (answered.search !== search) return { what: 'list', since: answered.at }
  if (Date.now() - Date.parse(answered.at) > staleAfterMs) return { what: 'old', since: answered.at }
  return answered.hasPins ? null : { what: 'pins' }
}
