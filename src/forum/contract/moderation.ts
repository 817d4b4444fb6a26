import { forumCategories } from '../limits.ts'
import { z } from 'zod'
import { answerInstant } from '../../kit/shared/answer.ts'
import { endpoint } from '../../kit/shared/endpoint.ts'
import { absentWhenEmpty, pathId, text } from '../../kit/shared/input.ts'
import { invalidInput, type RefusalKind } from '../../kit/shared/refusal.ts'
import { keyUsed } from '../../staff/contract.ts'
import { postFields } from '../post.ts'
import { topicFields } from '../topic.ts'
import { memberNotFound, members, postNotFound, topicNotFound } from './parts.ts'

// What the pages of the forum ask for; the room of cases answers it, for decisions stand in one log.

export const moderators = ['moderator', 'admin'] as const
const staff = { roles: moderators } as const

/** The thing is in a state in which this cannot be done, e.g. somebody else has just decided. */
export const alreadyDecided = { code: 'already_decided', status: 409 } as const satisfies RefusalKind
/** The text is not the one that was looked at: its author has changed it since. */
export const postChanged = { code: 'post_changed', status: 409 } as const satisfies RefusalKind
export const nothingToAppeal = { code: 'nothing_to_appeal', status: 409 } as const satisfies RefusalKind
export const staffProtected = { code: 'staff_protected', status: 403 } as const satisfies RefusalKind

const reason = absentWhenEmpty(text({ max: 500 }).optional())

export const moderatePost = endpoint({
  method: 'POST',
  path: '/api/forum/moderation/posts/{post_id}',
  summary: 'Decides about a post: approve, edit and approve, reject, hide, restore, take up its flags, or dismiss them',
  tag: 'forum',
  params: z.object({ post_id: pathId }),
  body: z.object({
    action: z.enum(['approve', 'edit', 'reject', 'hide', 'restore', 'take_up', 'dismiss']),
    reason: reason.meta({ description: 'needed to reject and hide; the author reads it' }),
    body: absentWhenEmpty(postFields.body.input.optional()).meta({ description: 'with edit: the new text' }),
    seen: z.iso.datetime({ offset: true }).meta({ maxLength: 35 }).nullable().optional().meta({
      description:
        '`edited_at` of the post as it was looked at: one that was changed since is not decided; absent: whatever it says',
    }),
  }),
  access: staff,
  staff: { action: 'moderate-post', inverse: true },
  idempotent: true,
  answer: null,
  status: 204,
  refusals: [invalidInput, postNotFound, alreadyDecided, postChanged, keyUsed],
})

export const moderateTopic = endpoint({
  method: 'POST',
  path: '/api/forum/moderation/topics/{topic_id}',
  summary: 'Pins, locks, moves, corrects, hides or merges a topic, or takes that back; a merge is final',
  tag: 'forum',
  params: z.object({ topic_id: pathId }),
  body: z.object({
    action: z.enum(['pin', 'unpin', 'lock', 'unlock', 'move', 'correct', 'hide', 'restore', 'merge']),
    category: z.enum(forumCategories).optional().meta({ description: 'with move' }),
    title: absentWhenEmpty(topicFields.title.input.optional()).meta({ description: 'with correct' }),
    tags: topicFields.tags.input.optional().meta({ description: 'with correct' }),
    into: z.string().max(36).optional().meta({ description: 'with merge: id of the topic that gets the posts' }),
    reason,
  }),
  access: staff,
  staff: { action: 'moderate-topic', inverse: true },
  idempotent: true,
  answer: null,
  status: 204,
  refusals: [invalidInput, topicNotFound, alreadyDecided, keyUsed],
})

export const getMemberBars = endpoint({
  method: 'GET',
  path: '/api/forum/moderation/members/{handle}',
  summary: 'What keeps somebody from writing in the forum now',
  tag: 'forum',
  params: z.object({ handle: z.string().meta({ maxLength: 40 }) }),
  access: staff,
  answer: z
    .object({
      silenced_until: answerInstant.nullable(),
      banned_until: answerInstant.nullable(),
    })
    .meta({ id: 'ForumMemberBars' }),
  refusals: [memberNotFound],
})

export const moderateMember = endpoint({
  method: 'POST',
  path: '/api/forum/moderation/members/{handle}',
  summary: 'Silences somebody for some hours, or bans them from writing, or takes that back',
  tag: 'forum',
  params: z.object({ handle: z.string().meta({ maxLength: 40 }) }),
  body: z.object({
    action: z.enum(['silence', 'unsilence', 'ban', 'unban']),
    hours: z.number().int().min(1).max(720).optional().meta({ description: 'with silence; default 24' }),
    reason: reason.meta({ description: 'needed to silence and ban' }),
  }),
  access: staff,
  staff: { action: 'moderate-member', inverse: true },
  idempotent: true,
  answer: null,
  status: 204,
  refusals: [invalidInput, memberNotFound, staffProtected, keyUsed],
})

export const appealDecision = endpoint({
  method: 'POST',
  path: '/api/forum/appeals',
  summary: 'The one appeal against what moderators did to a post, or to oneself',
  tag: 'forum',
  body: z.object({
    post_id: absentWhenEmpty(z.string().max(36).optional()).meta({ description: 'absent: silenced or banned' }),
    text: text({ min: 5, max: 1000 }),
  }),
  access: members,
  answer: null,
  status: 204,
  refusals: [invalidInput, nothingToAppeal],
})
