import { z } from 'zod'
import { roles } from '../../accounts/contract.ts'
import { businessSuspended } from '../../businesses/contract.ts'
import { answerId, answerInstant, answerText } from '../../kit/shared/answer.ts'
import type { RefusalKind } from '../../kit/shared/refusal.ts'
import { forumCategories, postLanguages } from '../limits.ts'

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
