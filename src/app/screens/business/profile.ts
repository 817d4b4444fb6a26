import type { LoaderFunctionArgs } from 'react-router'
import { getBusiness, type PublicBusiness } from '../../../businesses/contract.ts'
import { type Deal, listDealsOfBusiness } from '../../../deals/contract.ts'
import { ask } from '../../../kit/browser/ask.ts'
import type { Position } from '../../../kit/shared/geo.ts'
import type { RefusedAnswer } from '../../../kit/shared/refusal.ts'
import { isOnMap, mapBounds } from '../../../map/web/bounds.ts'
import type { BusinessRatings } from '../../../ratings/contract.ts'
import { businessRatings } from '../../../ratings/web/first-ratings.ts'

type Context = LoaderFunctionArgs['context']

/** What the page of a business shows. */
export interface Profile {
  business: PublicBusiness
  /** null: the list could not be loaded; the page shows without it. */
  deals: Deal[] | null
  /** The business is within the area of the map. */
  hasMap: boolean
  /** null: they could not be loaded. */
  ratings: BusinessRatings | null
}

/** The profile for the browser, or the refusal. */
export async function profileOf(context: Context, business_id: string): Promise<Profile | RefusedAnswer> {
  const [{ answer, refused }, deals, bounds, ratings] = await Promise.all([
    ask(context, getBusiness, { params: { business_id } }),
    ask(context, listDealsOfBusiness, { params: { business_id } }),
    mapBounds(context),
    businessRatings(context, business_id),
  ])
  return (
    refused ?? {
      business: answer.body,
      deals: deals.answer?.body ?? null,
      hasMap: isOnMap(placeOf(answer.body), bounds),
      ratings,
    }
  )
}

export const placeOf = ({ latitude, longitude }: PublicBusiness): Position | null =>
  latitude === null || longitude === null ? null : { latitude, longitude }
