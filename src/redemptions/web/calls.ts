import { apiCall } from '../../kit/browser/asking.ts'
import {
  anything,
  flagOr,
  instant,
  list,
  needed,
  number,
  numberOr,
  oneOf,
  or,
  record,
  text,
  textOr,
} from '../../kit/browser/reading.ts'
import type * as contract from '../contract.ts'

/** How screens ask the endpoints of this room, and how tolerantly they read the answers. */

export const readClaim = record<contract.Claim>({
  claim_id: needed,
  deal_id: needed,
  deal_name: textOr('–'),
  business_id: textOr(''),
  business_name: textOr(''),
  price: text,
  discount: text,
  price_chf: number,
  state: oneOf(['open', 'redeemed', 'expired', 'returned'], 'expired'),
  claimed_at: or(instant, ''),
  usable_from: or(instant, ''),
  expires_at: or(instant, ''),
  redeemed_at: instant,
  server_now: or(instant, ''),
  code: text,
  qr_payload: text,
  step_expires_at: instant,
  first_step: number,
  codes: text,
})

export const claimDeal = apiCall<typeof contract.claimDeal>('POST /api/deals/{deal_id}/claim', readClaim)
export const listClaims = apiCall<typeof contract.listClaims>('GET /api/me/claims', list(readClaim))
export const returnClaim = apiCall<typeof contract.returnClaim>('DELETE /api/me/claims/{claim_id}', anything)

/** Why a kept scan does not count. */
export const conflictReasons = [
  'code_unknown',
  'already_used',
  'expired',
  'too_early',
  'wrong_business',
  'limit_reached',
  'device_unknown',
] as const
const redemption = record<contract.Redemption>({
  redemption_id: needed,
  deal_id: text,
  deal_name: text,
  state: oneOf(['redeemed', 'undone', 'conflict'], 'redeemed'),
  reason: oneOf(conflictReasons, null),
  amount_chf: numberOr(0),
  redeemed_at: or(instant, ''),
  recorded_at: or(instant, ''),
  undo_until: instant,
  device_name: text,
})
const checked = record<contract.CheckedCode>({
  deal_id: textOr(''),
  deal_name: textOr('–'),
  price: text,
  discount: text,
  price_chf: number,
  ticket: needed,
})

export const checkCode = apiCall<typeof contract.checkCode>('POST /api/redemptions/check', checked)
export const redeemCode = apiCall<typeof contract.redeemCode>('POST /api/redemptions', redemption)
export const undoRedemption = apiCall<typeof contract.undoRedemption>(
  'POST /api/redemptions/{redemption_id}/undo',
  redemption,
)
export const checkCodeAtTill = apiCall<typeof contract.checkCodeAtTill>('POST /api/till/check', checked)
export const redeemCodeAtTill = apiCall<typeof contract.redeemCodeAtTill>('POST /api/till/redemptions', redemption)
export const undoRedemptionAtTill = apiCall<typeof contract.undoRedemptionAtTill>(
  'POST /api/till/redemptions/{redemption_id}/undo',
  redemption,
)
export const listRedemptions = apiCall<typeof contract.listRedemptions>('GET /api/redemptions', list(redemption))
export const getClock = apiCall<typeof contract.getClock>('GET /api/till/clock', record({ server_now: needed }))

const device = {
  device_id: needed,
  name: textOr('–'),
  redeem_only: flagOr(false),
  created_at: or(instant, ''),
  last_used_at: instant,
}
export const listDevices = apiCall<typeof contract.listDevices>(
  'GET /api/business/{business_id}/devices',
  list(record<contract.Device>(device)),
)
export const addDevice = apiCall<typeof contract.addDevice>(
  'POST /api/business/{business_id}/devices',
  record({ ...device, device_secret: text }),
)
export const removeDevice = apiCall<typeof contract.removeDevice>(
  'DELETE /api/business/{business_id}/devices/{device_id}',
  anything,
)
export const unlockTill = apiCall<typeof contract.unlockTill>(
  'POST /api/till/unlock',
  record({
    till_token: needed,
    expires_at: or(instant, ''),
    business_name: textOr(''),
    name: textOr(''),
    server_now: or(instant, ''),
  }),
)
