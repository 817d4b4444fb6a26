import { getBusiness, type NearbyBusiness, type PublicBusiness } from '../../businesses/contract.ts'
import { useAnswer } from '../../kit/browser/use-answer.ts'
import type { RefusedAnswer } from '../../kit/shared/refusal.ts'

export type MapMerchant = NearbyBusiness | PublicBusiness

/** Why something could not be loaded by its id. */
export type Missing = 'gone' | 'failed'
export const whyMissing = ({ status }: RefusedAnswer): Missing => (status === 404 ? 'gone' : 'failed')

/** The merchant whose card is open; loaded unless it is `known` from the list or the page. */
export function useMerchant(id: string | null, known: MapMerchant | null) {
  const { body, refused } = useAnswer(getBusiness, id && !known ? { params: { business_id: id } } : null)
  return { merchant: known ?? body, missing: known || !refused ? null : whyMissing(refused) }
}
