import { z } from 'zod'
import { endpoint } from '../kit/shared/endpoint.ts'
import { email, queryText } from '../kit/shared/input.ts'
import { invalidInput, tooMany } from '../kit/shared/refusal.ts'
import { language, linkInvalid, linkToken, mailQueued } from '../accounts/contract.ts'

/** For one network address: a festival crowd shares one. */
export const requestsPerHour = 200

export const subscribeNewsletter = endpoint({
  method: 'POST',
  path: '/api/newsletter',
  summary: 'Asks for the newsletter; it comes once the link in a mail is opened. Answers alike for a known address',
  tag: 'newsletter',
  body: z.object({ email: email(), language }),
  access: 'public',
  answer: mailQueued,
  status: 202,
  refusals: [invalidInput, tooMany],
})

export const confirmNewsletter = endpoint({
  method: 'POST',
  path: '/api/newsletter/confirm',
  summary: 'Confirms the newsletter by the link of a mail',
  tag: 'newsletter',
  body: z.object({ token: linkToken }),
  access: 'public',
  answer: null,
  status: 204,
  refusals: [invalidInput, linkInvalid],
})

export const unsubscribeNewsletter = endpoint({
  method: 'POST',
  path: '/api/newsletter/unsubscribe',
  summary:
    'Ends the newsletter by the token of its mails (whose own one click, RFC 8058, is a POST to /newsletter/unsubscribe)',
  tag: 'newsletter',
  query: z.object({ subscriber: queryText(200) }),
  access: 'public',
  answer: null,
  status: 204,
  refusals: [invalidInput, linkInvalid],
})
