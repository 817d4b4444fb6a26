import { asDate } from '../../kit/server/clock.ts'
import type { Sql } from '../../kit/server/database.ts'
import { changesSince, standingChanges, type Undo } from '../../staff/server/staff.ts'
import { closeBarAppeals, closePostAppeals, reopenAppeals } from './appeals.ts'
import { decidesState, timeOf, writeText } from './moderation.ts'
import { showChange } from './notices.ts'
import type { ForumRoom } from './room.ts'
import * as store from './store.ts'

/** What a correction of a topic may change. */
const corrected = ['title', 'tags'] as const

/** Of a column, or of what the log says of it. */
const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** How decisions of moderators are taken back; a merge and a decided appeal are final. */
export function moderationUndos(room: ForumRoom): Record<string, Undo> {
  const change = async (trx: Sql, topic: store.LockedTopic, back: Partial<store.LockedTopic>) => {
    await store.changeTopic(trx, topic.topic_id, { ...back, updated_at: asDate(room.clock.now()) })
    if (back.title !== undefined) await store.searchTitleAnew(trx, topic.topic_id, back.title)
    await showChange(room, trx, topic.topic_id, topic.last_number)
  }
  return {
    'moderate-post': async (trx, entry) => {
      const { object_id, before, after } = entry
      const post = object_id === null ? undefined : await store.lockPost(trx, object_id)
      if (!post || post.state !== after?.['state']) return null
      const now = asDate(room.clock.now())
      const topic = (await store.lockTopic(trx, post.topic_id))!
      const was = before as {
        state: store.PostRow['state']
        reason: string | null
        topic_state: typeof topic.state
        topic_id?: string
      }
      if (post.state !== was.state) {
        const since = await changesSince(trx, entry, ['moderate-post', 'decide-appeal'])
        if (since.some(decidesState)) return null
      }
      // a text that its author wrote since, and that no moderator has seen, stays hidden
      if (was.state === 'visible' && post.state !== 'visible' && timeOf(post.edited_at) !== timeOf(after['edited_at']))
        return null
      const revision = after['revision'] ?? null
      if (revision !== null) {
        const said = await store.latestRevision(trx, post.post_id)
        if (said?.revision_id !== revision) return null
        await writeText(trx, post, topic.title, said.body, now)
      }
      if (post.state !== was.state) await store.setPostState(trx, post.post_id, was.state, was.reason)
      // merged since, the post is one of another topic, which was not decided about; old entries do not name the topic
      const isItsTopic = post.post_number === 1 && (was.topic_id ?? topic.topic_id) === topic.topic_id
      // one that a moderator has hidden by itself since stays hidden
      const isFree = topic.state !== 'hidden' || topic.hidden_with_post
      if (isItsTopic && isFree && topic.state === after['topic_state'] && topic.state !== was.topic_state)
        await store.changeTopic(trx, topic.topic_id, {
          state: was.topic_state,
          hidden_with_post: was.topic_state === 'hidden',
          updated_at: now,
        })
      if (was.state === 'hidden' || was.state === 'rejected') await reopenAppeals(room, trx, after)
      else await closePostAppeals(room, trx, post, now)
      await store.reopenFlags(trx, post.post_id, (before?.['flags'] ?? []) as string[])
      await store.countTopicPosts(trx, topic.topic_id)
      await showChange(room, trx, topic.topic_id, post.post_number)
      return { kept: [] }
    },

    'moderate-topic': async (trx, entry) => {
      const { object_id, before, after } = entry
      const first = object_id === null ? undefined : await store.lockFirstPost(trx, object_id)
      const topic = object_id === null ? undefined : await store.lockTopic(trx, object_id)
      const was = (before ?? {}) as Partial<store.LockedTopic>
      if (!topic) return null
      if (was.is_corrected !== undefined) {
        // title and tags for themselves: what was changed since stays
        const others = await standingChanges(trx, entry)
        const isChangedSince = (field: (typeof corrected)[number]) =>
          !isSame(topic[field], after?.[field]) ||
          others.some((each) => each.is_later && !isSame(each.before[field], each.after[field]))
        const kept = corrected.filter((field) => field in was && isChangedSince(field))
        const back = { ...was }
        for (const field of kept) delete back[field]
        if (!corrected.some((field) => field in back)) return null
        back.is_corrected = others.some((each) => each.after['is_corrected'] === true)
        await change(trx, topic, back)
        return { kept: kept.map((field) => [topic[field]].flat().join(', ') || '–') }
      }
      const fields = Object.keys(was) as (keyof store.LockedTopic)[]
      if (fields.some((field) => !isSame(topic[field], after?.[field]))) return null
      const since = await changesSince(trx, entry)
      if (since.some((each) => fields.some((field) => field in each.after))) return null
      // its first post may have been approved since; of one that is deleted the topic waits for itself
      const isApproved = was.state === 'waiting' && first?.state !== 'waiting' && first?.state !== 'deleted'
      await change(trx, topic, { ...was, ...(isApproved ? { state: 'visible' as const } : {}) })
      return { kept: [] }
    },

    'moderate-member': async (trx, entry) => {
      const { object_id, before, after } = entry
      const member = object_id === null ? undefined : await store.lockMemberById(trx, object_id)
      const [bar] = Object.keys(before ?? {}) as ('silenced_until' | 'banned_until')[]
      if (!member || !bar || timeOf(member[bar]) !== timeOf(after?.[bar])) return null
      if ((await changesSince(trx, entry)).some((each) => bar in each.after)) return null
      const until = timeOf(before?.[bar])
      await store.setMemberBars(trx, member.member_id, { [bar]: until === null ? null : new Date(until) })
      if (until === null) await closeBarAppeals(room, trx, member.member_id, bar, asDate(room.clock.now()))
      else await reopenAppeals(room, trx, after)
      return { kept: [] }
    },
  }
}
