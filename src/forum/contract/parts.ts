import { z } from 'zod'
import { roles } from '../../accounts/contract.ts'
import { businessSuspended } from '../../businesses/contract.ts'
import { answerId, answerInstant, answerList, answerName, answerText } from '../../kit/shared/answer.ts'
import { absentWhenEmpty, line, fieldIssue, text, unfitForName } from '../../kit/shared/input.ts'
import type { RefusalKind } from '../../kit/shared/refusal.ts'
import { richText } from '../../kit/shared/rich-text.ts'
import { bodyLength, forumCategories, postLanguages, tagsAtMost, titleLength } from '../limits.ts'

// What several subjects of this contract are made of; it stays in this folder.

/** Who may write: everybody with an account, as soon as the address is confirmed where that is demanded. */
export const writers = { roles, verified: true } as const
/** Who may keep marks of their own: everybody with an account. */
export const members = { roles } as const

export const topicNotFound = { code: 'topic_not_found', status: 404 } as const satisfies RefusalKind
export const postNotFound = { code: 'post_not_found', status: 404 } as const satisfies RefusalKind
export const memberNotFound = { code: 'member_not_found', status: 404 } as const satisfies RefusalKind
export const topicLocked = { code: 'topic_locked', status: 409 } as const satisfies RefusalKind
export const sameText = { code: 'same_text', status: 409 } as const satisfies RefusalKind
export const postingTooFast = { code: 'posting_too_fast', status: 429 } as const satisfies RefusalKind
export const postingLimit = { code: 'posting_limit', status: 429 } as const satisfies RefusalKind
export const notYourPost = { code: 'not_your_post', status: 403 } as const satisfies RefusalKind
export const editTimeOver = { code: 'edit_time_over', status: 403 } as const satisfies RefusalKind
export const ownPost = { code: 'own_post', status: 403 } as const satisfies RefusalKind
export const staffWritesHere = { code: 'staff_writes_here', status: 403 } as const satisfies RefusalKind
export const silenced = { code: 'silenced', status: 403 } as const satisfies RefusalKind
export const banned = { code: 'banned', status: 403 } as const satisfies RefusalKind
export const notAPicture = { code: 'not_a_picture', status: 422 } as const satisfies RefusalKind

/** What any mark may be answered. */
export const markingRefusals = [silenced, banned] as const
/** What any writing may be answered. */
export const writingRefusals = [...markingRefusals, businessSuspended] as const

/** One line that can be seen and turns no direction of what follows. */
export const title = text({ max: 1000 })
  .superRefine((value, ctx) => {
    const length = [...value.trim()].length
    if (length < titleLength.min || length > titleLength.max) ctx.addIssue(fieldIssue('forum_title'))
    else if (/[\u0001-\u001f\u007f\u2028\u2029]/.test(value)) ctx.addIssue(fieldIssue('one_line'))
    else if (unfitForName(value)) ctx.addIssue(fieldIssue('unreadable'))
  })
  .meta({ minLength: titleLength.min, maxLength: titleLength.max })

export const body = text(bodyLength)

const tag = line({ min: 1, max: 30 })
  .transform((value) => value.trim().toLowerCase().replace(/^#+/, '').replace(/\s+/g, '-'))
  .superRefine((value, ctx) => {
    if (value === '') ctx.addIssue(fieldIssue('required'))
    else if (unfitForName(value)) ctx.addIssue(fieldIssue('unreadable'))
  })
export const tags = z.array(tag).max(tagsAtMost).meta({ maxItems: tagsAtMost })

export const language = absentWhenEmpty(z.enum(postLanguages).optional())

/** Drawn at random for each post: sent again with the same content it is the same post. */
export const sentKey = absentWhenEmpty(line({ min: 16, max: 100 }).optional())

/** Address of a picture that was uploaded for a post. */
export const imageUrl = absentWhenEmpty(line({ max: 100 }).optional())

export const content = richText(bodyLength.max)

/** What screens read for a moment that an answer does not say. */
export const forumInstant = answerInstant.meta({ unread: '1970-01-01T00:00:00Z' })
export const forumCategory = z.enum(forumCategories).meta({ unread: 'help' })
export const postLanguage = z.enum(postLanguages).meta({ unread: 'en' })
export const postNumber = z.number().int().meta({ unread: 1 })

export const author = z
  .object({
    member_id: answerId.meta({ unread: '' }),
    handle: answerText(40).nullable().meta({ description: 'null: the account was deleted' }),
    name: answerText(80).nullable().meta({ description: 'null: the account was deleted' }),
    role: z.enum(roles).meta({ unread: 'user' }),
  })
  .meta({ id: 'ForumAuthor', unread: { member_id: '', handle: null, name: null, role: 'user' } })
export type Author = z.infer<typeof author>

export const post = z
  .object({
    post_id: answerId,
    topic_id: answerId.meta({ unread: '' }),
    post_number: postNumber.meta({ description: 'its place in the topic; it never changes but by a merge' }),
    author,
    created_at: forumInstant,
    edited_at: answerInstant.nullable(),
    state: z.enum(['visible', 'waiting', 'hidden', 'deleted', 'rejected']).meta({ unread: 'visible' }),
    reason: answerText(500).nullable().meta({ description: 'why moderators hid it; for its author' }),
    reply_to: z.number().int().nullable().meta({ description: 'number of the post that it answers' }),
    lang: postLanguage,
    like_count: z.number().int(),
    image_url: answerText(200).nullable(),
    body: answerText(bodyLength.max).meta({ description: 'Markdown, as written; empty where it is not shown' }),
    content,
  })
  .meta({ id: 'ForumPost' })
export type Post = z.infer<typeof post>

export const topic = z
  .object({
    topic_id: answerId,
    category: forumCategory,
    title: answerName(titleLength.max),
    tags: answerList(answerText(30), tagsAtMost),
    lang: postLanguage,
    author,
    created_at: forumInstant,
    updated_at: forumInstant,
    state: z.enum(['visible', 'waiting', 'hidden', 'deleted', 'merged']).meta({ unread: 'visible' }),
    is_pinned: z.boolean(),
    is_locked: z.boolean(),
    solved_number: z.number().int().nullable().meta({ description: 'number of the post that solved it' }),
    linked_kind: z.enum(['event', 'deal']).nullable(),
    linked_id: answerId.nullable(),
    last_number: postNumber.meta({ description: 'highest number of a post; deleted posts keep theirs' }),
    last_visible_number: postNumber.meta({
      description: 'highest number of a post that everybody sees; 0: there is none',
    }),
    post_count: postNumber.meta({ description: 'posts that everybody sees' }),
    last_post_at: forumInstant,
    last_author: author.nullable(),
  })
  .meta({ id: 'ForumTopic' })
export type Topic = z.infer<typeof topic>
