import { z } from 'zod'
import { answerId, answerList, answerName, answerText } from '../kit/shared/answer.ts'
import { line, fieldIssue, text, unfitForName } from '../kit/shared/input.ts'
import type { Fields } from '../kit/shared/thing.ts'
import { author, forumCategory, forumInstant, postLanguage, postNumber } from './contract/parts.ts'
import { forumCategories, postLanguages, tagsAtMost, titleLength } from './limits.ts'

/** One line that can be seen and turns no direction of what follows. */
const title = text({ max: 1000 })
  .superRefine((value, ctx) => {
    const length = [...value.trim()].length
    if (length < titleLength.min || length > titleLength.max) ctx.addIssue(fieldIssue('forum_title'))
    else if (/[\u0001-\u001f\u007f\u2028\u2029]/.test(value)) ctx.addIssue(fieldIssue('one_line'))
    else if (unfitForName(value)) ctx.addIssue(fieldIssue('unreadable'))
  })
  .meta({ minLength: titleLength.min, maxLength: titleLength.max })

const tag = line({ min: 1, max: 30 })
  .transform((value) => value.trim().toLowerCase().replace(/^#+/, '').replace(/\s+/g, '-'))
  .superRefine((value, ctx) => {
    if (value === '') ctx.addIssue(fieldIssue('required'))
    else if (unfitForName(value)) ctx.addIssue(fieldIssue('unreadable'))
  })

/** Every field of a topic. */
export const topicFields = {
  topic_id: { answer: answerId },
  category: { answer: forumCategory, input: z.enum(forumCategories) },
  title: { answer: answerName(titleLength.max), input: title },
  tags: {
    answer: answerList(answerText(30), tagsAtMost),
    input: z.array(tag).max(tagsAtMost).meta({ maxItems: tagsAtMost }),
    empty: [],
  },
  lang: { answer: postLanguage, input: z.enum(postLanguages) },
  author: { answer: author, column: null },
  created_at: { answer: forumInstant },
  updated_at: { answer: forumInstant },
  state: { answer: z.enum(['visible', 'waiting', 'hidden', 'deleted', 'merged']).meta({ unread: 'visible' }) },
  is_pinned: { answer: z.boolean() },
  is_locked: { answer: z.boolean() },
  solved_number: {
    answer: z.number().int().nullable().meta({ description: 'number of the post that solved it' }),
    input: z.number().int().min(1).max(2_000_000_000),
  },
  linked_kind: { answer: z.enum(['event', 'deal']).nullable() },
  linked_id: { answer: answerId.nullable() },
  last_number: { answer: postNumber.meta({ description: 'highest number of a post; deleted posts keep theirs' }) },
  last_visible_number: {
    answer: postNumber.meta({ description: 'highest number of a post that everybody sees; 0: there is none' }),
    column: null,
  },
  post_count: { answer: postNumber.meta({ description: 'posts that everybody sees' }) },
  last_post_at: { answer: forumInstant },
  last_author: { answer: author.nullable(), column: null },
} as const satisfies Fields
export type TopicFields = typeof topicFields
