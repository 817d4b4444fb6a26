import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { searchBusinesses, BusinessOnMap, NearbyBusiness } from '../../businesses/contract.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import type { Position } from '../../kit/shared/geo.ts'
import { mapListDeal, type MapListDeal } from './card-deal.ts'
import type { DealPin, searchDeals } from '../contract.ts'
import { searchOf, showsLayer, type MapQuery } from './deals-map-query.ts'

export const listSize = 20

/** A single deal of the map; what it is called is asked for when somebody opens it. */
export type MapDeal = DealPin
export interface MapHeap extends Position {
  cluster: number
  premium: number
}

/** One part of the list: some of all, in the order asked for. */
export interface Listed<Item> {
  items: Item[]
  total: number
  isCapped: boolean
  next: string | null
}

/** List and map are one result: they are replaced together or not at all. */
export interface Found {
  deals: Listed<MapListDeal>
  merchants: Listed<NearbyBusiness>
}

export interface OnMap {
  deals: MapDeal[]
  heaps: MapHeap[]
  merchants: BusinessOnMap[]
  /** Gathered by the server where there are too many merchants. */
  merchantHeaps: Omit<MapHeap, 'premium'>[]
}

export const nothing = { items: [], total: 0, isCapped: false, next: null }
const noPins: OnMap = { deals: [], heaps: [], merchants: [], merchantHeaps: [] }

/** Both lists of a search; `call` is the loader's on the server and `fetch` in the browser. */
export async function findLists(call: typeof callByFetch, query: MapQuery, centre: Position): Promise<Found> {
  const asked = searchOf(query, centre)
  const limit = String(listSize)
  const [deals, merchants] = await Promise.all([
    showsLayer(query, 'deals')
      ? call<typeof searchDeals>('GET /api/deals/search', { query: { ...asked, limit } as never })
      : null,
    showsLayer(query, 'merchants')
      ? call<typeof searchBusinesses>('GET /api/business/search', {
          query: { ...merchantsOf(query, centre), limit } as never,
        })
      : null,
  ])
  return {
    deals: deals
      ? {
          items: deals.body.map(mapListDeal),
          total: deals.total ?? deals.body.length,
          isCapped: deals.totalCapped,
          next: deals.next,
        }
      : nothing,
    merchants: merchants
      ? {
          items: merchants.body,
          total: merchants.total ?? merchants.body.length,
          isCapped: merchants.totalCapped,
          next: merchants.next,
        }
      : nothing,
  }
}

async function findPins(query: MapQuery, centre: Position): Promise<OnMap> {
  const asked = searchOf(query, centre)
  const [deals, merchants] = await Promise.all([
    showsLayer(query, 'deals')
      ? callByFetch<typeof searchDeals>('GET /api/deals/search', {
          query: { ...asked, view: 'map', compact: 'true' } as never,
        })
      : null,
    showsLayer(query, 'merchants')
      ? callByFetch<typeof searchBusinesses>('GET /api/business/search', {
          query: { ...merchantsOf(query, centre), view: 'map' } as never,
        })
      : null,
  ])
  const rows = (deals?.body ?? []) as unknown as (MapDeal | MapHeap)[]
  const houses = (merchants?.body ?? []) as unknown as (BusinessOnMap | OnMap['merchantHeaps'][number])[]
  return {
    deals: rows.filter((row): row is MapDeal => 'deal_id' in row && isPlace(row)),
    heaps: rows.filter((row): row is MapHeap => 'cluster' in row && isPlace(row)),
    merchants: houses.filter((row): row is BusinessOnMap => 'business_id' in row && isPlace(row)),
    merchantHeaps: houses.filter((row): row is OnMap['merchantHeaps'][number] => 'cluster' in row && isPlace(row)),
  }
}

async function findMore(list: keyof Found, query: MapQuery, centre: Position, after: string) {
  const page = { limit: String(listSize), after }
  if (list === 'deals') {
    const { body, next } = await callByFetch<typeof searchDeals>('GET /api/deals/search', {
      query: { ...searchOf(query, centre), ...page } as never,
    })
    return { items: body, next }
  }
  const { body, next } = await callByFetch<typeof searchBusinesses>('GET /api/business/search', {
    query: { ...merchantsOf(query, centre), ...page } as never,
  })
  return { items: body, next }
}

/** What is asked about merchants: the filters that fit them. */
function merchantsOf(query: MapQuery, centre: Position) {
  const { q, openNow, radius, lat, lon, bbox, category } = searchOf(query, centre) as Record<string, string>
  return { q, category, openNow, radius, lat, lon, bbox }
}

/** What is not a number cannot be drawn. */
const isPlace = ({ latitude, longitude }: { latitude: unknown; longitude: unknown }) =>
  Number.isFinite(latitude) && Number.isFinite(longitude)

/** As `bbox`: just these places. */
export function boxAround(places: Position[]): string {
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

/** The deals that lie at one of these places, in the order of the search. */
export async function findDealsAt(query: MapQuery, centre: Position, places: Position[]): Promise<MapListDeal[]> {
  const { body } = await callByFetch<typeof searchDeals>('GET /api/deals/search', {
    query: { ...searchOf(query, centre), bbox: boxAround(places), limit: '50' } as never,
  })
  return body
}

/**
 * The result of the search in the address. The first list comes with the page, the pins follow; after that both are asked
 * for together at each change. A failure is logged and what is shown stays, until it is asked again: by `again`, or when
 * the connection comes back. `staleSince`: since when the list shown is not that of the address (ISO), null while it is.
 */
export function useMapDeals(query: MapQuery, centre: Position, loaded: Found) {
  const search = `${JSON.stringify(searchOf(query, centre))} ${query.layers ?? ''}`
  const [attempt, setAttempt] = useState(0)
  const asked = `${search} ${attempt}`
  /** Its list came with the page. */
  const [first] = useState(asked)
  const [found, setFound] = useState(loaded)
  const [pins, setPins] = useState<OnMap>(noPins)
  const [settled, settle] = useState<string | null>(null)
  /** What the list shown answers, and since when; the first came with the page. */
  const [answered, setAnswered] = useState(() => ({ search, at: new Date().toISOString() }))
  const [failed, fail] = useState<string | null>(null)
  const shown = useRef<string | null>(null)
  const findAgain = useEffectEvent((isFirst: boolean) =>
    Promise.all([isFirst ? null : findLists(callByFetch, query, centre), findPins(query, centre)]),
  )

  useEffect(() => {
    let isOver = false
    const isFirst = shown.current === null
    shown.current = asked
    findAgain(isFirst)
      .then(([lists, onMap]) => {
        if (isOver) return
        if (lists) {
          setFound(lists)
          setAnswered({ search, at: new Date().toISOString() })
        }
        setPins(onMap)
      })
      .catch((error: unknown) => {
        if (isOver) return
        console.error('The deals could not be updated.', error)
        fail(asked)
      })
      .finally(() => {
        if (!isOver) settle(asked)
      })
    return () => {
      isOver = true
    }
    // oxlint-disable-next-line react/exhaustive-deps
  }, [asked])

  const again = () => setAttempt((before) => before + 1)
  const hasFailed = failed === asked
  useEffect(() => {
    if (!hasFailed) return
    addEventListener('online', again)
    return () => removeEventListener('online', again)
  }, [hasFailed])
  const staleSince = hasFailed && answered.search !== search ? answered.at : null

  const [isAdding, setAdding] = useState<keyof Found | null>(null)
  /** Of which result which list could not be continued. */
  const [stuck, setStuck] = useState<{ found: Found; list: keyof Found } | null>(null)
  /** The next page of one of the lists; it is dropped when the result has become another one meanwhile. */
  async function more(list: keyof Found) {
    const after = found[list].next
    if (isAdding || !after) return
    setAdding(list)
    setStuck(null)
    try {
      const page = await findMore(list, query, centre, after)
      setFound((before) =>
        before === found
          ? { ...before, [list]: { ...before[list], items: [...before[list].items, ...page.items], next: page.next } }
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
    isUpdating: settled !== asked,
    isUpdatingList: settled !== asked && (settled !== null || asked !== first),
    staleSince,
    again,
    more,
    isAdding,
    failedMore: stuck?.found === found ? stuck.list : null,
  }
}
