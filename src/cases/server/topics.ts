import { alreadyDecided, topicNotFound, type moderateTopic as moderateTopicEndpoint } from '../../forum/contract.ts'
import { lockModeratedTopic, mergeTopic, setTopic, type LockedTopic } from '../../forum/server/forum.ts'
import type { Sql } from '../../kit/server/database.ts'
import type { RequestContext } from '../../kit/server/serve-endpoint.ts'
import type { CheckedInput } from '../../kit/shared/endpoint.ts'
import { isUuid } from '../../kit/shared/input.ts'
import { invalidInput, Refusal } from '../../kit/shared/refusal.ts'
import { canRestoreTopic } from '../policy.ts'
import { decide, type ModeratedThing } from './decide.ts'
import type { CaseRoom } from './room.ts'

type TopicDecision = CheckedInput<typeof moderateTopicEndpoint>['body']
type TopicAction = Exclude<TopicDecision['action'], 'merge'>

/** @throws `topic_not_found`, `already_decided`, `key_used` */
export async function moderateTopic(
  room: CaseRoom,
  asking: RequestContext,
  topicId: string,
  decision: TopicDecision,
): Promise<null> {
  if (!isUuid(topicId)) throw new Refusal(topicNotFound)
  const missing = missingField(decision)
  if (missing !== null) throw new Refusal(invalidInput, { fields: { [missing]: { key: 'required' } } })
  const { action, into, reason = null } = decision
  const object = (name: string) => ({ kind: 'topic', id: topicId, name })
  return decide(room, asking, { operation: 'moderate-topic', input: { topicId, wish: decision } }, async (trx, now) => {
    if (action === 'merge') {
      const { title } = await mergeTopic(room.forum, trx, topicId, into!, now)
      const after = { into, what: 'topic_merge' }
      return { answer: null, done: { action: 'merge-topic', object: object(title), after, reason } }
    }
    const found = await lockModeratedTopic(trx, topicId)
    if (!found) throw new Refusal(topicNotFound)
    const { topic, first } = found
    if (action === 'restore' && !canRestoreTopic(topic.state, first?.state)) throw new Refusal(alreadyDecided)
    const change = changesBy(action, decision, { isWaiting: first?.state === 'waiting' })
    await setTopic(room.forum, trx, topic, change, now)
    const before = Object.fromEntries(Object.keys(change).map((field) => [field, topic[field as keyof LockedTopic]]))
    // A topic waits as long as its first post, so an undo compares that post's state too.
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

function missingField({ action, category, into, title, tags }: TopicDecision): string | null {
  if (action === 'move' && category === undefined) return 'category'
  if (action === 'merge' && into === undefined) return 'into'
  if (action === 'correct' && title === undefined && tags === undefined) return 'title'
  return null
}

/** @param isWaiting the topic's first post waits for approval */
function changesBy(
  action: TopicAction,
  { category, title, tags }: TopicDecision,
  { isWaiting }: { isWaiting: boolean },
): Partial<LockedTopic> {
  const changes: Record<TopicAction, Partial<LockedTopic>> = {
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

export async function findTopic(room: CaseRoom, trx: Sql, topicId: string): Promise<ModeratedThing | null> {
  const found = await lockModeratedTopic(trx, topicId)
  if (!found) return null
  const { topic, first } = found
  return {
    fields: { ...topic, first_post: first?.state },
    putBack: (before, _, now) => setTopic(room.forum, trx, topic, before, now),
  }
}
