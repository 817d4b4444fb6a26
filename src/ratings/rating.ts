import { z } from 'zod'
import { answerId, answerInstant, answerText } from '../kit/shared/answer.ts'
import { text } from '../kit/shared/input.ts'
import type { Fields } from '../kit/shared/thing.ts'

const stars = z.number().int().min(1).max(5)
/** Maximum characters in a comment or a reply. */
const most = 500

/** Every field of a rating. The visitor sends stars and comment, the merchant the reply. */
export const ratingFields = {
  rating_id: { answer: answerId },
  deal_id: { answer: answerId.meta({ unread: '' }) },
  author_name: { answer: answerText(80).nullable().meta({ description: 'null: the account is deleted' }) },
  stars: { answer: stars, input: stars },
  comment: { answer: answerText(most).nullable(), input: text({ max: most }) },
  verified: { answer: z.boolean().meta({ description: 'the visitor has redeemed the deal' }) },
  own: { answer: z.boolean().meta({ description: 'written by the account that asks' }), column: null },
  reply: { answer: answerText(most).nullable().meta({ description: 'of the merchant' }), input: text({ max: most }) },
  replied_at: { answer: answerInstant.nullable() },
  created_at: { answer: answerInstant },
  updated_at: { answer: answerInstant },
} as const satisfies Fields
export type RatingFields = typeof ratingFields
