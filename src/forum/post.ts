import { z } from 'zod'
import { answerId, answerInstant, answerText } from '../kit/shared/answer.ts'
import { line, text } from '../kit/shared/input.ts'
import { richText } from '../kit/shared/rich-text.ts'
import type { Fields } from '../kit/shared/thing.ts'
import { author, forumInstant, postLanguage, postNumber } from './contract/parts.ts'
import { bodyLength, postLanguages } from './limits.ts'

/** Every field of a post. */
export const postFields = {
  post_id: { answer: answerId },
  topic_id: { answer: answerId.meta({ unread: '' }) },
  post_number: { answer: postNumber.meta({ description: 'its place in the topic; it never changes but by a merge' }) },
  author: { answer: author, column: null },
  created_at: { answer: forumInstant },
  edited_at: { answer: answerInstant.nullable() },
  state: { answer: z.enum(['visible', 'waiting', 'hidden', 'deleted', 'rejected']).meta({ unread: 'visible' }) },
  reason: { answer: answerText(500).nullable().meta({ description: 'why moderators hid it; for its author' }) },
  reply_to: {
    answer: z.number().int().nullable().meta({ description: 'number of the post that it answers' }),
    input: z.number().int().min(1).max(2_000_000_000),
  },
  lang: { answer: postLanguage, input: z.enum(postLanguages) },
  like_count: { answer: z.number().int() },
  /** Sent as the address of a picture that was uploaded for a post. */
  image_url: { answer: answerText(200).nullable(), input: line({ max: 100 }), column: 'image_name' },
  body: {
    answer: answerText(bodyLength.max).meta({ description: 'Markdown, as written; empty where it is not shown' }),
    input: text(bodyLength),
  },
  content: { answer: richText(bodyLength.max) },
} as const satisfies Fields
export type PostFields = typeof postFields
