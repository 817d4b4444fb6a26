import { useEffect, useState } from 'react'
import type { getBusiness, NearbyBusiness, PublicBusiness } from '../../businesses/contract.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { refusedAnswer } from '../../kit/shared/refusal.ts'

export type MapMerchant = NearbyBusiness | PublicBusiness

/** Why something that was asked for by its id is not there. */
export type Missing = 'gone' | 'failed'
export const whyMissing = (error: unknown): Missing => (refusedAnswer(error)?.status === 404 ? 'gone' : 'failed')

/** The merchant whose card is open; fetched where neither the list nor the page has brought it. */
export function useMerchant(id: string | null, known: MapMerchant | null) {
  const [fetched, setFetched] = useState<{ id: string; merchant: PublicBusiness | null; why: Missing | null } | null>(
    null,
  )
  const isKnown = known !== null
  useEffect(() => {
    if (!id || isKnown) return
    let isOver = false
    callByFetch<typeof getBusiness>('GET /api/business/{business_id}', { params: { business_id: id } }).then(
      ({ body }) => !isOver && setFetched({ id, merchant: body, why: null }),
      (error: unknown) => !isOver && setFetched({ id, merchant: null, why: whyMissing(error) }),
    )
    return () => {
      isOver = true
    }
  }, [id, isKnown])
  const own = fetched?.id === id ? fetched : null
  return { merchant: known ?? own?.merchant ?? null, missing: known ? null : (own?.why ?? null) }
}
