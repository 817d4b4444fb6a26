import { forumCategories, postLanguages } from '../limits.ts'
import { z } from 'zod'
import { answerId, answerInstant, answerList } from '../../kit/shared/answer.ts'
import { endpoint } from '../../kit/shared/endpoint.ts'
import { absentWhenEmpty, pageQuery, pathId, queryBoolean, queryChoice, queryText } from '../../kit/shared/input.ts'
import { invalidInput, tooMany } from '../../kit/shared/refusal.ts'
import { answerOf } from '../../kit/shared/thing.ts'
import { topicFields } from '../topic.ts'
import {
  editTimeOver,
  forumCategory,
  members,
  notYourPost,
  postingLimit,
  postingTooFast,
  postNotFound,
  sameText,
  staffWritesHere,
  topicLocked,
  topicNotFound,
  writers,
  writingRefusals,
} from './parts.ts'
import { language, newPost, post } from './posts.ts'

export const topic = z.object(answerOf(topicFields)).meta({ id: 'ForumTopic' })
export type Topic = z.infer<typeof topic>

export const listForumCategories = endpoint({
  method: 'GET',
  path: '/api/forum/categories',
  summary: 'The categories of the forum, with how much is in each',
  tag: 'forum',
  access: 'public',
  shared: true,
  answer: answerList(
    z
      .object({
        category: forumCategory,
        staff_only: z.boolean().meta({ description: 'only staff begin topics here' }),
        topic_count: z.number().int(),
        last_post_at: answerInstant.nullable(),
        last_topic: z.object({ topic_id: answerId, title: topicFields.title.answer }).nullable(),
      })
      .meta({ id: 'ForumCategory' }),
    forumCategories.length,
  ),
  refusals: [],
})

export const topicSorts = ['latest', 'new'] as const

export const listTopics = endpoint({
  method: 'GET',
  path: '/api/forum/topics',
  summary: 'Topics, pinned ones first, then those with the newest post',
  tag: 'forum',
  query: z.object({
    category: queryChoice(forumCategories),
    tag: queryText(30),
    lang: queryChoice(postLanguages),
    solved: queryBoolean().meta({ description: 'true: solved ones only', override: { type: 'boolean' } }),
    open: queryBoolean().meta({ description: 'true: not solved yet', override: { type: 'boolean' } }),
    linked: queryText(36).meta({ description: 'id of the event or deal that they are about' }),
    sort: queryChoice(topicSorts),
    ...pageQuery,
  }),
  access: 'public',
  shared: true,
  answer: answerList(topic, 100),
  paged: true,
  refusals: [invalidInput],
})

export const getTopic = endpoint({
  method: 'GET',
  path: '/api/forum/topics/{topic_id}',
  summary: 'One topic; of a merged one, the topic where its posts are',
  tag: 'forum',
  params: z.object({ topic_id: pathId }),
  access: 'noticed',
  shared: true,
  answer: z
    .object({
      ...topic.shape,
      merged: z.object({ from: answerId, by_number: z.number().int() }).nullable().meta({
        description: 'it was asked for by the id of a merged topic; what was added to the numbers of its posts',
      }),
    })
    .meta({ id: 'ForumTopicAsked' }),
  refusals: [topicNotFound],
})

const linked = z
  .object({ kind: z.enum(['event', 'deal']), id: z.uuid().meta({ maxLength: 36 }) })
  .nullable()
  .optional()

export const createTopic = endpoint({
  method: 'POST',
  path: '/api/forum/topics',
  summary: 'A new topic with its first post',
  tag: 'forum',
  body: z.object({
    category: topicFields.category.input,
    title: topicFields.title.input,
    ...newPost,
    tags: absentWhenEmpty(topicFields.tags.input.optional()),
    linked,
  }),
  access: writers,
  idempotent: true,
  answer: z.object({ topic, post }).meta({ id: 'ForumTopicCreated' }),
  status: 201,
  refusals: [invalidInput, postingTooFast, postingLimit, sameText, staffWritesHere, ...writingRefusals],
})

export const editTopic = endpoint({
  method: 'PATCH',
  path: '/api/forum/topics/{topic_id}',
  summary: 'What the author of a topic changes of it; its title and tags within 24 hours',
  tag: 'forum',
  params: z.object({ topic_id: pathId }),
  body: z.object({
    title: topicFields.title.input.optional(),
    tags: topicFields.tags.input.optional(),
    lang: language,
    linked,
    solved_number: topicFields.solved_number.input.nullable().optional(),
  }),
  access: writers,
  answer: topic,
  refusals: [
    invalidInput,
    topicNotFound,
    postNotFound,
    notYourPost,
    editTimeOver,
    topicLocked,
    tooMany,
    ...writingRefusals,
  ],
})

export const watchTopic = endpoint({
  method: 'PUT',
  path: '/api/forum/topics/{topic_id}/watch',
  summary: 'Watches or mutes a topic',
  tag: 'forum',
  params: z.object({ topic_id: pathId }),
  body: z.object({ mode: z.enum(['normal', 'watch', 'mute']) }),
  access: members,
  answer: null,
  status: 204,
  refusals: [invalidInput, topicNotFound],
})

export const readTopic = endpoint({
  method: 'PUT',
  path: '/api/forum/topics/{topic_id}/read',
  summary: 'Notes how far somebody has read',
  tag: 'forum',
  params: z.object({ topic_id: pathId }),
  body: z.object({ post_number: z.number().int().min(1).max(2_000_000_000) }),
  access: members,
  answer: null,
  status: 204,
  refusals: [invalidInput, topicNotFound],
})
