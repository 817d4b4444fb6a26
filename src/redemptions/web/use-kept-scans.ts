import { useEffect, useEffectEvent, useState } from 'react'
import { learnOffset } from './till-clock.ts'
import { isForLater, isOver, type TillCalls } from './till.ts'
import { tillStore, type KeptScan } from './till-store.ts'

const tryAgainMs = 20_000

/**
 * Scans that this till has made without network: they are sent as soon as there is one, in the order in which they were
 * made. What could not count stays until somebody has seen it. `sent` is told of each that the server has taken, `over` that
 * the shift has ended.
 */
export function useKeptScans(till: TillCalls, sent: () => void, over: () => void) {
  const [scans, setScans] = useState<KeptScan[]>(() => own(till))
  const change = (to: (scans: KeptScan[]) => KeptScan[]) => {
    const kept = tillStore.scans.set(to(tillStore.scans.get() ?? []))
    setScans(own(till))
    return kept
  }
  const send = async () => {
    for (const scan of own(till).filter(({ conflict }) => conflict === null)) {
      const offsetMs = scan.clock_offset_ms ?? (await learnOffset())
      // nobody knows when it was made until the server has told its time
      if (offsetMs === null) return
      const { answer, refused } = await till.redeem({
        ...(scan.payload === null ? { code: scan.code ?? '' } : { payload: scan.payload }),
        amount_chf: scan.amount_chf,
        idempotency_key: scan.key,
        device_id: scan.device_id,
        scanned_at: scan.scanned_at,
        clock_offset_ms: offsetMs,
      })
      if (refused && isOver(refused)) over()
      // a session that is over is begun anew by somebody; the scan waits for that as well
      if (refused && (isForLater(refused) || isOver(refused) || refused.status === 403)) return
      const others = (all: KeptScan[]) => all.filter(({ key }) => key !== scan.key)
      const conflict = refused && (refused.error || refused.code)
      change((all) => (answer ? others(all) : [...others(all), { ...scan, clock_offset_ms: offsetMs, conflict }]))
      sent()
    }
  }
  const sendNow = useEffectEvent(() => void send())
  useEffect(() => {
    const now = () => sendNow()
    now()
    addEventListener('online', now)
    const trying = setInterval(now, tryAgainMs)
    return () => {
      removeEventListener('online', now)
      clearInterval(trying)
    }
  }, [till])
  return {
    waiting: scans.filter(({ conflict }) => conflict === null),
    conflicts: scans.filter(({ conflict }) => conflict !== null),
    /** False when the browser keeps its storage shut. */
    keep: (scan: KeptScan) => change((all) => [...all, scan]),
    seen: (key: string) => void change((all) => all.filter((scan) => scan.key !== key)),
  }
}

/** Who is logged in as the business also sends what this device has kept under a registration that is removed. */
const own = ({ businessId, deviceId, redeemOnly }: TillCalls) =>
  (tillStore.scans.get() ?? []).filter(
    (scan) => scan.business_id === businessId && (!redeemOnly || scan.device_id === deviceId),
  )
