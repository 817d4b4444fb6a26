import { ask } from '../../kit/browser/asking.ts'
import type { Rating } from '../contract.ts'
import { listRatings } from './calls.ts'

export interface RatingPage {
  ratings: Rating[]
  next: string | null
}

const pageSize = 5

/** For the loader of the page: the newest ratings, or none where they cannot be had. */
export async function firstRatings(by: Parameters<typeof ask>[0], dealId: string): Promise<RatingPage> {
  const { answer } = await ask(by, listRatings, { params: { deal_id: dealId }, query: { limit: pageSize } })
  return { ratings: answer?.body ?? [], next: answer?.next ?? null }
}
