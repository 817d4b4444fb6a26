import { useEffect, useEffectEvent, useState } from 'react'
import { ask } from '../../kit/browser/ask.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { getMySubscription, type MySubscription } from '../contract.ts'

const everyMs = 1500
/** A confirmation that takes longer comes by mail. */
const times = 60

/** After the return from a payment page: asks until the payment is confirmed. @param found the confirmed thing; null: not yet */
export function useConfirmation<Found>(
  isAwaited: boolean,
  found: (record: MySubscription) => Found | null,
): Found | null {
  const [confirmed, setConfirmed] = useState<Found | null>(null)
  const look = useEffectEvent(async () => {
    const { answer } = await ask(callByFetch, getMySubscription, { as: 'background' })
    return answer && found(answer.body)
  })
  useEffect(() => {
    if (!isAwaited) return
    let left = times
    let timer: ReturnType<typeof setTimeout>
    const next = async () => {
      const it = await look()
      if (left === 0) return
      if (it) setConfirmed(it)
      else if (--left > 0) timer = setTimeout(() => void next(), everyMs)
    }
    void next()
    return () => {
      left = 0
      clearTimeout(timer)
    }
  }, [isAwaited])
  return confirmed
}
