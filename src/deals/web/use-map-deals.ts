import { useEffect, useEffectEvent, useRef, useState } from 'react'
import {
  type BusinessCluster,
  type BusinessOnMap,
  mapBusinesses,
  type NearbyBusiness,
  searchBusinesses,
} from '../../businesses/contract.ts'
import { askOrFail, asTyped, type Carrier } from '../../kit/browser/ask.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { currentConnection, onReconnect } from '../../kit/browser/connection.ts'
import { staleAfterMs, onReturn } from '../../kit/browser/on-return.ts'
import { serverTime } from '../../kit/browser/server-time.ts'
import type { Position } from '../../kit/shared/geo.ts'
import { isTemporary, type RefusedAnswer } from '../../kit/shared/refusal.ts'
import type { Answer, AnswerBody, AnyEndpoint } from '../../kit/shared/endpoint.ts'
import { mapListDeal, type MapListDeal } from './card-deal.ts'
import { type Cluster, type DealPin, mapDeals, searchDeals } from '../contract.ts'
import { reachableFirst } from './reach.ts'
import { withDistance } from './with-distance.ts'
import { needIn } from '../../places/needs.ts'
import type { UsefulPlace } from '../../places/contract.ts'
import { areaOf, findPlaces, findVenues, type VenueSpot } from './map-spots.ts'
import { searchCentre, searchOf, showsLayer, type MapQuery } from './deals-map-query.ts'
import { fixed } from '../../kit/shared/numbers.ts'

const listSize = 15

/** A single deal on the map; its name is loaded when it is opened. */
export type MapDeal = DealPin

/** One list of the result: the pages that are loaded so far. */
export interface ListPart<Item> {
  items: Item[]
  total: number
  isCapped: boolean
  /** Nothing matches the typed words; the items are close matches. */
  isGuessed: boolean
  next: string | null
}

/** The lists of a search. */
export interface MapResult {
  deals: ListPart<MapListDeal>
  merchants: ListPart<NearbyBusiness>
  events: VenueSpot[]
  places: UsefulPlace[]
}
/** The lists that are loaded page by page. */
export type Continued = 'deals' | 'merchants'

/** The pins of a search. Lists and pins are replaced together or not at all. */
export interface MapPins {
  deals: MapDeal[]
  clusters: Cluster[]
  merchants: BusinessOnMap[]
  /** Clusters that the server sends instead of single merchants when there are too many. */
  merchantClusters: BusinessCluster[]
}

const nothing = { items: [], total: 0, isCapped: false, isGuessed: false, next: null }
const nothingFound: MapResult = { deals: nothing, merchants: nothing, events: [], places: [] }
const noPins: MapPins = { deals: [], clusters: [], merchants: [], merchantClusters: [] }

/**
 * The lists of a search. Venues and places that fail to load beside deals or merchants are left out.
 * @throws the refused answer for deals or merchants
 */
export async function findLists(by: Carrier, query: MapQuery, centre: Position, size = listSize): Promise<MapResult> {
  const limit = String(size)
  const isBesideOthers = showsLayer(query, 'deals') || showsLayer(query, 'merchants')
  const noneIfFailed = <T>(spots: Promise<T[]>) => (isBesideOthers ? spots.catch(() => []) : spots)
  const [deals, merchants, events, places] = await Promise.all([
    showsLayer(query, 'deals') ? findDeals(by, query, centre, { limit }) : null,
    showsLayer(query, 'merchants') ? findMerchants(by, query, centre, { limit }) : null,
    showsLayer(query, 'events') ? noneIfFailed(findVenues(by, query, centre)) : [],
    showsLayer(query, 'places') ? noneIfFailed(findPlaces(by, query, centre)) : [],
  ])
  return {
    deals: deals && !isMistaken(query, deals) ? { ...listed(deals), items: deals.body.map(mapListDeal) } : nothing,
    merchants: merchants ? listed(merchants) : nothing,
    events,
    places,
  }
}

/** Whether deals that nearly have the words stand in the way of the answer to a need. */
const isMistaken = ({ q }: MapQuery, { guessed }: { guessed: boolean }) => guessed && needIn(q) !== null

/** True: a search around a place other than the festival's centre found nothing near it. Deals without a place do not count. */
export function findsNoneNear({ near, bbox }: MapQuery, { deals, merchants, events, places }: MapResult): boolean {
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

/** A page of deals. Distances that the answer lacks are computed from the centre of the search. */
async function findDeals(by: Carrier, query: MapQuery, centre: Position, page: { limit: string; after?: string }) {
  const answer = await askOrFail(by, searchDeals, asTyped({ ...searchOf(query, centre), ...page }))
  const body = answer.body.map((deal) => withDistance(deal, searchCentre(query, centre)))
  const isFromHere = query.near !== undefined && query.near !== 'centre'
  return { ...answer, body: isFromHere ? reachableFirst(body, serverTime()) : body }
}

async function findMerchants(by: Carrier, query: MapQuery, centre: Position, page: { limit: string; after?: string }) {
  const answer = await askOrFail(by, searchBusinesses, asTyped({ ...areaOf(query, centre), ...page }))
  return { ...answer, body: answer.body.map((merchant) => withDistance(merchant, searchCentre(query, centre))) }
}

async function findPins(query: MapQuery, centre: Position): Promise<MapPins> {
  const [deals, merchants] = await Promise.all([
    showsLayer(query, 'deals')
      ? askOrFail(callByFetch, mapDeals, asTyped({ ...searchOf(query, centre), compact: 'true' }))
      : null,
    showsLayer(query, 'merchants') ? askOrFail(callByFetch, mapBusinesses, asTyped(areaOf(query, centre))) : null,
  ])
  const dealRows = deals && !isMistaken(query, deals) ? deals.body : []
  const merchantRows = merchants?.body ?? []
  return {
    deals: dealRows.flatMap(pinOf),
    clusters: dealRows.filter((row) => 'cluster' in row),
    merchants: merchantRows.filter((row) => 'business_id' in row),
    merchantClusters: merchantRows.filter((row) => 'cluster' in row),
  }
}

/** Fills in category and time, which a row with only the specified fields lacks. A row without a place gives no pin. */
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

/** The smallest box that contains these places, as a `bbox` parameter. */
export function bboxOf(places: Position[]): string {
  const margin = 0.00002
  const [lats, lons] = [places.map(({ latitude }) => latitude), places.map(({ longitude }) => longitude)]
  const box = [
    Math.min(...lons) - margin,
    Math.min(...lats) - margin,
    Math.max(...lons) + margin,
    Math.max(...lats) + margin,
  ]
  return box.map((side) => fixed(side, 5)).join(',')
}

/** Page size of each list in the card of a pressed pin. */
export const atShown = 50

/** The result within a box of the map. */
export const findAt = (by: Carrier, query: MapQuery, centre: Position, box: string): Promise<MapResult> =>
  findLists(by, { ...query, bbox: box }, centre, atShown)

/** Backoff: doubled after each failure, and random by a quarter, so that visitors do not all retry at once. */
const firstRestSeconds = 3
const longestRestSeconds = 60
const restMs = (failures: number) =>
  Math.min(firstRestSeconds * 2 ** (failures - 1), longestRestSeconds) * (750 + Math.random() * 500)

/**
 * What on the page does not match the search in the address. `everything`: nothing was loaded yet. `list`: list and pins are of an
 * earlier search. `old`: the result is stale. `pins`: only the pins are missing. `since` (ISO): when the list was loaded.
 */
export type Outdated = { what: 'list' | 'old'; since: string } | { what: 'everything' | 'pins' }

/**
 * Loads the result of the search in the address. The first lists come with the page (`loaded`; null: they failed), and only their pins
 * are loaded here. Each later search loads lists and pins together. After a failure the old result stays, `behind` says what is
 * outdated, and the search is retried: after a backoff, when the network is back, or by `again`.
 */
export function useMapDeals(query: MapQuery, centre: Position, loaded: MapResult | null) {
  const search = `${JSON.stringify(searchOf(query, centre))} ${query.layers ?? ''}`
  /** `isQuiet`: an automatic retry, which shows no progress. */
  const [attempt, setAttempt] = useState({ n: 0, isQuiet: false })
  const request = `${search} ${attempt.n}`
  /** The request whose lists came with the page; null: they failed. */
  const [first] = useState(loaded && request)
  const [found, setFound] = useState(loaded ?? nothingFound)
  const [pins, setPins] = useState<MapPins>(noPins)
  /** The last request that succeeded or failed. */
  const [settled, settle] = useState<string | null>(null)
  /** The search that the shown result answers, when its lists were loaded, and whether it has pins yet. */
  const [answered, setAnswered] = useState(() => ({
    search: loaded && search,
    at: new Date().toISOString(),
    hasPins: false,
  }))
  /** Failures in a row, and whether a retry can succeed (`mayPass`). */
  const [failures, setFailures] = useState({ n: 0, mayPass: true })
  const lastRequest = useRef<string | null>(null)
  const findAgain = useEffectEvent((isFirst: boolean) =>
    Promise.all([isFirst && loaded ? null : findLists(callByFetch, query, centre), findPins(query, centre)]),
  )

  useEffect(() => {
    let isOver = false
    const isFirst = lastRequest.current === null
    lastRequest.current = request
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
        setFailures(({ n }) => ({ n: n + 1, mayPass: isTemporary(refused) }))
      })
      .finally(() => {
        if (!isOver) settle(request)
      })
    return () => {
      isOver = true
    }
    // oxlint-disable-next-line react/exhaustive-deps
  }, [request])

  const again = (isQuiet = false) => setAttempt(({ n }) => ({ n: n + 1, isQuiet }))
  // refresh a stale map when the visitor comes back to the page
  useEffect(() => onReturn(() => Date.now() - Date.parse(answered.at) > staleAfterMs && again(true)), [answered])
  // an offline copy of the map is refreshed once the network is back
  useEffect(() => (currentConnection().asOf === null ? undefined : onReconnect(() => again(true))), [answered])
  const isWaiting = settled !== request
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
  const showsProgress = isWaiting && !(attempt.isQuiet && settled === `${search} ${attempt.n - 1}`)

  const [isAdding, setAdding] = useState<Continued | null>(null)
  /** The list whose next page failed, and the result it belongs to: a new result clears the failure. */
  const [stuck, setStuck] = useState<{ found: MapResult; list: Continued } | null>(null)
  /** Adds the next page of a list; it is dropped if the result has changed meanwhile. */
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
    isUpdating: showsProgress,
    isUpdatingList: showsProgress && (settled !== null || request !== first),
    behind: behind(answered, search, failures.n > 0),
    again: () => again(),
    more,
    isAdding,
    failedMore: stuck?.found === found ? stuck.list : null,
  }
}

function behind(
  answered: { search: string | null; at: string; hasPins: boolean },
  search: string,
  hasFailed: boolean,
): Outdated | null {
  if (answered.search === null) return { what: 'everything' }
  if (!hasFailed) return null
  if (answered.search !== search) return { what: 'list', since: answered.at }
  if (Date.now() - Date.parse(answered.at) > staleAfterMs) return { what: 'old', since: answered.at }
  return answered.hasPins ? null : { what: 'pins' }
}
