import type { Sql } from '../../kit/server/database.ts'
import { newId } from '../../kit/server/ids.ts'
import { readMarkdown } from '../../kit/server/markdown.ts'
import type { Caller } from '../../kit/server/serve-endpoint.ts'
import { isUuid } from '../../kit/shared/input.ts'
import { Refusal } from '../../kit/shared/refusal.ts'
import { topicNotFound } from '../contract.ts'
import { followsFirstPost } from '../policy.ts'
import { lockMember } from './members.ts'
import { publishPostChange } from './notices.ts'
import { readPost } from './read-post.ts'
import type { ForumRoom } from './room.ts'
import * as store from './store.ts'
import { hashOf, publishPost } from './writing.ts'

// Changes by moderators; the caller logs them. Lock order, as everywhere: posts before their topics.

export type LockedPost = NonNullable<Awaited<ReturnType<typeof store.lockPost>>>

export interface ModeratedPost {
  post: LockedPost
  topic: store.LockedTopic
}

/** Null: no such post, or a deleted one. */
export async function lockModeratedPost(trx: Sql, postId: string): Promise<ModeratedPost | null> {
  const post = await store.lockPost(trx, postId)
  if (!post || post.state === 'deleted') return null
  return { post, topic: (await store.lockTopic(trx, post.topic_id))! }
}

/** Sets the state of a post, and of its topic where that follows its first post. An approved post is published as a new one. */
export async function setPost(
  room: ForumRoom,
  trx: Sql,
  { post, topic }: ModeratedPost,
  { state, reason }: { state: LockedPost['state']; reason: string | null },
  now: Date,
): Promise<void> {
  await store.changePost(trx, post.post_id, { state, reason })
  const follows = post.post_number === 1 ? topicWith(topic, state) : null
  if (follows) await store.changeTopic(trx, topic.topic_id, { ...follows, updated_at: now })
  await store.countTopicPosts(trx, topic.topic_id)
  await publishPostChange(room, trx, topic.topic_id, post.post_number)
  if (state !== 'visible' || post.state !== 'waiting' || (follows ?? topic).state === 'hidden') return
  await publishPost(room, trx, post.post_id, {
    accountId: await store.accountOfMember(trx, post.author_id),
    topicId: post.topic_id,
    number: post.post_number,
    replyTo: null,
    read: readMarkdown(post.body),
  })
}

/** The state that a topic takes with its first post; null: unchanged. A topic that a moderator hid alone stays hidden. */
function topicWith(topic: store.LockedTopic, state: LockedPost['state']) {
  if (state === 'hidden' || state === 'rejected')
    return { state: 'hidden' as const, hidden_with_post: topic.state !== 'hidden' || topic.hidden_with_post }
  const isFollowing = followsFirstPost(topic) || (topic.state === 'visible' && state === 'waiting')
  return isFollowing
    ? { state: state === 'waiting' ? ('waiting' as const) : ('visible' as const), hidden_with_post: false }
    : null
}

/** Replaces the text of a post. @returns the id of the revision that has the text before */
export async function correctPost(
  room: ForumRoom,
  trx: Sql,
  found: ModeratedPost,
  { body, who, now }: { body: string; who: Caller; now: Date },
): Promise<string> {
  // a known member is not locked: likes lock two members in the order of their ids, which could deadlock with this
  const editor = (await store.findMember(trx, who.accountId)) ?? (await lockMember(room, trx, who.accountId, now))
  const { post_id } = found.post
  const revision_id = newId()
  await store.insertRevision(trx, {
    revision_id,
    post_id,
    body: found.post.body,
    replaced_at: now,
    replaced_by: editor.member_id,
    is_public: false,
  })
  await store.closeHistory(trx, post_id)
  await writeText(trx, found, body, now)
  return revision_id
}

/** Puts the text of the revision back, if the post was not changed since. */
export async function undoCorrection(trx: Sql, found: ModeratedPost, revisionId: string, now: Date): Promise<void> {
  const latest = await store.latestRevision(trx, found.post.post_id)
  if (latest?.revision_id === revisionId) await writeText(trx, found, latest.body, now)
}

async function writeText(trx: Sql, { post, topic }: ModeratedPost, body: string, now: Date): Promise<void> {
  const read = await readPost(trx, body)
  await store.changeText(trx, post.post_id, {
    body,
    content: read.content,
    lang: post.lang,
    body_hash: hashOf(body),
    edited_at: now,
    title: post.post_number === 1 ? topic.title : '',
    plain: read.plain,
  })
}

/** Null: no such topic, or a deleted or merged one. */
export async function lockModeratedTopic(trx: Sql, topicId: string) {
  const first = await store.lockFirstPost(trx, topicId)
  const topic = await store.lockTopic(trx, topicId)
  return topic && topic.state !== 'deleted' && topic.state !== 'merged' ? { topic, first } : null
}

export async function setTopic(
  room: ForumRoom,
  trx: Sql,
  { topic_id, last_number }: store.LockedTopic,
  change: Partial<store.LockedTopic>,
  now: Date,
): Promise<void> {
  await store.changeTopic(trx, topic_id, { ...change, updated_at: now })
  if (change.title !== undefined) await store.reindexTitle(trx, topic_id, change.title)
  await publishPostChange(room, trx, topic_id, last_number)
}

/** Moves the posts of a topic to the end of another. @returns the topic as it was. @throws `topic_not_found` */
export async function mergeTopic(
  room: ForumRoom,
  trx: Sql,
  topicId: string,
  into: string,
  now: Date,
): Promise<store.LockedTopic> {
  const locked = await lockBoth(trx, topicId, into)
  const topic = locked.get(topicId.toLowerCase())
  if (!topic || topic.state === 'deleted' || topic.state === 'merged') throw new Refusal(topicNotFound)
  const target = locked.get(into.toLowerCase())
  if (!target || target === topic || target.state !== 'visible') throw new Refusal(topicNotFound)
  await store.movePosts(trx, topic.topic_id, target.topic_id, target.last_number)
  await store.changeTopic(trx, topicId, {
    state: 'merged',
    merged_into: target.topic_id,
    merged_by_number: target.last_number,
    solved_number: null,
    updated_at: now,
  })
  await store.countTopicPosts(trx, target.topic_id)
  for (const { topic_id, last_number } of locked.values()) await publishPostChange(room, trx, topic_id, last_number)
  return topic
}

/** Locks the replies of both topics, the posts that move, and then both topics. */
async function lockBoth(trx: Sql, topicId: string, into: string): Promise<Map<string, store.LockedTopic>> {
  const locked = new Map<string, store.LockedTopic>()
  // the lower id first, so that two merges cannot deadlock
  const ids = [topicId, ...(isUuid(into) ? [into] : [])].map((id) => id.toLowerCase()).toSorted()
  await store.lockReplies(trx, ids)
  await store.lockPostsOf(trx, topicId)
  for (const id of ids) {
    const topic = await store.lockTopic(trx, id)
    if (topic) locked.set(id, topic)
  }
  return locked
}
