import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import type { Redemption } from '../contract.ts'
import type { TillCalls } from './till.ts'
import type { UnsentScan } from './till-store.ts'
import { addScan, dismissScan, followScans, isWaiting, scansOf, sendScans, type ScansOf } from './unsent-scans.ts'

const tryAgainMs = 20_000

/**
 * Offline scans of this till; sent as soon as there is a network. `till` null: nobody can send them now. `sent` is called for each
 * accepted scan, `over` when shift or session have ended.
 */
export function useUnsentScans(
  of: ScansOf,
  till: TillCalls | null,
  sent: (redemption: Redemption | null) => void = () => {},
  over: () => void = () => {},
) {
  // as a text: equal while nothing has changed, as `useSyncExternalStore` needs it
  const scans = JSON.parse(useSyncExternalStore(followScans, () => JSON.stringify(scansOf(of)))) as UnsentScan[]
  const onSent = useEffectEvent(sent)
  const onOver = useEffectEvent(over)
  useEffect(() => {
    if (!till) return
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
    add: addScan,
    dismiss: dismissScan,
  }
}
