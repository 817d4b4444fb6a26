import { forumCategories, flagKinds } from '../limits.ts'
import { z } from 'zod'
import { answerId, answerInstant, answerList, answerText } from '../../kit/shared/answer.ts'
import { endpoint } from '../../kit/shared/endpoint.ts'
import { absentWhenEmpty, pageQuery, pathId, text } from '../../kit/shared/input.ts'
import { invalidInput, type RefusalKind } from '../../kit/shared/refusal.ts'
import { keyUsed } from '../../staff/contract.ts'
import { author, body, memberNotFound, members, post, postNotFound, tags, title, topicNotFound } from './parts.ts'

export const moderators = ['moderator', 'admin'] as const
const staff = { roles: moderators } as const

/** The thing is in a state in which this cannot be done, e.g. somebody else has just decided. */
export const alreadyDecided = { code: 'already_decided', status: 409 } as const satisfies RefusalKind
/** The text is not the one that was looked at: its author has changed it since. */
export const postChanged = { code: 'post_changed', status: 409 } as const satisfies RefusalKind
export const nothingToAppeal = { code: 'nothing_to_appeal', status: 409 } as const satisfies RefusalKind
export const appealNotFound = { code: 'appeal_not_found', status: 404 } as const satisfies RefusalKind
export const staffProtected = { code: 'staff_protected', status: 403 } as const satisfies RefusalKind

const reason = absentWhenEmpty(text({ max: 500 }).optional())

const appealed = z
  .object({
    action_id: answerId,
    action: answerText(40),
    at: answerInstant,
    moderator: author,
    member: author.nullable(),
    object: answerText(200),
    reason: answerText(500).nullable(),
    appeal: answerText(1000),
    appealed_at: answerInstant,
    topic_id: answerId.nullable(),
    post_id: answerId.nullable(),
    post_number: z.number().int().nullable(),
    body: post.shape.body.nullable().meta({ description: 'what the post says now; null: about a person' }),
    content: post.shape.content.nullable(),
    lang: post.shape.lang.nullable(),
    image_url: post.shape.image_url,
    edited_at: answerInstant.nullable(),
  })
  .meta({ id: 'ForumAppeal' })

export const listForumQueue = endpoint({
  method: 'GET',
  path: '/api/forum/moderation/queue',
  summary:
    'Posts that wait for approval or were flagged, oldest first; a deleted one stands for its topic, which waits with the replies of others',
  tag: 'forum',
  query: z.object({ ...pageQuery }),
  access: staff,
  answer: answerList(
    z
      .object({
        post,
        title: answerText(120),
        category: z.enum(forumCategories),
        flags: answerList(
          z.object({
            kind: z.enum(flagKinds),
            note: answerText(500).nullable(),
            counts: z.boolean().meta({ description: 'true: it counts towards hiding the post' }),
            state: z.enum(['open', 'wip', 'resolved', 'rejected']),
            by: answerText(40).nullable().meta({ description: 'handle' }),
          }),
          50,
        ),
      })
      .meta({ id: 'ForumQueued' }),
    100,
  ),
  paged: true,
  refusals: [invalidInput],
})

export const listForumAppeals = endpoint({
  method: 'GET',
  path: '/api/forum/moderation/appeals',
  summary: 'Appeals that nobody has decided yet, oldest first, at most 100',
  tag: 'forum',
  access: staff,
  answer: answerList(appealed, 100),
  refusals: [],
})

export const moderatePost = endpoint({
  method: 'POST',
  path: '/api/forum/moderation/posts/{post_id}',
  summary: 'Decides about a post: approve, edit and approve, reject, hide, restore, take up its flags, or dismiss them',
  tag: 'forum',
  params: z.object({ post_id: pathId }),
  body: z.object({
    action: z.enum(['approve', 'edit', 'reject', 'hide', 'restore', 'take_up', 'dismiss']),
    reason: reason.meta({ description: 'needed to reject and hide; the author reads it' }),
    body: absentWhenEmpty(body.optional()).meta({ description: 'with edit: the new text' }),
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
    title: absentWhenEmpty(title.optional()).meta({ description: 'with correct' }),
    tags: tags.optional().meta({ description: 'with correct' }),
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

export const listForumLog = endpoint({
  method: 'GET',
  path: '/api/forum/moderation/log',
  summary: 'What moderators did, newest first',
  tag: 'forum',
  query: z.object({ ...pageQuery }),
  access: staff,
  answer: answerList(
    z
      .object({
        action_id: answerId,
        at: answerInstant,
        moderator: author,
        action: answerText(40),
        object: answerText(200),
        member: author.nullable(),
        reason: answerText(500).nullable(),
        topic_id: answerId.nullable(),
        post_id: answerId.nullable(),
        post_number: z.number().int().nullable(),
        appeal: answerText(1000).nullable(),
        appeal_decision: z
          .enum(['upheld', 'overturned', 'closed'])
          .nullable()
          .meta({ description: 'closed: the silence had run out, or the author deleted the post' }),
      })
      .meta({ id: 'ForumLogEntry' }),
    100,
  ),
  paged: true,
  refusals: [invalidInput],
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

export const decideAppeal = endpoint({
  method: 'POST',
  path: '/api/forum/moderation/appeals/{action_id}',
  summary: 'Upholds what was done, or takes it back',
  tag: 'forum',
  params: z.object({ action_id: pathId }),
  body: z.object({ decision: z.enum(['upheld', 'overturned']) }),
  access: staff,
  staff: { action: 'decide-appeal', inverse: false },
  idempotent: true,
  answer: null,
  status: 204,
  refusals: [invalidInput, appealNotFound, keyUsed],
})
