import { z } from 'zod'
import { answerText } from '../kit/shared/answer.ts'
import { endpoint } from '../kit/shared/endpoint.ts'
import { absentWhenEmpty, email, line, text } from '../kit/shared/input.ts'
import { invalidInput, tooMany } from '../kit/shared/refusal.ts'
import { contactTopics } from './limits.ts'

export * from './limits.ts'

/** For one network address. A festival crowd shares one, a spammer does not stop at 20. */
export const messagesPerHour = 20

/** Within these hours a retry with the same key gets the same ticket. */
export const sameTicketHours = 24

export const sendMessage = endpoint({
  method: 'POST',
  path: '/api/contact',
  summary: 'A message to the organisers; the answer holds the ticket number',
  tag: 'contact',
  body: z.object({
    name: line({ min: 1, max: 80 }),
    email: email(),
    topic: absentWhenEmpty(z.enum(contactTopics).default('other')),
    message: text({ min: 10, max: 4000 }),
    idempotency_key: absentWhenEmpty(line({ min: 16, max: 100 }).optional()).meta({
      description: `drawn at random for each message: sent again with the same content within ${sameTicketHours} hours it gets the same ticket; with other content it is another message`,
    }),
  }),
  access: 'noticed',
  answer: z
    .object({ ticket: answerText(20).meta({ description: 'e.g. RK-7F3K-29QD', maxLength: 20 }) })
    .meta({ id: 'ContactTicket', unread: { ticket: '' } }),
  status: 201,
  refusals: [invalidInput, tooMany],
})
