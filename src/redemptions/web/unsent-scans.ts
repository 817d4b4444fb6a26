import { currentSession, storedInSession, type Session } from '../../accounts/web/session.ts'
import { outbox, type Intent, type Room, type SendResult } from '../../kit/browser/outbox.ts'
import { forgetOldCount } from '../../kit/browser/outbox-items.ts'
import { followOutbox } from '../../kit/browser/use-outbox.ts'
import { isForLater } from '../../kit/shared/refusal.ts'
import type { Redemption } from '../contract.ts'
import { learnOffset } from './till-clock.ts'
import { isForeign, isOver, tillOfBusiness, tillOfDevice, type GivenCode, type TillCalls } from './till.ts'
import { tillStore, type UnsentScan } from './till-store.ts'

/** Scans that this device has made without network, and those that could not count, until somebody has read that: intents of the device. */

/** The room of scans. */
export const ofDevice = 'till'

/** Whose scans somebody may see and send. */
export type ScansOf = Pick<TillCalls, 'businessId' | 'deviceId' | 'redeemOnly'>

/** What the outbox stores of a scan. */
interface ScanData extends Omit<UnsentScan, 'key' | 'conflict'> {
  /** When the server refused it with 403 first, ms since 1970 by this device: the business may be allowed to redeem again. */
  forbidden_at?: number
}

/** A business that may not redeem for so long has lost the scan, ms. */
const forbiddenMs = 12 * 3_600_000

const ownerOf = ({ device_id }: Pick<UnsentScan, 'device_id'>) => `device-${device_id}`

const scanOf = ({ key, data, refused }: Intent): UnsentScan => {
  const { forbidden_at: _, ...scan } = data as ScanData
  return { key, ...scan, conflict: refused?.code ?? null }
}

export const allScans = (): UnsentScan[] => outbox.of(ofDevice).map(scanOf)

/** Who is logged in as the business also sends what this device has kept under a registration that is removed. */
export const scansOf = ({ businessId, deviceId, redeemOnly }: ScansOf) =>
  allScans().filter((scan) => scan.business_id === businessId && (!redeemOnly || scan.device_id === deviceId))

export const isWaiting = ({ conflict }: UnsentScan) => conflict === null

/** Digits alone name a code for as long as it is shown; later they may be another visitor's. */
const sameDigitsMs = 60_000

/** The scan of the same code that this till has made and not sent yet: a code counts once, whoever looks at it. */
export function scannedBefore(of: ScansOf, given: GivenCode, scannedAt: string): UnsentScan | undefined {
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

/** False when the browser cannot store it: then it is not added. */
export function addScan({ key, conflict, ...data }: UnsentScan): boolean {
  const at = Date.parse(data.scanned_at) || Date.now()
  const refused = conflict === null ? {} : { refused: { code: conflict, error: '' } }
  const intent = outbox.add<ScanData>({ key, at, room: ofDevice, owner: ownerOf(data), subject: key, data, ...refused })
  if (outbox.isStored()) return true
  outbox.remove([intent])
  return false
}

export const dismissScan = (key: string): void => outbox.remove(outbox.of(ofDevice).filter((each) => each.key === key))

export function followScans(hear: () => void): () => void {
  moveOldScans()
  return followOutbox(hear)
}

/** Can go one release after 1.1: version 1.0 stored the scans as one list, and counted them. */
function moveOldScans() {
  const old = tillStore.scans.get()
  forgetOldCount(ofDevice)
  if (old?.every(addScan)) tillStore.scans.set(null)
}

/** `over`: the shift or the session has ended, so nothing can be sent until somebody has begun another. */
export type Sent = 'done' | 'later' | 'over'

/**
 * Sends them in the order in which they were made, one after the other, also when asked again meanwhile. Each carries its
 * key, so that the server counts it once even if two pages send it. `sent` is called
 * for each scan that the server has taken, with null for a conflict.
 */
export async function sendScans(
  till: TillCalls,
  sent: (redemption: Redemption | null) => void = () => {},
): Promise<Sent> {
  moveOldScans()
  let left: Sent = 'done'
  for (const owner of new Set(scansOf(till).filter(isWaiting).map(ownerOf))) {
    const result = await outbox.send(scanRoom(owner, till, sent))
    if (result === 'stop') return 'over'
    if (result === 'later') left = 'later'
  }
  return left
}

const scanRoom = (
  owner: string,
  till: TillCalls,
  sent: (redemption: Redemption | null) => void,
): Room<ScanData, null> => ({
  name: ofDevice,
  owner: () => owner,
  owners: () => [owner],
  empty: null,
  // a scan is its own subject
  merge: (_, later) => later,
  apply: () => null,
  send: (intent) => sendScan(till, intent, sent),
  words: () => ({ key: 'scans', values: { n: 1 } }),
})

async function sendScan(
  till: TillCalls,
  intent: Intent<ScanData>,
  sent: (redemption: Redemption | null) => void,
): Promise<SendResult> {
  const { key, data: scan } = intent
  const offsetMs = scan.clock_offset_ms ?? (await learnOffset())
  // nobody knows when it was made until the server has told its time
  if (offsetMs === null) return 'later'
  const { answer, refused } = await till.send({
    ...(scan.payload === null ? { code: scan.code ?? '' } : { payload: scan.payload }),
    amount_chf: scan.amount_chf,
    idempotency_key: key,
    device_id: scan.device_id,
    scanned_at: scan.scanned_at,
    clock_offset_ms: offsetMs,
  })
  if (!refused) {
    sent(answer?.body ?? null)
    return 'done'
  }
  if (isOver(refused)) return 'stop'
  const forbidden_at = refused.status === 403 ? (scan.forbidden_at ?? Date.now()) : undefined
  const isLost = forbidden_at !== undefined && Date.now() - forbidden_at >= forbiddenMs
  // these may be about this scan alone (429: typed digits are limited, QR codes behind them are not)
  const isOfThis = [403, 429].includes(refused.status) || isForeign(refused)
  if (!isOfThis && isForLater(refused)) return 'later'
  // one that is not there any more was sent, or read, on another page
  if (outbox.of(ofDevice).some((each) => each.key === key))
    outbox.update(intent, {
      ...intent,
      data: { ...scan, clock_offset_ms: offsetMs, ...(forbidden_at !== undefined && { forbidden_at }) },
    })
  if (isOfThis && !isLost) return 'skip'
  sent(null)
  return { refused: { code: refused.code, error: refused.error } }
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
