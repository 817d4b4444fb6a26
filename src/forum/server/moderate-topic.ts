import type { Sql } from '../../kit/server/database.ts'
import type { Asking } from '../../kit/server/serve-endpoint.ts'
import type { CheckedInput } from '../../kit/shared/endpoint.ts'
import { isUuid } from '../../kit/shared/input.ts'
import { invalidInput, Refusal } from '../../kit/shared/refusal.ts'
import { alreadyDecided, topicNotFound, type moderateTopic as moderateTopicEndpoint } from '../contract.ts'
import { decide, type Decision } from './moderation.ts'
import { showChange } from './notices.ts'
import type { ForumRoom } from './room.ts'
import * as store from './store.ts'

type TopicDecision = CheckedInput<typeof moderateTopicEndpoint>['body']
type Change = Exclude<TopicDecision['action'], 'merge'>

export async function moderateTopic(room: ForumRoom, asking: Asking, topicId: string, wish: TopicDecision) {
  if (!isUuid(topicId)) throw new Refusal(topicNotFound)
  const missing = missingField(wish)
  if (missing !== null) throw new Refusal(invalidInput, { fields: { [missing]: { key: 'required' } } })
  const request = { operation: 'moderate-topic', input: { topicId, wish } }
  const { action, into } = wish
  return decide(room, asking, request, (trx, now) =>
    action === 'merge'
      ? mergeTopic(room, trx, topicId, into!, { wish, now })
      : changeTopic(room, trx, topicId, { action, wish, now }),
  )
}

function missingField({ action, category, into, title, tags }: TopicDecision): string | null {
  if (action === 'move' && category === undefined) return 'category'
  if (action === 'merge' && into === undefined) return 'into'
  if (action === 'correct' && title === undefined && tags === undefined) return 'title'
  return null
}

async function changeTopic(
  room: ForumRoom,
  trx: Sql,
  topicId: string,
  { action, wish, now }: { action: Change; wish: TopicDecision; now: Date },
): Promise<Decision> {
  const first = await store.lockFirstPost(trx, topicId)
  const topic = await store.lockTopic(trx, topicId)
  if (!topic || topic.state === 'deleted' || topic.state === 'merged') throw new Refusal(topicNotFound)
  // one that waited with its first post is restored once its author has deleted that
  const isLeft = topic.state === 'waiting' && first?.state === 'deleted'
  if (action === 'restore' && topic.state !== 'hidden' && !isLeft) throw new Refusal(alreadyDecided)
  const after = changesBy(action, wish, { isWaiting: first?.state === 'waiting' })
  await store.changeTopic(trx, topicId, { ...after, updated_at: now })
  if (after.title !== undefined) await store.searchTitleAnew(trx, topicId, after.title)
  await showChange(room, trx, topicId, topic.last_number)
  const fields = Object.keys(after) as (keyof store.LockedTopic)[]
  return {
    action: `topic_${action}`,
    topic_id: topicId,
    member_id: topic.author_id,
    object: topic.title,
    reason: wish.reason ?? null,
    entry: { action: 'moderate-topic', kind: 'topic', id: topicId },
    before: Object.fromEntries(fields.map((field) => [field, topic[field]])),
    after,
  }
}

/** What an action changes of a topic; `isWaiting`: its first post waits for approval. */
function changesBy(
  action: Change,
  { category, title, tags }: TopicDecision,
  { isWaiting }: { isWaiting: boolean },
): Partial<store.LockedTopic> {
  const changes: Record<Change, Partial<store.LockedTopic>> = {
    pin: { is_pinned: true },
    unpin: { is_pinned: false },
    lock: { is_locked: true },
    unlock: { is_locked: false },
    move: category === undefined ? {} : { category },
    correct: {
      ...(title === undefined ? {} : { title: title.trim() }),
      ...(tags === undefined ? {} : { tags: [...new Set(tags)] }),
      is_corrected: true,
    },
    hide: { state: 'hidden', hidden_with_post: false },
    restore: { state: isWaiting ? 'waiting' : 'visible', hidden_with_post: false },
  }
  return changes[action]
}

/** Its posts go to the end of the other topic. */
async function mergeTopic(
  room: ForumRoom,
  trx: Sql,
  topicId: string,
  into: string,
  { wish, now }: { wish: TopicDecision; now: Date },
): Promise<Decision> {
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
  for (const { topic_id, last_number } of locked.values()) await showChange(room, trx, topic_id, last_number)
  return {
    action: 'topic_merge',
    topic_id: target.topic_id,
    member_id: topic.author_id,
    object: topic.title,
    reason: wish.reason ?? null,
    entry: { action: 'merge-topic', kind: 'topic', id: topicId },
    before: {},
    after: {},
  }
}

/** Locks the posts that move, and then both topics in the order of their ids: everything that changes a post locks it before its topic. */
async function lockBoth(trx: Sql, topicId: string, into: string): Promise<Map<string, store.LockedTopic>> {
  const locked = new Map<string, store.LockedTopic>()
  // the lower id first, so that two merges never wait for each other
  const ids = [topicId, ...(isUuid(into) ? [into] : [])].map((id) => id.toLowerCase()).toSorted()
  await store.holdReplies(trx, ids)
  await store.lockPostsOf(trx, topicId)
  for (const id of ids) {
    const topic = await store.lockTopic(trx, id)
    if (topic) locked.set(id, topic)
  }
  return locked
}
