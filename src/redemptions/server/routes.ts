import { knownCaller, operation, type Operation, type RequestContext } from '../../kit/server/serve-endpoint.ts'
import { Refusal, unauthenticated } from '../../kit/shared/refusal.ts'
import * as contract from '../contract.ts'
import * as rules from './redemptions.ts'

export function redemptionOperations(room: rules.RedemptionRoom): Operation[] {
  const { tillOfLogin, tillOfToken } = rules
  return [
    operation(contract.claimDeal, ({ params }, asking) =>
      rules.claimDeal(room, params.deal_id, knownCaller(asking).accountId),
    ),
    operation(contract.listClaims, ({ query }, asking) => rules.listClaims(room, knownCaller(asking).accountId, query)),
    operation(contract.returnClaim, ({ params }, asking) =>
      rules.returnClaim(room, params.claim_id, knownCaller(asking).accountId),
    ),
    operation(contract.checkCode, async ({ body }, asking) =>
      rules.checkCode(room, await tillOfLogin(room, knownCaller(asking), body.device_id), body),
    ),
    operation(contract.checkCodeAtTill, async ({ body }) =>
      rules.checkCode(room, await tillOfToken(room, body.till_token), body),
    ),
    operation(contract.redeemCode, async ({ body }, asking) =>
      rules.redeemCode(room, await tillOfLogin(room, knownCaller(asking), body.device_id), body),
    ),
    operation(contract.redeemCodeAtTill, async ({ body }) =>
      rules.redeemCode(room, await tillOfToken(room, body.till_token), body),
    ),
    operation(contract.undoRedemption, async ({ params }, asking) =>
      rules.undoRedemption(room, await tillOfLogin(room, knownCaller(asking), undefined), params.redemption_id),
    ),
    operation(contract.undoRedemptionAtTill, async ({ params, body }) =>
      rules.undoRedemption(room, await tillOfToken(room, body.till_token), params.redemption_id),
    ),
    operation(contract.listRedemptions, ({ query }, asking) => rules.listRedemptions(room, ownBusiness(asking), query)),
    operation(contract.redeemedTonight, (_, asking) => rules.redeemedTonight(room, ownBusiness(asking))),
    operation(contract.listDevices, ({ params }, asking) =>
      rules.listDevices(room, params.business_id, knownCaller(asking)),
    ),
    operation(contract.addDevice, ({ params, body }, asking) =>
      rules.addDevice(room, params.business_id, knownCaller(asking), body),
    ),
    operation(contract.removeDevice, ({ params }, asking) =>
      rules.removeDevice(room, params.business_id, params.device_id, knownCaller(asking)),
    ),
    operation(contract.getClock, async () => ({
      server_now: room.clock.now().toString({ fractionalSecondDigits: 3 }),
    })),
    operation(contract.unlockTill, ({ body }) => rules.unlockTill(room, body)),
  ]
}

/** @throws `unauthenticated`: the business of this account was deleted */
function ownBusiness(asking: RequestContext): string {
  const { businessId } = knownCaller(asking)
  if (businessId === null) throw new Refusal(unauthenticated)
  return businessId
}
