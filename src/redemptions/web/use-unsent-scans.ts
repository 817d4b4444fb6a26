import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import type { Redemption } from '../contract.ts'
import type { TillCalls } from './till.ts'
import type { UnsentScan } from './till-store.ts'
import { addScan, dismissScan, followScans, isWaiting, scansOf, sendScans, type ScansOf } from './unsent-scans.ts'

const tryAgainMs = 20_000

/**
 * Scans that this till has made without network: they are sent as soon as there is one. `till` null: nobody can send them
 * now. `sent` is told of each that the server has taken, `over` that the shift or the session has ended.
 */
export function useUnsentScans(
  of: ScansOf,
  till: TillCalls | null,
  sent: (redemption: Redemption | null) => void = () => {},
  over: () => void = () => {},
) {
  // as a text, which is the same as long as nothing has changed
  const scans = JSON.parse(useSyncExternalStore(followScans, () => JSON.stringify(scansOf(of)))) as UnsentScan[]
  const tellSent = useEffectEvent(sent)
  const tellOver = useEffectEvent(over)
  useEffect(() => {
    if (!till) return
    const send = async () => {
      if ((await sendScans(till, (redemption) => tellSent(redemption)).catch(() => 'later')) !== 'over') return
      stop()
      tellOver()
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
