import { apiCall } from '../../kit/browser/asking.ts'
import { or, record, textOr } from '../../kit/browser/reading.ts'
import type * as contract from '../contract.ts'

/** How screens ask the endpoint of this room, and how tolerantly they read the answer. */
export const sendMessage = apiCall<typeof contract.sendMessage>(
  'POST /api/contact',
  // it was sent, whatever the answer says
  or(record({ ticket: textOr('') }), { ticket: '' }),
)
