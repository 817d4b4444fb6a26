import { apiCall } from '../../kit/browser/asking.ts'
import {
  anything,
  flagOr,
  instant,
  list,
  needed,
  number,
  numberOr,
  oneOf,
  or,
  record,
  text,
  textOr,
} from '../../kit/browser/reading.ts'
import { pieces } from '../../kit/browser/read-pieces.ts'
import type { Piece } from '../../kit/shared/rich-text.ts'
import type * as contract from '../contract.ts'
import { roles } from '../../accounts/limits.ts'
import { forumCategories, postLanguages } from '../limits.ts'

/** How screens ask the endpoints of this room, and how tolerantly they read the answers. */

export const category = oneOf(forumCategories, 'help')
const lang = oneOf(postLanguages, 'en')
export const author = record<contract.Author>({
  member_id: textOr(''),
  handle: text,
  name: text,
  role: oneOf(roles, 'user'),
})
export const nobody: contract.Author = { member_id: '', handle: null, name: null, role: 'user' }

export const post = record<contract.Post>({
  post_id: needed,
  topic_id: textOr(''),
  post_number: numberOr(1),
  author: or(author, nobody),
  created_at: or(instant, '1970-01-01T00:00:00Z'),
  edited_at: instant,
  state: oneOf(['visible', 'deleted', 'waiting', 'hidden', 'rejected'], 'visible'),
  reason: text,
  reply_to: number,
  lang,
  like_count: numberOr(0),
  image_url: text,
  body: textOr(''),
  content: or(pieces, []),
})

const topicFields = {
  topic_id: needed,
  category,
  title: textOr('–'),
  tags: or(list(needed), []),
  lang,
  author: or(author, nobody),
  created_at: or(instant, '1970-01-01T00:00:00Z'),
  updated_at: or(instant, '1970-01-01T00:00:00Z'),
  state: oneOf(['visible', 'waiting', 'hidden', 'deleted', 'merged'], 'visible'),
  is_pinned: flagOr(false),
  is_locked: flagOr(false),
  solved_number: number,
  linked_kind: oneOf(['event', 'deal'], null),
  linked_id: text,
  last_number: numberOr(1),
  last_visible_number: numberOr(1),
  post_count: numberOr(1),
  last_post_at: or(instant, '1970-01-01T00:00:00Z'),
  last_author: or(author, null),
} as const
const topic = record<contract.Topic>(topicFields)

export const listForumCategories = apiCall<typeof contract.listForumCategories>(
  'GET /api/forum/categories',
  list(
    record({
      category,
      staff_only: flagOr(false),
      topic_count: numberOr(0),
      last_post_at: instant,
      last_topic: or(record({ topic_id: needed, title: textOr('–') }), null),
    }),
  ),
)

export const listTopics = apiCall<typeof contract.listTopics>('GET /api/forum/topics', list(topic))

export const getTopic = apiCall<typeof contract.getTopic>(
  'GET /api/forum/topics/{topic_id}',
  record({ ...topicFields, merged: or(record({ from: needed, by_number: numberOr(0) }), null) }),
  { id: 'topic_id' },
)

export const createTopic = apiCall<typeof contract.createTopic>(
  'POST /api/forum/topics',
  record({ topic: (value) => topic(value), post: (value) => post(value) }),
)

export const editTopic = apiCall<typeof contract.editTopic>('PATCH /api/forum/topics/{topic_id}', topic, {
  id: 'topic_id',
})

export const watchTopic = apiCall<typeof contract.watchTopic>('PUT /api/forum/topics/{topic_id}/watch', anything)
export const readTopic = apiCall<typeof contract.readTopic>('PUT /api/forum/topics/{topic_id}/read', anything)

export const listPosts = apiCall<typeof contract.listPosts, contract.Post[]>(
  'GET /api/forum/topics/{topic_id}/posts',
  list(post),
)
export const createPost = apiCall<typeof contract.createPost, contract.Post>(
  'POST /api/forum/topics/{topic_id}/posts',
  post,
)
export const editPost = apiCall<typeof contract.editPost, contract.Post>('PATCH /api/forum/posts/{post_id}', post)
export const deletePost = apiCall<typeof contract.deletePost>('DELETE /api/forum/posts/{post_id}', anything)
export const likePost = apiCall<typeof contract.likePost>('PUT /api/forum/posts/{post_id}/like', anything)
export const unlikePost = apiCall<typeof contract.unlikePost>('DELETE /api/forum/posts/{post_id}/like', anything)
export const flagPost = apiCall<typeof contract.flagPost>('POST /api/forum/posts/{post_id}/flag', anything)

export const listRevisions = apiCall<typeof contract.listRevisions>(
  'GET /api/forum/posts/{post_id}/history',
  list(
    record({
      revision_id: needed,
      replaced_at: or(instant, '1970-01-01T00:00:00Z'),
      replaced_by: or(author, nobody),
      body: textOr(''),
    }),
  ),
)

export const searchForum = apiCall<typeof contract.searchForum>(
  'GET /api/forum/search',
  list(
    record({
      post_id: needed,
      topic_id: needed,
      post_number: numberOr(1),
      category,
      title: textOr('–'),
      lang,
      author: or(author, nobody),
      created_at: or(instant, '1970-01-01T00:00:00Z'),
      excerpt: textOr(''),
    }),
  ),
)

export const previewPost = apiCall<typeof contract.previewPost, { content: Piece[]; lang: string }>(
  'POST /api/forum/preview',
  record({ content: or(pieces, []), lang: textOr('en') }),
)
export const uploadForumImage = apiCall<typeof contract.uploadForumImage>(
  'POST /api/forum/images',
  record({ image_url: needed }),
)

export const getMember = apiCall<typeof contract.getMember>(
  'GET /api/forum/members/{handle}',
  record({
    member_id: textOr(''),
    handle: text,
    name: text,
    role: oneOf(roles, 'user'),
    joined_at: or(instant, '1970-01-01T00:00:00Z'),
    level: numberOr(0),
    post_count: numberOr(0),
    likes_received: numberOr(0),
    latest: or(
      list(
        record({
          topic_id: needed,
          post_number: numberOr(1),
          title: textOr('–'),
          category,
          created_at: or(instant, '1970-01-01T00:00:00Z'),
          excerpt: textOr(''),
        }),
      ),
      [],
    ),
  }),
)
export const blockMember = apiCall<typeof contract.blockMember>('PUT /api/forum/members/{handle}/block', anything)
export const unblockMember = apiCall<typeof contract.unblockMember>(
  'DELETE /api/forum/members/{handle}/block',
  anything,
)

const mode = oneOf(['normal', 'watch', 'mute'] as const, 'normal')
export const getMine = apiCall<typeof contract.getMine>(
  'GET /api/forum/mine',
  record({
    member_id: text,
    handle: text,
    level: numberOr(0),
    is_staff: flagOr(false),
    silenced_until: instant,
    banned_until: instant,
    blocked: or(list(author), []),
    read: or(list(record({ topic_id: needed, read_to: numberOr(0), mode })), []),
    waiting: or(
      list(
        record({
          topic_id: needed,
          post_number: numberOr(1),
          title: textOr('–'),
          state: oneOf(['waiting', 'hidden', 'rejected'], 'waiting'),
        }),
      ),
      [],
    ),
  }),
)
export const getMineOfTopic = apiCall<
  typeof contract.getMineOfTopic,
  {
    member_id: string | null
    read_to: number
    mode: 'normal' | 'watch' | 'mute'
    liked: string[]
    unseen: contract.Post[]
    blocked: string[]
  }
>(
  'GET /api/forum/topics/{topic_id}/mine',
  record({
    member_id: text,
    read_to: numberOr(0),
    mode,
    liked: or(list(needed), []),
    unseen: or(list(post), []),
    blocked: or(list(needed), []),
  }),
)

export const moderatePost = apiCall<typeof contract.moderatePost>(
  'POST /api/forum/moderation/posts/{post_id}',
  anything,
)
export const moderateTopic = apiCall<typeof contract.moderateTopic>(
  'POST /api/forum/moderation/topics/{topic_id}',
  anything,
)
export const getMemberBars = apiCall<typeof contract.getMemberBars>(
  'GET /api/forum/moderation/members/{handle}',
  record({ silenced_until: instant, banned_until: instant }),
)
export const moderateMember = apiCall<typeof contract.moderateMember>(
  'POST /api/forum/moderation/members/{handle}',
  anything,
)
export const appealDecision = apiCall<typeof contract.appealDecision>('POST /api/forum/appeals', anything)
