import { z } from 'zod'
import { answerId, answerInstant, answerList, answerText } from '../../kit/shared/answer.ts'
import { endpoint } from '../../kit/shared/endpoint.ts'
import { pathId, queryNumber } from '../../kit/shared/input.ts'
import { invalidInput } from '../../kit/shared/refusal.ts'
import { topicFields } from '../topic.ts'
import {
  author,
  forumCategory,
  forumInstant,
  memberNotFound,
  members,
  ownPost,
  postNumber,
  topicNotFound,
} from './parts.ts'
import { post } from './posts.ts'

const readingMode = z.enum(['normal', 'watch', 'mute']).meta({ unread: 'normal' })
const handle = z.object({ handle: z.string().meta({ maxLength: 40 }) })

export const getMember = endpoint({
  method: 'GET',
  path: '/api/forum/members/{handle}',
  summary: 'Somebody who writes in the forum, with what they wrote last',
  tag: 'forum',
  params: handle,
  access: 'public',
  shared: true,
  answer: z
    .object({
      ...author.shape,
      joined_at: forumInstant,
      level: z.number().int().meta({ description: 'trust: 0 new, 1 known, 2 regular' }),
      post_count: z.number().int(),
      likes_received: z.number().int(),
      latest: answerList(
        z
          .object({
            topic_id: answerId,
            post_number: postNumber,
            title: topicFields.title.answer,
            category: forumCategory,
            created_at: forumInstant,
            excerpt: answerText(300),
          })
          .meta({ id: 'ForumMemberPost' }),
        10,
      ),
    })
    .meta({ id: 'ForumMember' }),
  refusals: [memberNotFound],
})

export const blockMember = endpoint({
  method: 'PUT',
  path: '/api/forum/members/{handle}/block',
  summary: 'Folds the posts of somebody for the one who asks',
  tag: 'forum',
  params: handle,
  access: members,
  answer: null,
  status: 204,
  refusals: [memberNotFound, ownPost],
})

export const unblockMember = endpoint({
  method: 'DELETE',
  path: '/api/forum/members/{handle}/block',
  summary: 'Shows the posts of somebody again',
  tag: 'forum',
  params: handle,
  access: members,
  answer: null,
  status: 204,
  refusals: [memberNotFound],
})

/** What the one who asks is in the forum, and how far they have read what they looked at last. */
export const getMine = endpoint({
  method: 'GET',
  path: '/api/forum/mine',
  summary:
    'One’s own place in the forum: trust, blocked people, how far the latest 200 topics were read, posts that wait for approval',
  tag: 'forum',
  access: members,
  answer: z
    .object({
      member_id: answerId.nullable().meta({ description: 'null: has not done anything here yet' }),
      handle: answerText(40).nullable(),
      level: z.number().int(),
      is_staff: z.boolean(),
      silenced_until: answerInstant.nullable(),
      banned_until: answerInstant.nullable(),
      blocked: answerList(author, 500),
      read: answerList(z.object({ topic_id: answerId, read_to: z.number().int(), mode: readingMode }), 200),
      waiting: answerList(
        z.object({
          topic_id: answerId,
          post_number: postNumber,
          title: topicFields.title.answer,
          state: z.enum(['waiting', 'hidden', 'rejected']).meta({ unread: 'waiting' }),
        }),
        20,
      ).meta({
        description:
          'own posts that wait for approval, and own topics that are hidden or were not approved; number 1 is a whole topic',
      }),
    })
    .meta({ id: 'ForumMine' }),
  refusals: [],
})

/** The server renders a topic for everybody alike; what only one person sees of it is asked for here. */
export const getMineOfTopic = endpoint({
  method: 'GET',
  path: '/api/forum/topics/{topic_id}/mine',
  summary: 'What is one’s own on a page of a topic: likes, posts that others do not see, how far it was read',
  tag: 'forum',
  params: z.object({ topic_id: pathId }),
  query: z.object({ page: queryNumber(1, 100_000_000) }),
  access: members,
  answer: z
    .object({
      member_id: answerId.nullable(),
      read_to: z.number().int(),
      mode: readingMode,
      liked: answerList(answerId, 20).meta({ description: 'ids of posts' }),
      unseen: answerList(post, 20).meta({ description: 'own posts that wait for approval or were hidden' }),
      blocked: answerList(answerId, 20).meta({ description: 'ids of authors of this page' }),
    })
    .meta({ id: 'ForumMineOfTopic' }),
  refusals: [invalidInput, topicNotFound],
})
