import { linkInvalid } from '../../accounts/contract.ts'
import { fromOf } from '../../accounts/server/accounts.ts'
import { operation, type Operation } from '../../kit/server/serve-endpoint.ts'
import { Refusal } from '../../kit/shared/refusal.ts'
import * as contract from '../contract.ts'
import { confirm, subscribe, unsubscribe, type NewsletterRoom } from './newsletter.ts'

export function newsletterOperations(room: NewsletterRoom): Operation[] {
  return [
    operation(contract.subscribeNewsletter, async ({ body: { email, language } }, asking) => {
      await subscribe(room, { email, language }, fromOf(asking))
      return { message: room.texts.say(asking.locale, 'accounts.newsletter_sent') }
    }),
    operation(contract.confirmNewsletter, ({ body }) => confirm(room, body.token)),
    operation(contract.unsubscribeNewsletter, ({ query }) => {
      if (!query.subscriber) throw new Refusal(linkInvalid)
      return unsubscribe(room, query.subscriber)
    }),
  ]
}
