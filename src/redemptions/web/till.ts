import { ask, type CallResult } from '../../kit/browser/asking.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import {
  checkCode,
  checkCodeAtTill,
  type CheckedCode,
  redeemCode,
  redeemCodeAtTill,
  type Redemption,
  undoRedemption,
  undoRedemptionAtTill,
} from '../contract.ts'
import type { KeptDevice } from './till-store.ts'

/** A code as it was typed or scanned. */
export type GivenCode = { code: string } | { payload: string }

export interface RedeemBody {
  amount_chf: number
  idempotency_key: string
  code?: string
  payload?: string
  ticket?: string
  /** Of a kept scan: the device on which it was made. */
  device_id?: string
  scanned_at?: string
  clock_offset_ms?: number
}

type Asked<Body> = Promise<Pick<CallResult<never, Body>, 'refused'> & { answer: { body: Body } | null }>

/** Where codes are redeemed: by somebody who is logged in as the business, or on a redeem-only device. */
export interface TillCalls {
  businessId: string
  /** null: not registered, so it can keep no scans. */
  deviceId: string | null
  redeemOnly: boolean
  check: (code: GivenCode) => Asked<CheckedCode>
  redeem: (body: RedeemBody) => Asked<Redemption>
  /** The same for a kept scan, which nobody waits for: a session that is over ends nothing here. */
  send: (body: RedeemBody) => Asked<Redemption>
  undo: (redemptionId: string) => Asked<Redemption>
}

export function tillOfBusiness(businessId: string, device: KeptDevice | null): TillCalls {
  const deviceId = device?.business_id === businessId ? device.device_id : null
  const at = deviceId === null ? {} : { device_id: deviceId }
  return {
    businessId,
    deviceId,
    redeemOnly: false,
    check: (code) => ask(callByFetch, checkCode, { as: 'action', body: { ...code, ...at } }),
    redeem: (body) => ask(callByFetch, redeemCode, { as: 'action', body: { ...at, ...body } }),
    send: (body) => ask(callByFetch, redeemCode, { as: 'background', body: { ...at, ...body } }),
    undo: (redemption_id) => ask(callByFetch, undoRedemption, { as: 'action', params: { redemption_id } }),
  }
}

/** `over` is told when an undo finds that the shift has ended. */
export function tillOfDevice(device: KeptDevice, till_token: string, over: () => void): TillCalls {
  const redeem = (body: RedeemBody) => ask(callByFetch, redeemCodeAtTill, { body: { ...body, till_token } })
  return {
    businessId: device.business_id,
    deviceId: device.device_id,
    redeemOnly: true,
    check: (code) => ask(callByFetch, checkCodeAtTill, { body: { ...code, till_token } }),
    redeem,
    send: redeem,
    undo: async (redemption_id) => {
      const outcome = await ask(callByFetch, undoRedemptionAtTill, { params: { redemption_id }, body: { till_token } })
      if (outcome.refused && isOver(outcome.refused)) over()
      return outcome
    },
  }
}

/** The shift of a redeem-only device has ended, or somebody's session has. */
export const isOver = ({ status }: { status: number }) => status === 401

/** Not in our words: from something in between, as a proxy or the login page of a network. */
export const isForeign = ({ code }: { code?: string | undefined }) => code === 'unreadable'
