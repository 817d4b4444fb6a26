import { operation, type Operation } from '../../kit/server/serve-endpoint.ts'
import { sendMessage } from '../contract.ts'
import * as contact from './contact.ts'

export function contactOperations(room: contact.ContactRoom): Operation[] {
  return [
    operation(sendMessage, ({ body }, { visitor, locale, who }) =>
      contact.sendMessage(room, body, { address: visitor?.address ?? '', locale, accountId: who?.accountId ?? null }),
    ),
  ]
}
