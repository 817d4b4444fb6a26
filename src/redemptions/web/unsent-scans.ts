import { currentSession, storedInSession, type Session } from '../../accounts/web/session.ts'
import { tellUnsent } from '../../kit/browser/unsent.ts'
import { ofDevice } from '../../kit/browser/unsent-store.ts'
import { isForLater } from '../../kit/shared/refusal.ts'
import type { Redemption } from '../contract.ts'
import { learnOffset } from './till-clock.ts'
import { isForeign, isOver, tillOfBusiness, tillOfDevice, type GivenCode, type TillCalls } from './till.ts'
import { tillStore, type KeptScan } from './till-store.ts'

/** Scans that this device has made without network, and those that could not count, until somebody has seen them. */

/** Whose scans somebody may see and send. */
export type ScansOf = Pick<TillCalls, 'businessId' | 'deviceId' | 'redeemOnly'>

const listeners = new Set<() => void>()

export const allScans = () => tillStore.scans.get() ?? []

/** Who is logged in as the business also sends what this device has kept under a registration that is removed. */
export const scansOf = ({ businessId, deviceId, redeemOnly }: ScansOf) =>
  allScans().filter((scan) => scan.business_id === businessId && (!redeemOnly || scan.device_id === deviceId))

export const isWaiting = ({ conflict }: KeptScan) => conflict === null

/** Digits alone name a code for as long as it is shown; later they may be another visitor's. */
const sameDigitsMs = 60_000

/** The scan of the same code that this till has made and not sent yet: a code counts once, whoever looks at it. */
export function scannedBefore(of: ScansOf, given: GivenCode, scannedAt: string): KeptScan | undefined {
  const { claim, digits } = partsOf(given)
  return scansOf(of)
    .filter(isWaiting)
    .find((scan) => {
      const before = partsOf(scan.payload === null ? { code: scan.code ?? '' } : { payload: scan.payload })
      if (claim !== null && before.claim !== null) return claim === before.claim
      const agoMs = Math.abs(Date.parse(scannedAt) - Date.parse(scan.scanned_at))
      return digits === before.digits && agoMs < sameDigitsMs
    })
}

/** What a QR code holds is `RK1:<claim>:<digits>`. */
function partsOf(given: GivenCode): { claim: string | null; digits: string } {
  if ('code' in given) return { claim: null, digits: given.code }
  const [, claim = '', digits = ''] = given.payload.toUpperCase().split(':')
  return { claim, digits }
}

/** False when the browser keeps its storage shut. */
export function changeScans(to: (scans: KeptScan[]) => KeptScan[]): boolean {
  const isKept = tillStore.scans.set(to(allScans()))
  tellScans()
  for (const tell of listeners) tell()
  return isKept
}

/** So that every page knows that there are some, also those of a version that told nobody. */
export const tellScans = () => tellUnsent(ofDevice, allScans().length)

export function followScans(tell: () => void): () => void {
  listeners.add(tell)
  addEventListener('storage', tell)
  return () => {
    listeners.delete(tell)
    removeEventListener('storage', tell)
  }
}

/** `over`: the shift or the session has ended, so nothing can be sent until somebody has begun another. */
export type Sent = 'done' | 'later' | 'over'

let sending: Promise<unknown> = Promise.resolve()

/**
 * Sends them in the order in which they were made, one after the other, also when asked again meanwhile. Each carries its
 * key, so that the server counts it once even if two pages send it. `sent` is called
 * for each scan that the server has taken, with null for a conflict.
 */
export function sendScans(till: TillCalls, sent: (redemption: Redemption | null) => void = () => {}): Promise<Sent> {
  const next = sending.then(() => sendAll(till, sent))
  sending = next.catch(() => {})
  return next
}

async function sendAll(till: TillCalls, sent: (redemption: Redemption | null) => void): Promise<Sent> {
  let isAnyLeft = false
  for (const { key } of scansOf(till).filter(isWaiting)) {
    // another page may have sent it meanwhile
    const scan = scansOf(till).find((each) => each.key === key && isWaiting(each))
    if (!scan) continue
    const offsetMs = scan.clock_offset_ms ?? (await learnOffset())
    // nobody knows when it was made until the server has told its time
    if (offsetMs === null) return 'later'
    const { answer, refused } = await till.send({
      ...(scan.payload === null ? { code: scan.code ?? '' } : { payload: scan.payload }),
      amount_chf: scan.amount_chf,
      idempotency_key: scan.key,
      device_id: scan.device_id,
      scanned_at: scan.scanned_at,
      clock_offset_ms: offsetMs,
    })
    if (refused && isOver(refused)) return 'over'
    // these may be about this scan alone (429: typed digits are limited, QR codes behind them are not)
    const isOfThis = refused && ([403, 429].includes(refused.status) || isForeign(refused))
    if (refused && !isOfThis && isForLater(refused)) return 'later'
    if (isOfThis) {
      isAnyLeft = true
      continue
    }
    const conflict = refused && refused.code
    changeScans((all) => {
      const others = all.filter((each) => each.key !== key)
      // one that is not there any more was sent, or seen, on another page
      return answer || others.length === all.length
        ? others
        : [...others, { ...scan, clock_offset_ms: offsetMs, conflict }]
    })
    sent(answer?.body ?? null)
  }
  return isAnyLeft ? 'later' : 'done'
}

/**
 * Who is at this device now: somebody who is logged in as the business, or staff at a redeem-only device, whose calls are
 * null while no shift runs. Null where neither is.
 */
export function tillHere(
  session: Session = currentSession(),
  businessId = storedInSession('businessId'),
): { of: ScansOf; till: TillCalls | null } | null {
  const device = tillStore.device.get()
  if (session !== 'guest' && businessId !== null) {
    const till = tillOfBusiness(businessId, device)
    return { of: till, till }
  }
  if (!device?.secret) return null
  const token = tillStore.shift.get()?.till_token
  return {
    of: { businessId: device.business_id, deviceId: device.device_id, redeemOnly: true },
    till: token ? tillOfDevice(device, token, () => {}) : null,
  }
}

/** Of the business that is logged in: sends what it can, and answers how many are left. */
export async function sendOwnScans(): Promise<number> {
  const here = currentSession() === 'business' ? tillHere() : null
  if (!here?.till) return 0
  await sendScans(here.till)
  return scansOf(here.of).filter(isWaiting).length
}
