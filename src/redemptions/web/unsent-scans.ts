import { currentSession, storedInSession, type Session } from '../../accounts/web/session.ts'
import { outbox, type Intent, type IntentKind, type SendResult } from '../../kit/browser/outbox.ts'
import { forgetOldCount } from '../../kit/browser/outbox-items.ts'
import { followOutbox } from '../../kit/browser/use-outbox.ts'
import { isTemporary } from '../../kit/shared/refusal.ts'
import type { Redemption } from '../contract.ts'
import { measureOffset } from './till-clock.ts'
import { isForeign, isOver, tillOfBusiness, tillOfDevice, type GivenCode, type TillCalls } from './till.ts'
import { tillStore, type TillDevice, type UnsentScan } from './till-store.ts'

/** Offline scans are intents of the device in the outbox; conflicts stay there until somebody has read them. */

/** The outbox's name for scans. */
export const ofDevice = 'till'

/** A till whose scans are shown; as `TillCalls` it can send them, too. */
export type ScansOf = Pick<TillCalls, 'businessId' | 'deviceId' | 'redeemOnly'>

export const canSend = (till: ScansOf): till is TillCalls => 'send' in till

/** The data of a scan in the outbox. */
interface ScanData extends Omit<UnsentScan, 'key' | 'conflict'> {
  /** When the server first refused with 403, ms since 1970 by this device. Retried: the business may be allowed again. */
  forbidden_at?: number
}

/** After so long with 403, the scan becomes a conflict, ms. */
const forbiddenMs = 12 * 3_600_000

const ownerOf = ({ device_id }: Pick<UnsentScan, 'device_id'>) => `device-${device_id}`

const scanOf = ({ key, data, refused }: Intent): UnsentScan => {
  const { forbidden_at: _, ...scan } = data as ScanData
  return { key, ...scan, conflict: refused?.code ?? null }
}

export const allScans = (): UnsentScan[] => outbox.of(ofDevice).map(scanOf)

/** A business login also sends scans that this device made under a registration that was removed since. */
export const scansOf = ({ businessId, deviceId, redeemOnly }: ScansOf) =>
  allScans().filter((scan) => scan.business_id === businessId && (!redeemOnly || scan.device_id === deviceId))

export const isWaiting = ({ conflict }: UnsentScan) => conflict === null

/** The same digits mean the same code for so long; later they may be another visitor's. */
const sameDigitsMs = 60_000

/** An unsent scan of the same code on this till: it must not be redeemed twice. */
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

/** A QR code is `RK1:<claim>:<digits>`. */
function partsOf(given: GivenCode): { claim: string | null; digits: string } {
  if ('code' in given) return { claim: null, digits: given.code }
  const [, claim = '', digits = ''] = given.payload.toUpperCase().split(':')
  return { claim, digits }
}

/** False: the browser cannot store the scan, so it is not added. */
export function addScan({ key, conflict, ...data }: UnsentScan): boolean {
  const at = Date.parse(data.scanned_at) || Date.now()
  const refused = conflict === null ? {} : { refused: { code: conflict, error: '' } }
  const intent = outbox.add<ScanData>({ key, at, kind: ofDevice, owner: ownerOf(data), subject: key, data, ...refused })
  if (outbox.isStored()) return true
  outbox.remove([intent])
  return false
}

export const dismissScan = (key: string): void => outbox.remove(outbox.of(ofDevice).filter((each) => each.key === key))

export function followScans(listener: () => void): () => void {
  moveOldScans()
  return followOutbox(listener)
}

/** Version 1.0 stored the scans as one list, with a count. Can be deleted one release after 1.1. */
function moveOldScans() {
  const old = tillStore.scans.get()
  forgetOldCount(ofDevice)
  if (old?.every(addScan)) tillStore.scans.set(null)
}

/** `over`: shift or session have ended, so nothing is sent until the next one. */
export type ScansSent = 'done' | 'later' | 'over'

/**
 * Sends the scans one by one, in the order in which they were made. Their keys keep the server from counting one twice when two
 * pages send it. `sent` is called for each scan that the server has accepted, with null for a conflict.
 */
export async function sendScans(
  till: TillCalls,
  sent: (redemption: Redemption | null) => void = () => {},
): Promise<ScansSent> {
  moveOldScans()
  let left: ScansSent = 'done'
  for (const owner of new Set(scansOf(till).filter(isWaiting).map(ownerOf))) {
    const result = await outbox.send(scanIntents(owner, till, sent))
    if (result === 'stop') return 'over'
    if (result === 'later') left = 'later'
  }
  return left
}

const scanIntents = (
  owner: string,
  till: TillCalls,
  sent: (redemption: Redemption | null) => void,
): IntentKind<ScanData, null> => ({
  name: ofDevice,
  owner: () => owner,
  owners: () => [owner],
  empty: null,
  // each scan is its own subject, so scans are never merged
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
  const offsetMs = scan.clock_offset_ms ?? (await measureOffset())
  // without the clock's offset the instant of the scan is unknown
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
  // refusals that may be about this scan alone (429: typed digits are limited, QR codes behind them are not)
  const isAboutThis = [403, 429].includes(refused.status) || isForeign(refused)
  if (!isAboutThis && isTemporary(refused)) return 'later'
  // a scan that is gone was sent or dismissed on another page
  if (outbox.of(ofDevice).some((each) => each.key === key))
    outbox.update(intent, {
      ...intent,
      data: { ...scan, clock_offset_ms: offsetMs, ...(forbidden_at !== undefined && { forbidden_at }) },
    })
  if (isAboutThis && !isLost) return 'skip'
  sent(null)
  return { refused: { code: refused.code, error: refused.error } }
}

/** The till of a business login, or of a redeem-only device, which cannot send between shifts. Null: neither. */
export function tillHere(
  session: Session = currentSession(),
  businessId = storedInSession('businessId'),
): ScansOf | null {
  const device = tillStore.device.get()
  if (session !== 'guest' && businessId !== null) return tillOfBusiness(businessId, device)
  if (!device?.secret) return null
  const token = tillStore.shift.get()?.till_token
  return token ? tillOfDevice(device, token, () => {}) : lockedTill(device)
}

export const lockedTill = ({ business_id, device_id }: TillDevice): ScansOf => ({
  businessId: business_id,
  deviceId: device_id,
  redeemOnly: true,
})

/** For a business login: sends its scans. @returns how many are left */
export async function sendOwnScans(): Promise<number> {
  const till = currentSession() === 'business' ? tillHere() : null
  if (!till || !canSend(till)) return 0
  await sendScans(till)
  return scansOf(till).filter(isWaiting).length
}
