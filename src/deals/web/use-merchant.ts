import { useEffect, useState } from 'react'
import { getBusiness, type NearbyBusiness, type PublicBusiness } from '../../businesses/contract.ts'
import { ask } from '../../kit/browser/asking.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import type { RefusedAnswer } from '../../kit/shared/refusal.ts'

export type MapMerchant = NearbyBusiness | PublicBusiness

/** Why something could not be loaded by its id. */
export type Missing = 'gone' | 'failed'
export const whyMissing = ({ status }: RefusedAnswer): Missing => (status === 404 ? 'gone' : 'failed')

/** The merchant whose card is open; loaded unless it is `known` from the list or the page. */
export function useMerchant(id: string | null, known: MapMerchant | null) {
  const [fetched, setFetched] = useState<{ id: string; merchant: PublicBusiness | null; why: Missing | null } | null>(
    null,
  )
  const isKnown = known !== null
  useEffect(() => {
    if (!id || isKnown) return
    let isOver = false
    void ask(callByFetch, getBusiness, { params: { business_id: id } }).then(({ answer, refused }) => {
      if (!isOver) setFetched({ id, merchant: answer?.body ?? null, why: refused && whyMissing(refused) })
    })
    return () => {
      isOver = true
    }
  }, [id, isKnown])
  const own = fetched?.id === id ? fetched : null
  return { merchant: known ?? own?.merchant ?? null, missing: known ? null : (own?.why ?? null) }
}
