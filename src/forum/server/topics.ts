import { refuseIfWaiting } from '../../accounts/server/accounts.ts'
import { cursorOf, writeCursor } from '../../kit/server/cursor.ts'
import { asDate } from '../../kit/server/clock.ts'
import { emptyPage, Page, totalUpTo } from '../../kit/server/page.ts'
import type { Who } from '../../kit/server/serve-endpoint.ts'
import type { CheckedInput } from '../../kit/shared/endpoint.ts'
import { defaultPageSize, isUuid, totalCap } from '../../kit/shared/input.ts'
import { Refusal } from '../../kit/shared/refusal.ts'
import { changedRow, emptyRow } from '../../kit/shared/thing.ts'
import {
  editTimeOver,
  forumCategories,
  notYourPost,
  postNotFound,
  topicLocked,
  topicNotFound,
  type editTopic as editTopicEndpoint,
  type ForumCategory,
  type listTopics as listTopicsEndpoint,
  type Topic,
} from '../contract.ts'
import { isEditable, isStaff, levelOf } from '../policy.ts'
import { topicFields, type TopicFields } from '../topic.ts'
import { topicAnswer } from './answers.ts'
import { listedWordIn } from './listed-words.ts'
import { lockMember, refuseIfSilenced, refuseIfSuspended } from './members.ts'
import { showChange } from './notices.ts'
import type { ForumRoom } from './room.ts'
import * as store from './store.ts'

/** Where only staff begin topics. */
export const staffCategories: readonly ForumCategory[] = ['announcements']

export async function listCategories({ db }: ForumRoom) {
  const rows = await store.categoryRows(db, forumCategories, totalCap)
  return rows.map((row) => ({ ...row, staff_only: staffCategories.includes(row.category) }))
}

/** Topics, pinned ones first, by keyset. */
export async function listTopics(
  { db }: ForumRoom,
  query: CheckedInput<typeof listTopicsEndpoint>['query'],
): Promise<Page<Topic>> {
  if (query.linked !== undefined && !isUuid(query.linked)) return emptyPage
  const sort = query.sort ?? 'latest'
  const limit = query.limit ?? defaultPageSize
  const after = cursorOf(query.after, ['number', 'instant', 'id'])
  const wanted: store.TopicsWanted = {
    category: query.category ?? null,
    tag: query.tag?.toLowerCase() ?? null,
    lang: query.lang ?? null,
    solved: query.solved ? true : query.open ? false : null,
    linked: query.linked ?? null,
  }
  const [rows, count] = await Promise.all([
    store.listTopics(db, wanted, {
      sort,
      after: after && { pinned: after[0] === 1, at: after[1], id: after[2] },
      limit: limit + 1,
      offset: query.offset ?? 0,
    }),
    store.countTopics(db, wanted, totalCap + 1),
  ])
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const next =
    rows.length > limit && last
      ? writeCursor([last.is_pinned ? 1 : 0, sort === 'new' ? last.created_at : last.last_post_at, last.topic_id])
      : null
  return new Page(shown.map(topicAnswer), totalUpTo(count), next)
}

/** A topic that everybody sees, or one's own that waits or is hidden with its first post; of a merged one, where it went. */
export async function getTopic({ db }: ForumRoom, topicId: string, who: Who | null) {
  const asked = isUuid(topicId) ? await store.findTopic(db, topicId) : undefined
  const found = asked?.state === 'merged' ? await store.findTopic(db, asked.merged_into!) : asked
  if (!found || !(await isSeen(db, found, who))) throw new Refusal(topicNotFound)
  const merged = asked && asked !== found ? { from: asked.topic_id, by_number: asked.merged_by_number ?? 0 } : null
  return { ...topicAnswer(found), merged }
}

export async function isSeen(db: ForumRoom['db'], topic: store.TopicState, who: Who | null): Promise<boolean> {
  if (topic.state === 'visible') return true
  if (topic.state === 'deleted' || topic.state === 'merged' || !who) return false
  if (isStaff(who.role)) return true
  // of one that a moderator hid by itself there is no post with a reason, which its author could appeal
  if (topic.state === 'hidden' && !topic.hidden_with_post) return false
  const member = await store.findMember(db, who.accountId)
  return member?.member_id === topic.author.member_id
}

type Change = CheckedInput<typeof editTopicEndpoint>['body']

/** What was sent of a topic, as its row holds it. */
export function topicColumns({ linked, ...sent }: Change & { category?: ForumCategory }) {
  return {
    ...changedRow<TopicFields, store.TopicsTable>(topicFields, sent, {
      title: (title) => title.trim(),
      tags: (tags) => [...new Set(tags)],
    }),
    ...(linked === undefined ? {} : { linked_kind: linked?.kind ?? null, linked_id: linked?.id ?? null }),
  }
}
export const emptyTopic = {
  ...emptyRow<TopicFields, store.TopicsTable>(topicFields),
  linked_kind: null,
  linked_id: null,
}

/**
 * What the author changes of a topic: title and tags as long as the first post can be edited; of a locked one only which post solved it.
 * Staff correct topics of others by a decision (`moderateTopic`). The linked event or deal is not looked up: cards say what it is.
 */
export async function editTopic(room: ForumRoom, who: Who, topicId: string, change: Change): Promise<Topic> {
  const { db, clock } = room
  const now = asDate(clock.now())
  if (!isUuid(topicId)) throw new Refusal(topicNotFound)
  refuseIfWaiting(await room.limits.edits.take(who.accountId))
  await db.transaction().execute(async (trx) => {
    const member = await lockMember(room, trx, who.accountId, now)
    refuseIfSilenced(member, now)
    await refuseIfSuspended(trx, who)
    const { linked, title, tags, lang, solved_number } = change
    const isRenamed = title !== undefined || tags !== undefined
    const first = isRenamed ? await store.lockFirstPost(trx, topicId) : undefined
    const topic = await store.lockTopic(trx, topicId)
    if (!topic || (topic.state !== 'visible' && topic.state !== 'waiting')) throw new Refusal(topicNotFound)
    if (topic.author_id !== member.member_id) throw new Refusal(topic.state === 'visible' ? notYourPost : topicNotFound)
    const saysMore = isRenamed || linked !== undefined || lang !== undefined
    if (topic.is_locked && !isStaff(who.role) && saysMore) throw new Refusal(topicLocked)
    if (isRenamed) refuseIfSettled(first, now)
    if (solved_number != null && !(await store.isVisibleNumber(trx, topicId, solved_number)))
      throw new Refusal(postNotFound)
    await store.changeTopic(trx, topicId, {
      ...topicColumns(change),
      updated_at: now,
    })
    if (title !== undefined) await store.searchTitleAnew(trx, topicId, title.trim())
    // who approves the post approves its title
    if (first?.state === 'waiting') await store.noteEdited(trx, first.post_id, now)
    if (first?.state === 'visible' && !isStaff(who.role) && renamingWaits(topic, title, levelOf(member, now) === 0)) {
      await store.setPostState(trx, first.post_id, 'waiting', null)
      await store.changeTopic(trx, topicId, { state: 'waiting', updated_at: now })
      await store.countTopicPosts(trx, topicId)
    }
    await showChange(room, trx, topicId, topic.last_number)
  })
  return topicAnswer((await store.findTopic(db, topicId))!)
}

/** Title and tags change with the first post: as long as that can be edited. Throws `post_not_found`, `edit_time_over`. */
function refuseIfSettled(first: store.FirstPost | undefined, now: Date): void {
  if (first?.state !== 'visible' && first?.state !== 'waiting') throw new Refusal(postNotFound)
  if (!isEditable(first.created_at, now)) throw new Refusal(editTimeOver)
}

/** Whether a change of title or tags needs approval: after a moderator's correction always, and for listed words of a newcomer. */
const renamingWaits = (topic: store.LockedTopic, title: string | undefined, isNew: boolean): boolean =>
  topic.is_corrected || (isNew && listedWordIn(title ?? ''))
