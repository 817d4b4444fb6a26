import { ask, type Carrier } from '../../kit/browser/ask.ts'
import { type BusinessRatings, getBusinessRatings, listRatings, type Rating } from '../contract.ts'

export interface RatingPage {
  ratings: Rating[]
  next: string | null
}

export const noRatings: RatingPage = { ratings: [], next: null }

const pageSize = 5

/** For the loader of a deal's page: its newest ratings; none if they cannot be loaded. */
export async function firstRatings(by: Carrier, dealId: string): Promise<RatingPage> {
  const { answer } = await ask(by, listRatings, { params: { deal_id: dealId }, query: { limit: pageSize } })
  return { ratings: answer?.body ?? [], next: answer?.next ?? null }
}

/** For the loader of a business page; null if they cannot be loaded. */
export async function businessRatings(by: Carrier, businessId: string): Promise<BusinessRatings | null> {
  const { answer } = await ask(by, getBusinessRatings, { params: { business_id: businessId } })
  return answer?.body ?? null
}
