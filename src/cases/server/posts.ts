import {
  correctPost,
  lockModeratedPost,
  reopenFlags,
  setFlags,
  setPost,
  undoCorrection,
  type LockedPost,
} from '../../forum/server/forum.ts'
import {
  alreadyDecided,
  postChanged,
  postNotFound,
  type moderatePost as moderatePostEndpoint,
} from '../../forum/contract.ts'
import type { Sql } from '../../kit/server/database.ts'
import { knownCaller, type RequestContext } from '../../kit/server/serve-endpoint.ts'
import type { CheckedInput } from '../../kit/shared/endpoint.ts'
import { canBeSeen, isUuid } from '../../kit/shared/input.ts'
import { invalidInput, Refusal } from '../../kit/shared/refusal.ts'
import { canModeratePost, flagsAfter, needsReason } from '../policy.ts'
import { decide, isoOf, type ModeratedThing } from './decide.ts'
import type { CaseRoom } from './room.ts'

type PostDecision = CheckedInput<typeof moderatePostEndpoint>['body']

/** @throws `post_not_found`, `already_decided`, `post_changed`, `key_used` */
export async function moderatePost(
  room: CaseRoom,
  asking: RequestContext,
  postId: string,
  decision: PostDecision,
): Promise<null> {
  if (!isUuid(postId)) throw new Refusal(postNotFound)
  const missing = (field: string) => new Refusal(invalidInput, { fields: { [field]: { key: 'required' } } })
  const { action, reason = null } = decision
  if (needsReason(action) && reason === null) throw missing('reason')
  if (action === 'edit' && (decision.body === undefined || !canBeSeen(decision.body))) throw missing('body')
  return decide(room, asking, { operation: 'moderate-post', input: { postId, wish: decision } }, async (trx, now) => {
    const found = await lockModeratedPost(trx, postId)
    if (!found) throw new Refusal(postNotFound)
    const { post, topic } = found
    if (!canModeratePost(action, post.state)) throw new Refusal(alreadyDecided)
    // Nobody decides about a text that they have not seen: its author may just have edited it.
    if (decision.seen !== undefined && timeOf(decision.seen) !== timeOf(post.edited_at)) throw new Refusal(postChanged)
    const flags = await setFlags(trx, postId, flagsAfter[action], now)
    if (flags.length === 0 && (action === 'take_up' || action === 'dismiss')) throw new Refusal(alreadyDecided)
    const revision =
      action === 'edit'
        ? await correctPost(room.forum, trx, found, { body: decision.body!, who: knownCaller(asking), now })
        : null
    const to = stateAfter(action, post, reason)
    if (action !== 'take_up') await setPost(room.forum, trx, found, to, now)
    return {
      answer: null,
      done: {
        action: 'moderate-post',
        object: { kind: 'post', id: postId, name: `${topic.title} #${post.post_number}` },
        before: { state: post.state, reason: post.reason, flags },
        // `edited_at` names the version of the text, so that an undo does not bring back a later one.
        after: { ...to, edited_at: isoOf(revision === null ? post.edited_at : now), revision, what: `post_${action}` },
        reason,
      },
    }
  })
}

function stateAfter(action: PostDecision['action'], post: LockedPost, reason: string | null) {
  if (action === 'take_up') return { state: post.state, reason: post.reason }
  if (action === 'hide') return { state: 'hidden' as const, reason }
  if (action === 'reject') return { state: 'rejected' as const, reason }
  return { state: 'visible' as const, reason: null }
}

const timeOf = (value: string | Date | null): number | null => (value === null ? null : new Date(value).getTime())

export async function findPost(room: CaseRoom, trx: Sql, postId: string): Promise<ModeratedThing | null> {
  const found = await lockModeratedPost(trx, postId)
  if (!found) return null
  const { state, reason, edited_at } = found.post
  return {
    fields: { state, reason, edited_at: isoOf(edited_at) },
    async putBack(before, { revision }, now) {
      if (typeof revision === 'string') await undoCorrection(trx, found, revision, now)
      const was = before as { state: LockedPost['state']; reason: string | null; flags?: string[] }
      await setPost(room.forum, trx, found, was, now)
      await reopenFlags(trx, postId, was.flags ?? [])
    },
  }
}
