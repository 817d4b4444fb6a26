import { alreadyDecided, topicNotFound, type moderateTopic as moderateTopicEndpoint } from '../../forum/contract.ts'
import { lockModeratedTopic, mergeTopic, setTopic, type LockedTopic } from '../../forum/server/forum.ts'
import type { Sql } from '../../kit/server/database.ts'
import type { Asking } from '../../kit/server/serve-endpoint.ts'
import type { CheckedInput } from '../../kit/shared/endpoint.ts'
import { isUuid } from '../../kit/shared/input.ts'
import { invalidInput, Refusal } from '../../kit/shared/refusal.ts'
import { decide, type Case } from './decide.ts'
import type { CaseRoom } from './room.ts'

type Wish = CheckedInput<typeof moderateTopicEndpoint>['body']
type Change = Exclude<Wish['action'], 'merge'>

/** Throws `topic_not_found`, `already_decided`, `key_used`. */
export async function moderateTopic(room: CaseRoom, asking: Asking, topicId: string, wish: Wish): Promise<null> {
  if (!isUuid(topicId)) throw new Refusal(topicNotFound)
  const missing = missingField(wish)
  if (missing !== null) throw new Refusal(invalidInput, { fields: { [missing]: { key: 'required' } } })
  const { action, into, reason = null } = wish
  const object = (name: string) => ({ kind: 'topic', id: topicId, name })
  return decide(room, asking, { operation: 'moderate-topic', input: { topicId, wish } }, async (trx, now) => {
    if (action === 'merge') {
      const { title } = await mergeTopic(room.forum, trx, topicId, into!, now)
      const after = { into, what: 'topic_merge' }
      return { answer: null, done: { action: 'merge-topic', object: object(title), after, reason } }
    }
    const found = await lockModeratedTopic(trx, topicId)
    if (!found) throw new Refusal(topicNotFound)
    const { topic, first } = found
    // one that waited with its first post is restored once its author has deleted that
    const isLeft = topic.state === 'waiting' && first?.state === 'deleted'
    if (action === 'restore' && topic.state !== 'hidden' && !isLeft) throw new Refusal(alreadyDecided)
    const change = changesBy(action, wish, { isWaiting: first?.state === 'waiting' })
    await setTopic(room.forum, trx, topic, change, now)
    const before = Object.fromEntries(Object.keys(change).map((field) => [field, topic[field as keyof LockedTopic]]))
    // whether a topic waits is decided with its first post
    const decidedWith = change.state === undefined ? {} : { first_post: first?.state }
    return {
      answer: null,
      done: {
        action: 'moderate-topic',
        object: object(topic.title),
        before,
        after: { ...change, ...decidedWith, what: `topic_${action}` },
        reason,
      },
    }
  })
}

function missingField({ action, category, into, title, tags }: Wish): string | null {
  if (action === 'move' && category === undefined) return 'category'
  if (action === 'merge' && into === undefined) return 'into'
  if (action === 'correct' && title === undefined && tags === undefined) return 'title'
  return null
}

/** What an action changes of a topic; `isWaiting`: its first post waits for approval. */
function changesBy(
  action: Change,
  { category, title, tags }: Wish,
  { isWaiting }: { isWaiting: boolean },
): Partial<LockedTopic> {
  const changes: Record<Change, Partial<LockedTopic>> = {
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

export async function findTopic(room: CaseRoom, trx: Sql, topicId: string): Promise<Case | null> {
  const found = await lockModeratedTopic(trx, topicId)
  if (!found) return null
  const { topic, first } = found
  return {
    standing: { ...topic, first_post: first?.state },
    putBack: (before, _, now) => setTopic(room.forum, trx, topic, before, now),
  }
}
