import { operation, type RequestContext, type Operation } from '../../kit/server/serve-endpoint.ts'
import type { AnswerBody, AnyEndpoint, CheckedInput } from '../../kit/shared/endpoint.ts'
import * as contract from '../contract.ts'
import { changeBillingAddress, findBillingAddress } from './billing.ts'
import * as payments from './payments.ts'
import type { Payer } from './checkouts.ts'
import type { PaymentRoom } from './room.ts'
import { findTestCheckout, settleTestCheckout } from './test-checkouts.ts'

export function paymentOperations(room: PaymentRoom): Operation[] {
  /** An operation of a business about itself, once per `Idempotency-Key` where the contract says so. */
  function own<E extends AnyEndpoint>(
    endpoint: E,
    rule: (payer: Payer, input: CheckedInput<E>, here: PaymentRoom) => Promise<AnswerBody<E>>,
  ): Operation {
    const answer = async (input: CheckedInput<E>, asking: RequestContext) => {
      const payer = await payments.payerOf(room, asking)
      // Links in its mails lead to the origin of this request.
      const here = { ...room, origin: payer.origin }
      const request = { key: asking.idempotencyKey, operation: endpoint.path, body: input.body }
      return payments.answeredOnce(room, payer.businessId, request, () => rule(payer, input, here))
    }
    return operation(endpoint, answer)
  }

  return [
    own(contract.getMySubscription, ({ businessId }) => payments.mySubscription(room, businessId)),
    own(contract.upgradeBusiness, (payer, { body }, here) =>
      payments.upgrade(here, payer, { tier: body.newTier, interval: body.interval }),
    ),
    own(contract.createPromoSession, (payer) => payments.createPromoSession(room, payer)),
    own(contract.cancelSubscription, (payer, _, here) => payments.cancel(here, payer)),
    own(contract.resumeSubscription, (payer, _, here) => payments.resume(here, payer)),
    own(contract.switchInterval, (payer, { body }, here) => payments.switchInterval(here, payer, body.interval)),
    own(contract.createPortalSession, (payer) => payments.openPortal(room, payer)),
    operation(contract.listInvoices, async ({ query }, asking) => {
      const { businessId } = await payments.payerOf(room, asking)
      return payments.listInvoices(room, businessId, query)
    }),
    own(contract.getInvoice, ({ businessId }, { params }) => payments.findInvoice(room, businessId, params.invoice_id)),
    own(contract.getBillingAddress, ({ businessId }) => findBillingAddress(room, businessId)),
    own(contract.changeBillingAddress, ({ businessId }, { body }) => changeBillingAddress(room, businessId, body)),
    operation(contract.receivePaymentEvent, ({ raw }, { requestId }) => payments.receiveEvent(room, raw, requestId)),
    own(contract.getTestCheckout, ({ businessId }, { params }) =>
      findTestCheckout(room, businessId, params.checkout_id),
    ),
    own(contract.settleTestCheckout, ({ businessId }, { params, body }, here) =>
      settleTestCheckout(here, businessId, params.checkout_id, body.choice),
    ),
  ]
}
