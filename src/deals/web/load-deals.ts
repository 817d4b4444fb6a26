import type { LoaderFunctionArgs } from 'react-router'
import { listBusinesses } from '../../businesses/contract.ts'
import { countEvents } from '../../events/web/count-events.ts'
import { askForgivingly } from '../../kit/browser/ask-forgivingly.ts'
import { ask, pageContext } from '../../kit/browser/ask.ts'
import type { NeedFound } from '../../places/web/load-need.ts'
import { pack } from '../../kit/browser/packed.ts'
import { serverTime } from '../../kit/browser/server-time.ts'
import { distanceKm } from '../../kit/shared/geo.ts'
import { listDeals, searchDeals } from '../contract.ts'
import { cardDeal } from './card-deal.ts'
import { canonicalAddress, isAroundPlace, queryIn, queryNames, type DealQuery } from './deal-query.ts'
import { reachableFirst } from './reach.ts'
import { withDistance } from './with-distance.ts'

const pageSize = 24

/** All live deals; with a place in the address the deals around it, with distances. */
export async function load({ context, request }: LoaderFunctionArgs) {
  const { searchParams } = new URL(request.url)
  const fromAddress = queryIn(searchParams)
  const { near, ...filters } = fromAddress
  const { festival } = context.get(pageContext)
  if (near === 'centre') Object.assign(filters, { lat: String(festival.latitude), lon: String(festival.longitude) })
  const paging = {
    limit: filters.limit ?? String(pageSize),
    after: searchParams.get('after') || undefined,
    offset: searchParams.get('offset') || undefined,
  }

  const paged = { ...filters, ...paging }
  const nearby = isAroundPlace(filters) ? await askForgivingly(context, searchDeals, paged) : null
  // an unreadable place is ignored
  const found = nearby && isAroundPlace(nearby.query) ? nearby : null
  const { lat: _, lon: __, radius: ___, ...everywhere } = paged
  const listed = found ?? (await askForgivingly(context, listDeals, { ...everywhere, sort: everywhere.sort ?? 'best' }))

  const { lat, lon } = listed.query
  const around = lat && lon ? { latitude: Number(lat), longitude: Number(lon) } : festival

  const accepted: DealQuery = {}
  for (const name of queryNames) {
    if (name === 'near') {
      if (near === 'centre') accepted.near = near
    } else if (fromAddress[name] !== undefined && listed.query[name] !== undefined) accepted[name] = listed.query[name]
  }
  if (accepted.near) {
    delete accepted.lat
    delete accepted.lon
  }
  const { q, after, offset } = listed.query
  // the words may be the name of a merchant
  const merchants =
    q && listed.answer.body.length === 0 ? await ask(context, listBusinesses, { query: { q, limit: '1' } }) : null
  const isFirst = after === undefined && offset === undefined
  const isEmpty = isFirst && listed.answer.body.length === 0
  const soonest = isEmpty ? await (await import('./find-next.ts')).findNext(context, listed.query, around) : null
  const nextUp = soonest && (lat && near !== 'centre' ? soonest : { ...soonest, isFromCentre: true })
  // the words may be the name of a concert
  const events = q && isFirst ? await ask(context, countEvents, { query: { q, limit: '1' } }) : null
  const place = isAroundPlace(fromAddress) && lat && lon && near !== 'centre' ? around : null
  const need = isFirst && q ? await (await needs())?.loadNeed(context, q, place) : null
  const pageNumber = Math.max(1, Math.min(9999, Math.trunc(Number(searchParams.get('page'))) || 1))
  const isFromCentre = near === 'centre'
  const inOrder = found && !isFromCentre ? reachableFirst(found.answer.body, serverTime()) : found?.answer.body
  const deals = inOrder
    ? inOrder.map((deal) => ({ ...cardDeal(withDistance(deal, around)), ...(isFromCentre && { isFromCentre }) }))
    : listed.answer.body.map((deal) => cardDeal(deal))
  return {
    deals,
    total: listed.answer.total ?? listed.answer.body.length,
    ...(listed.answer.totalCapped && { isCapped: true }),
    ...(listed.answer.guessed && { isGuessed: true }),
    next: listed.answer.next,
    query: accepted,
    /** The deals are around a place, with their distances. */
    isNear: found !== null,
    faults: { ...nearby?.faults, ...listed.faults },
    perPage: Number(listed.query['limit'] ?? pageSize),
    pageNumber,
    isFirst,
    ...(nextUp && { nextUp }),
    ...(merchants?.answer?.total && { merchants: merchants.answer.total, isMany: merchants.answer.totalCapped }),
    ...(events?.answer?.total && { events: events.answer.total }),
    ...(need && { need }),
    km: found && accepted.lat ? distanceKm(festival, { latitude: +accepted.lat, longitude: +accepted.lon! }) : 0,
    address: canonicalAddress(accepted, isFirst ? {} : { after, offset, page: String(pageNumber) }),
    /** When the phone stored this list, ISO; null: it is the server's. */
    ...(listed.answer.cachedAt && { staleSince: listed.answer.cachedAt }),
  }
}

/** For the server's document, which is smaller so. */
export async function loadPacked(args: LoaderFunctionArgs) {
  const { deals, ...list } = await load(args)
  return { ...list, packed: pack(deals) }
}

/** Loaded when there are words. */
const needs = () => import('../../places/web/load-need.ts').catch(() => null)

/** `isUnchanged`: what was asked for needs a network, so the list is the one before. */
export type DealList = Awaited<ReturnType<typeof load>> & { need?: NeedFound; isUnchanged?: boolean }

/**
 * The last list that this tab has shown. `loadInBrowser` falls back to it: nothing else of a loader outlives a navigation. Set after
 * the render in a browser, never on the server, where visitors share modules.
 */
let lastList: { data: DealList; at: string } | null = null

export function cacheList(data: DealList) {
  lastList = { data, at: data.staleSince ?? new Date().toISOString() }
}

/** Without a network the deals that are stored on the phone, filtered and sorted here; else the last list, with its own filters. */
export async function loadInBrowser(args: LoaderFunctionArgs): Promise<DealList> {
  let cached: DealList | null = null
  try {
    cached = await load(args)
    if (!cached.staleSince) return cached
  } catch (error) {
    if (!isWithoutAnswer(error)) throw error
    const list = (await loadStored(args)) ?? unchanged() ?? (await loadStored(args, { isOwnOrder: true }))
    if (list) return list
    throw error
  }
  return (await loadStored(args)) ?? cached
}

/** Its file is loaded when needed, and may not be stored. */
const loadStored = (args: LoaderFunctionArgs, options: { isOwnOrder?: boolean } = {}) =>
  import('./stored-deals.ts').then(
    ({ loadStoredList }) => loadStoredList(args, options),
    () => null,
  )

/** A new query, so that the filters go back to those of the list. */
const unchanged = (): DealList | null =>
  lastList && { ...lastList.data, query: { ...lastList.data.query }, staleSince: lastList.at, isUnchanged: true }

function isWithoutAnswer(error: unknown): boolean {
  const status = (error as { data?: { status?: number } } | null)?.data?.status
  return status !== undefined && (status === 0 || status >= 500)
}
