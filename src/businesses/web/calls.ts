import { apiCall } from '../../kit/browser/asking.ts'
import {
  anything,
  degrees,
  flag,
  flagOr,
  instant,
  isObject,
  list,
  needed,
  number,
  numberOr,
  oneOf,
  or,
  record,
  text,
  textOr,
  type Read,
} from '../../kit/browser/reading.ts'
import type * as contract from '../contract.ts'
import { signupTiers, tiers, weekDays } from '../limits.ts'

/** How screens ask the endpoints of this room, and how tolerantly they read the answers. */

const spans = list(record<contract.DaySpan>({ opens: needed, closes: needed, open_end: flagOr(false) }))
const openingWeek = record<contract.OpeningWeek>({
  seasons: list(
    record<contract.OpeningWeek['seasons'][number]>({
      dates: list(record({ from: needed, until: needed })),
      days: list(
        record<contract.OpeningWeek['seasons'][number]['days'][number]>({
          day: (value) => weekDays.find((day) => day === value),
          spans,
        }),
      ),
    }),
  ),
  exceptions: list(record<contract.OpeningWeek['exceptions'][number]>({ from: needed, until: needed, spans })),
})

/** When a place, or a deal there, is open. */
export const opening = { open_now: flag, open_until: instant, opens_at: instant }
export const at = { latitude: degrees(90), longitude: degrees(180) }

const named = {
  business_id: needed,
  business_name: textOr('–'),
  logo_url: text,
  logo_image: text,
  category: textOr('other'),
  subscription_tier: oneOf(tiers, 'FREE'),
}
const inList = { ...named, address: text, live_deals: numberOr(0), ...opening }

const business = record<contract.BusinessForOwner>({
  ...named,
  // own paths only: nothing of a foreign host is ever drawn
  photos: or(
    list((path: unknown) => (typeof path === 'string' && path.startsWith('/uploads/') ? path : undefined)),
    [],
  ),
  ...at,
  ...opening,
  address: text,
  description: text,
  open_hours: text,
  opening_week: or(openingWeek, null),
  slug: textOr(''),
  phone: text,
  website: text,
  // the specified fields do not say it, and so they mean a business that has signed up
  claimed: flagOr(true),
  updated_at: or(instant, ''),
  email: text,
  requested_tier: oneOf(signupTiers, null),
})

export const getBusiness = apiCall<typeof contract.getBusiness>('GET /api/business/{business_id}', business, {
  id: 'business_id',
})

export const listBusinesses = apiCall<typeof contract.listBusinesses>(
  'GET /api/business',
  list(record<contract.BusinessByName>({ ...inList, ...at })),
)

const letter: Read<'a'> = (value) => (typeof value === 'string' && /^[a-z]$/.test(value) ? (value as 'a') : undefined)
export const listLetters = apiCall<typeof contract.listLetters>(
  'GET /api/business/letters',
  record({ letters: or(list(letter), []), before_a: flagOr(false) }),
)

export const viewBusiness = apiCall<typeof contract.viewBusiness>('PUT /api/business/{business_id}/view', anything)

const degree = (most: number) => (value: unknown) => degrees(most)(value) ?? undefined
/** A place without which something cannot be drawn. */
export const drawnAt = { latitude: degree(90), longitude: degree(180) }

/** A merchant near by; the distance is null where the answer does not say it. */
export type MerchantNear = Omit<contract.NearbyBusiness, 'distance_km'> & { distance_km: number | null }
export const searchBusinesses = apiCall<typeof contract.searchBusinesses, MerchantNear[]>(
  'GET /api/business/search',
  list(record<MerchantNear>({ ...inList, ...drawnAt, distance_km: number })),
)

const heap = record<contract.BusinessCluster>({ ...drawnAt, cluster: (value) => number(value) ?? undefined })
const house = record<contract.BusinessOnMap>({
  ...drawnAt,
  business_id: needed,
  business_name: named.business_name,
  category: named.category,
})
export const mapBusinesses = apiCall<typeof contract.mapBusinesses>(
  'GET /api/business/search?view=map',
  list<contract.BusinessOnMap | contract.BusinessCluster>((row) =>
    isObject(row) && 'cluster' in row ? heap(row) : house(row),
  ),
)

export const signUpBusiness = apiCall<typeof contract.signUpBusiness, null>('POST /api/business/signup', anything, {
  statusOnly: true,
})

export const getSubscription = apiCall<typeof contract.getSubscription>(
  'GET /api/business/{business_id}/subscription',
  record({
    subscription_tier: named.subscription_tier,
    requested_tier: oneOf(signupTiers, null),
    business_name: textOr(''),
    logo_url: text,
    logo_image: text,
    description: text,
    category: named.category,
    // who is not told that something is missing is not asked for it
    has_address: flagOr(true),
    has_hours: flagOr(true),
    has_location: flagOr(true),
    // who is not told that it is missing is not asked to confirm it
    email_verified: flagOr(true),
    must_verify: flagOr(false),
    suspended_at: instant,
    suspended_reason: text,
  }),
)

export const getStats = apiCall<typeof contract.getStats>(
  'GET /api/business/{business_id}/stats',
  record({ profileViews: numberOr(0), dealClicks: numberOr(0), sales: numberOr(0) }),
)
