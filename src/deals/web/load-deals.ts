import type { LoaderFunctionArgs } from 'react-router'
import { listBusinesses } from '../../businesses/contract.ts'
import { countEvents } from '../../events/web/count-events.ts'
import { askForgivingly } from '../../kit/browser/ask-forgivingly.ts'
import { ask, pageContext } from '../../kit/browser/asking.ts'
import { distanceKm } from '../../kit/shared/geo.ts'
import { listDeals, searchDeals } from '../contract.ts'
import { knownAddress, queryNames, type DealQuery } from './deal-query.ts'
import { cardDeal } from './DealCard.tsx'
import { findNext } from './find-next.ts'
import { withDistance } from './with-distance.ts'

const pageSize = 24

/** All live deals; with a place in the address those around it, with their distance. */
export async function load({ context, request }: LoaderFunctionArgs) {
  const { searchParams } = new URL(request.url)
  const said = Object.fromEntries(
    queryNames.map((name) => [name, searchParams.get(name)?.trim() || undefined]),
  ) as DealQuery
  const { near, ...asked } = said
  const { festival } = context.get(pageContext)
  if (near === 'centre') Object.assign(asked, { lat: String(festival.latitude), lon: String(festival.longitude) })
  const paging = {
    limit: asked.limit ?? String(pageSize),
    after: searchParams.get('after') || undefined,
    offset: searchParams.get('offset') || undefined,
  }

  const wanted = { ...asked, ...paging }
  const nearby = isNear(asked) ? await askForgivingly(context, searchDeals, wanted) : null
  // a place that cannot be read is no place
  const found = nearby && isNear(nearby.query) ? nearby : null
  const { lat: _, lon: __, radius: ___, ...everywhere } = wanted
  const listed = found ?? (await askForgivingly(context, listDeals, { ...everywhere, sort: everywhere.sort ?? 'best' }))

  const { lat, lon } = listed.query
  const around = lat && lon ? { latitude: Number(lat), longitude: Number(lon) } : festival

  const kept: DealQuery = {}
  for (const name of queryNames) {
    if (name === 'near') {
      if (near === 'centre') kept.near = near
    } else if (said[name] !== undefined && listed.query[name] !== undefined) kept[name] = listed.query[name]
  }
  if (kept.near) {
    delete kept.lat
    delete kept.lon
  }
  const { q, after, offset } = listed.query
  // who typed the name of a merchant is led there
  const merchants =
    q && listed.answer.body.length === 0 ? await ask(context, listBusinesses, { query: { q, limit: '1' } }) : null
  const isFirst = after === undefined && offset === undefined
  const isEmpty = isFirst && listed.answer.body.length === 0
  const nextUp = isEmpty ? await findNext(context, listed.query, around) : null
  // the words may be those of a concert
  const events = q && isFirst ? await ask(context, countEvents, { query: { q, limit: '1' } }) : null
  const pageNumber = Math.max(1, Math.min(9999, Math.trunc(Number(searchParams.get('page'))) || 1))
  return {
    deals: found
      ? found.answer.body.map((deal) => cardDeal(withDistance(deal, around)))
      : listed.answer.body.map((deal) => cardDeal(deal)),
    total: listed.answer.total ?? listed.answer.body.length,
    isCapped: listed.answer.totalCapped,
    isGuessed: listed.answer.guessed,
    next: listed.answer.next,
    query: kept,
    isNear: found !== null,
    faults: { ...nearby?.faults, ...listed.faults },
    perPage: Number(listed.query['limit'] ?? pageSize),
    pageNumber,
    isFirst,
    nextUp,
    merchants: merchants?.answer?.total ?? 0,
    isMany: merchants?.answer?.totalCapped,
    events: events?.answer?.total ?? 0,
    km: found && kept.lat ? distanceKm(festival, { latitude: +kept.lat, longitude: +kept.lon! }) : 0,
    address: knownAddress(kept, isFirst ? {} : { after, offset, page: String(pageNumber) }),
    staleSince: null as string | null,
  }
}

export type Shown = Awaited<ReturnType<typeof load>>

let lastShown: { data: Shown; at: string } | null = null

/** For when the next list does not come. */
export function keepShown(data: Shown) {
  lastShown = { data, at: new Date().toISOString() }
}

export async function loadInBrowser(args: LoaderFunctionArgs) {
  try {
    return await load(args)
  } catch (error) {
    // no answer: the list stays as it is
    if (lastShown && isWithoutAnswer(error)) return { ...lastShown.data, staleSince: lastShown.at }
    throw error
  }
}

function isNear(query: { lat?: string; lon?: string; radius?: string }): boolean {
  return (query.lat !== undefined && query.lon !== undefined) || query.radius !== undefined
}

function isWithoutAnswer(error: unknown): boolean {
  const status = (error as { data?: { status?: number } } | null)?.data?.status
  return status !== undefined && (status === 0 || status >= 500)
}
