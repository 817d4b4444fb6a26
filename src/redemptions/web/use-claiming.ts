import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import type { RefusedAnswer } from '../../kit/shared/refusal.ts'
import { myCodesPage } from '../../site-map.ts'

const notReached = { claim: null, refused: { status: 0, code: 'offline', error: '' } }

/** Claims a deal and shows its code. */
export function useClaiming(dealId: string) {
  const navigate = useNavigate()
  const [isSending, setSending] = useState(false)
  const [refused, setRefused] = useState<RefusedAnswer | null>(null)
  const isShown = useRef(false)
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])
  const claim = async () => {
    setSending(true)
    const { claim, refused } = await import('./own-claims.ts').then(
      ({ claimCode }) => claimCode(dealId),
      () => notReached,
    )
    setSending(false)
    setRefused(refused)
    // visitors who have left the page are not moved
    if (claim && isShown.current) await navigate(myCodesPage(claim.claim_id))
  }
  return { claim, isSending, refused }
}
