import { dealSorts } from '../limits.ts'
import { dealsPage, page } from '../../site-map.ts'

/** The query of the address `/deals`, as text; only values that the API has accepted. */
export interface DealQuery {
  q?: string
  category?: string
  openNow?: string
  /** CHF; 0: free */
  max_price?: string
  sort?: string
  radius?: string
  /** `centre`: distances from the festival's centre */
  near?: string
  lat?: string
  lon?: string
  limit?: string
}

export const queryNames = [
  'q',
  'category',
  'openNow',
  'max_price',
  'sort',
  'radius',
  'near',
  'lat',
  'lon',
  'limit',
] as const

/** The query of an address, unchecked. */
export const queryIn = (search: URLSearchParams) =>
  Object.fromEntries(queryNames.map((name) => [name, search.get(name)?.trim() || undefined])) as DealQuery

export const categoriesToChoose = ['food', 'drinks', 'nightlife', 'shopping', 'culture', 'wellness', 'other'] as const
/** The first is the default. */
export const sortsOfAll = ['best', 'price', 'new', 'ending_soon', 'rating'] as const
export const sortsNearby = dealSorts
/** CHF; what costs 10 is not under 10. */
export const priceChoices = { free: '0', underTen: '9.99' } as const
/** km */
export const radiusChoices = ['1', '2', '5', '10', '20'] as const
export const defaultRadius = '5'
/** The choices, with a radius from the address that is none of them. */
export const radiiWith = (chosen: string | undefined): string[] =>
  [...new Set([...radiusChoices, ...(chosen ? [chosen] : [])])].sort((a, b) => Number(a) - Number(b))

/** True for the value of a ticked box, and for words that people type into links. */
export const isOn = (value: string | null | undefined) => /^(true|1|on|yes)$/i.test(value ?? '')

/** Whether the query asks for deals around a place, with their distances. */
export const isAroundPlace = ({ near, lat, lon, radius }: { [name in keyof DealQuery]?: string | null | undefined }) =>
  !!(near || (lat && lon) || radius)

/** `/deals` with some filters changed; null takes one away. Any change leads to the first page. */
export function dealsWith(query: DealQuery, changes: { [name in keyof DealQuery]?: string | null }): string {
  const next: Record<string, string | null | undefined> = { ...query, ...changes }
  // the order by distance needs a place
  if (next['sort'] === 'best' || (next['sort'] === 'distance' && !isAroundPlace(next))) next['sort'] = null
  if (next['openNow'] === 'false') next['openNow'] = null
  return dealsPage(next)
}

/**
 * The canonical address of a list: the accepted filters, in one order, never with somebody's position. A later page around a
 * position has the address of the first page without it.
 */
export function canonicalAddress(query: DealQuery, paging: Record<string, string | undefined>): string {
  const isPlaced = query.lat !== undefined || query.lon !== undefined
  const address = dealsWith(query, isPlaced ? withoutPlace : {})
  const rest = isPlaced ? '' : dealsPage(paging).slice(page.deals.length + 1)
  return rest ? `${address}${address.includes('?') ? '&' : '?'}${rest}` : address
}

export const withoutPlace = { near: null, lat: null, lon: null, radius: null } as const

export const isNarrowed = ({ q, category, openNow, max_price, isNear }: DealQuery & { isNear: boolean }) =>
  !!(q || category || isOn(openNow) || max_price || isNear)
