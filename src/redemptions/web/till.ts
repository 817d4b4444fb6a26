import { ask, type CallResult } from '../../kit/browser/ask.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import type { CallInput } from '../../kit/shared/endpoint.ts'
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
import type { TillDevice } from './till-store.ts'

/** A typed code, or the content of a scanned one. */
export type GivenCode = { code: string } | { payload: string }

type RedeemBody = CallInput<typeof redeemCode>['body']

type TillAnswer<Body> = Promise<Pick<CallResult<never, Body>, 'refused'> & { answer: { body: Body } | null }>

/** Calls of a till: with a business login, or on a redeem-only device. */
export interface TillCalls {
  businessId: string
  /** null: not registered, so it makes no offline scans. */
  deviceId: string | null
  redeemOnly: boolean
  check: (code: GivenCode) => TillAnswer<CheckedCode>
  redeem: (body: RedeemBody) => TillAnswer<Redemption>
  /** For offline scans, in the background: an expired session does not interrupt the page. */
  send: (body: RedeemBody) => TillAnswer<Redemption>
  undo: (redemptionId: string) => TillAnswer<Redemption>
}

export function tillOfBusiness(businessId: string, device: TillDevice | null): TillCalls {
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

/** `over` is called when an undo finds that the shift has ended. */
export function tillOfDevice(device: TillDevice, till_token: string, over: () => void): TillCalls {
  const redeem = (body: RedeemBody) => ask(callByFetch, redeemCodeAtTill, { body: { ...body, till_token } })
  return {
    businessId: device.business_id,
    deviceId: device.device_id,
    redeemOnly: true,
    check: (code) => ask(callByFetch, checkCodeAtTill, { body: { ...code, till_token } }),
    redeem,
    send: redeem,
    undo: async (redemption_id) => {
      const result = await ask(callByFetch, undoRedemptionAtTill, { params: { redemption_id }, body: { till_token } })
      if (result.refused && isOver(result.refused)) over()
      return result
    },
  }
}

/** Shift or session have ended. */
export const isOver = ({ status }: { status: number }) => status === 401

/** Not from our server but from something in between, such as a proxy or the login page of a network. */
export const isForeign = ({ code }: { code?: string | undefined }) => code === 'unreadable'
