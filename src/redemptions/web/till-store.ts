import {
  flagOr,
  isObject,
  list,
  needed,
  number,
  numberOr,
  or,
  record,
  sure,
  text,
  type Read,
} from '../../kit/browser/reading.ts'

/** What a till stores on its device. It survives logouts: a redeem-only device has no login, and no offline scan may be lost. */

/** The registration of this device. */
export interface TillDevice {
  device_id: string
  business_id: string
  name: string
  /** For a redeem-only device; null: used with a business login. */
  secret: string | null
}

/** A shift at a redeem-only device. */
export interface Shift {
  till_token: string
  expires_at: string
  business_name: string
}

/** An offline scan. */
export interface UnsentScan {
  key: string
  business_id: string
  device_id: string
  code: string | null
  payload: string | null
  amount_chf: number
  scanned_at: string
  /** null: unknown when the scan was made; filled in when it is sent. */
  clock_offset_ms: number | null
  /** The code of the refusal when it could not count; null: not sent yet. */
  conflict: string | null
}

/** A recent redemption on a redeem-only device. */
export interface RecentRedemption {
  redemption_id: string
  deal_name: string
  amount_chf: number
  undo_until: string
  undone: boolean
}

const device = record<TillDevice>({ device_id: needed, business_id: needed, name: or(text, ''), secret: text })
const shift = record<Shift>({ till_token: needed, expires_at: needed, business_name: or(text, '') })
const scan = record<UnsentScan>({
  key: needed,
  business_id: needed,
  device_id: needed,
  code: text,
  payload: text,
  amount_chf: sure(number),
  scanned_at: needed,
  clock_offset_ms: number,
  conflict: text,
})
/** The last known offset of this device's clock: the server's time minus the device's. */
const clock = record<{ offset_ms: number }>({ offset_ms: sure(number) })
const redemption = record<RecentRedemption>({
  redemption_id: needed,
  deal_name: or(text, '–'),
  amount_chf: numberOr(0),
  undo_until: needed,
  undone: flagOr(false),
})

export const tillStore = {
  device: storedItem('redeemDevice', device),
  shift: storedItem('redeemShift', shift),
  clock: storedItem('redeemClock', clock),
  /** From version 1.0; see unsent-scans.ts. */
  scans: storedItem('redeemScans', list(scan)),
  recent: storedItem('redeemRecent', list(redemption)),
}

function storedItem<Value>(key: string, read: Read<Value>) {
  return {
    get(): Value | null {
      try {
        const value: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
        return (isObject(value) || Array.isArray(value) ? read(value) : null) ?? null
      } catch {
        return null
      }
    },
    /** False: the browser blocks its storage. */
    set(value: Value | null): boolean {
      try {
        if (value === null) localStorage.removeItem(key)
        else localStorage.setItem(key, JSON.stringify(value))
        return true
      } catch {
        return false
      }
    },
  }
}
