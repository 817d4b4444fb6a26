import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import type { Redemption } from '../contract.ts'
import type { UnsentScan } from './till-store.ts'
import { canSend, followScans, isWaiting, scansOf, sendScans, type ScansOf } from './unsent-scans.ts'

const tryAgainMs = 20_000

/**
 * Offline scans of this till; sent as soon as there is a network, if the till can send. `sent` is called for each accepted scan,
 * `over` when shift or session have ended.
 */
export function useUnsentScans(
  till: ScansOf,
  sent: (redemption: Redemption | null) => void = () => {},
  over: () => void = () => {},
) {
  // as a text: equal while nothing has changed, as `useSyncExternalStore` needs it
  const scans = JSON.parse(useSyncExternalStore(followScans, () => JSON.stringify(scansOf(till)))) as UnsentScan[]
  const onSent = useEffectEvent(sent)
  const onOver = useEffectEvent(over)
  useEffect(() => {
    if (!canSend(till)) return
    const send = async () => {
      if ((await sendScans(till, (redemption) => onSent(redemption)).catch(() => 'later')) !== 'over') return
      stop()
      onOver()
    }
    const now = () => void send()
    const trying = setInterval(now, tryAgainMs)
    const stop = () => {
      removeEventListener('online', now)
      clearInterval(trying)
    }
    addEventListener('online', now)
    now()
    return stop
  }, [till])
  return {
    waiting: scans.filter(isWaiting),
    conflicts: scans.filter((scan) => !isWaiting(scan)),
  }
}
