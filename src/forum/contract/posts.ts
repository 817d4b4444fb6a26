import { bodyLength, forumCategories, imageMaxBytes, postLanguages, flagKinds } from '../limits.ts'
import { z } from 'zod'
import { answerId, answerList, answerText } from '../../kit/shared/answer.ts'
import { endpoint } from '../../kit/shared/endpoint.ts'
import {
  absentWhenEmpty,
  line,
  pageQuery,
  pathId,
  queryChoice,
  queryNumber,
  queryText,
  text,
} from '../../kit/shared/input.ts'
import { pictureTooManyPixels } from '../../kit/shared/pictures.ts'
import { invalidInput, tooLarge, tooMany } from '../../kit/shared/refusal.ts'
import { answerOf } from '../../kit/shared/thing.ts'
import { postFields } from '../post.ts'
import { topicFields } from '../topic.ts'
import {
  author,
  editTimeOver,
  forumCategory,
  forumInstant,
  markingRefusals,
  members,
  notAPicture,
  notYourPost,
  ownPost,
  postingLimit,
  postingTooFast,
  postLanguage,
  postNotFound,
  postNumber,
  sameText,
  topicLocked,
  topicNotFound,
  writers,
  writingRefusals,
} from './parts.ts'

export const post = z.object(answerOf(postFields)).meta({ id: 'ForumPost' })
export type Post = z.infer<typeof post>

export const language = absentWhenEmpty(postFields.lang.input.optional())

/** What is sent of a new post, be it a reply or the first one of a topic. */
export const newPost = {
  body: postFields.body.input,
  lang: language.meta({ description: 'guessed from the text where absent' }),
  image_url: absentWhenEmpty(postFields.image_url.input.optional()),
  /** Drawn at random for each post: sent again with the same content it is the same post. */
  idempotency_key: absentWhenEmpty(line({ min: 16, max: 100 }).optional()),
}

const ofPost = z.object({ post_id: pathId })

export const listPosts = endpoint({
  method: 'GET',
  path: '/api/forum/topics/{topic_id}/posts',
  summary: 'A page of 20 posts by their numbers; what cannot be seen leaves a gap, so that pages never move',
  tag: 'forum',
  params: z.object({ topic_id: pathId }),
  query: z.object({
    page: queryNumber(1, 100_000_000).meta({ description: 'default 1' }),
    after: queryText(500),
  }),
  access: 'noticed',
  shared: true,
  answer: answerList(post, 20),
  paged: true,
  refusals: [invalidInput, topicNotFound],
})

export const getPost = endpoint({
  method: 'GET',
  path: '/api/forum/posts/{post_id}',
  summary: 'One post',
  tag: 'forum',
  params: ofPost,
  access: 'noticed',
  shared: true,
  answer: post,
  refusals: [postNotFound],
})

export const createPost = endpoint({
  method: 'POST',
  path: '/api/forum/topics/{topic_id}/posts',
  summary: 'A reply',
  tag: 'forum',
  params: z.object({ topic_id: pathId }),
  body: z.object({ ...newPost, reply_to: postFields.reply_to.input.nullable().optional() }),
  access: writers,
  idempotent: true,
  answer: post,
  status: 201,
  refusals: [
    invalidInput,
    topicNotFound,
    postNotFound,
    topicLocked,
    postingTooFast,
    postingLimit,
    sameText,
    ...writingRefusals,
  ],
})

export const editPost = endpoint({
  method: 'PATCH',
  path: '/api/forum/posts/{post_id}',
  summary: 'Changes one’s own post within 24 hours; what it said before stays in its history',
  tag: 'forum',
  params: ofPost,
  body: z.object({ body: newPost.body.optional(), lang: language }),
  access: writers,
  answer: post,
  refusals: [invalidInput, postNotFound, notYourPost, editTimeOver, topicLocked, tooMany, ...writingRefusals],
})

export const deletePost = endpoint({
  method: 'DELETE',
  path: '/api/forum/posts/{post_id}',
  summary: 'Deletes one’s own post: its place says so, its text is gone',
  tag: 'forum',
  params: ofPost,
  access: members,
  answer: null,
  status: 204,
  refusals: [postNotFound, notYourPost],
})

export const listRevisions = endpoint({
  method: 'GET',
  path: '/api/forum/posts/{post_id}/history',
  summary: 'What a post said to everybody before its author edited it, newest first; staff see every earlier version',
  tag: 'forum',
  params: ofPost,
  access: 'noticed',
  answer: answerList(
    z
      .object({
        revision_id: answerId,
        replaced_at: forumInstant,
        replaced_by: author,
        body: answerText(bodyLength.max),
      })
      .meta({ id: 'ForumRevision' }),
    50,
  ),
  refusals: [postNotFound],
})

export const likePost = endpoint({
  method: 'PUT',
  path: '/api/forum/posts/{post_id}/like',
  summary: 'Likes a post of somebody else',
  tag: 'forum',
  params: ofPost,
  access: members,
  answer: null,
  status: 204,
  refusals: [postNotFound, ownPost, tooMany, ...markingRefusals],
})

export const unlikePost = endpoint({
  method: 'DELETE',
  path: '/api/forum/posts/{post_id}/like',
  summary: 'Takes a like back',
  tag: 'forum',
  params: ofPost,
  access: members,
  answer: null,
  status: 204,
  refusals: [postNotFound, ownPost, ...markingRefusals],
})

export const flagPost = endpoint({
  method: 'POST',
  path: '/api/forum/posts/{post_id}/flag',
  summary:
    'Tells the moderators of a post. Three flags of people who are known for two days and did not come together hide a reply until they decide',
  tag: 'forum',
  params: ofPost,
  body: z.object({ kind: z.enum(flagKinds), note: absentWhenEmpty(text({ max: 500 }).optional()) }),
  access: members,
  answer: null,
  status: 204,
  refusals: [invalidInput, postNotFound, ownPost, tooMany, ...markingRefusals],
})

export const searchForum = endpoint({
  method: 'GET',
  path: '/api/forum/search',
  summary: 'Posts with all words, newest first',
  tag: 'forum',
  query: z.object({
    q: queryText(200),
    category: queryChoice(forumCategories),
    lang: queryChoice(postLanguages),
    ...pageQuery,
  }),
  costly: ({ q }) => q !== undefined,
  access: 'public',
  shared: true,
  answer: answerList(
    z
      .object({
        post_id: answerId,
        topic_id: answerId,
        post_number: postNumber,
        category: forumCategory,
        title: topicFields.title.answer,
        lang: postLanguage,
        author,
        created_at: forumInstant,
        excerpt: answerText(300).meta({ description: 'plain text around the first word' }),
      })
      .meta({ id: 'ForumFound' }),
    100,
  ),
  paged: true,
  refusals: [invalidInput],
})

export const previewPost = endpoint({
  method: 'POST',
  path: '/api/forum/preview',
  summary: 'A text as it would be shown',
  tag: 'forum',
  body: z.object({ body: newPost.body }),
  access: members,
  answer: z.object({ content: post.shape.content, lang: postLanguage }).meta({ id: 'ForumPreview' }),
  refusals: [invalidInput],
})

export const uploadForumImage = endpoint({
  method: 'POST',
  path: '/api/forum/images',
  summary: 'A picture for a post: PNG, JPEG or WebP up to 5 MB; without a post it is deleted after a day',
  tag: 'forum',
  body: z.object({}),
  files: { image: { maxBytes: imageMaxBytes } },
  access: writers,
  answer: z.object({ image_url: answerText(200).meta({ unread: undefined }) }).meta({ id: 'ForumImage' }),
  status: 201,
  refusals: [invalidInput, notAPicture, pictureTooManyPixels, tooLarge, tooMany, ...markingRefusals],
})
