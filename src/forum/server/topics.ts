import { isStaff } from '../../accounts/policy.ts'
import { refuseIfWaiting } from '../../accounts/server/accounts.ts'
import { cursorOf, writeCursor } from '../../kit/server/cursor.ts'
import { asDate } from '../../kit/server/clock.ts'
import { emptyPage, Page, totalUpTo } from '../../kit/server/page.ts'
import type { Caller } from '../../kit/server/serve-endpoint.ts'
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
import { isAuthorOf, isEditable, levelOf, maySeeTopic, mayWriteIn, staffCategories } from '../policy.ts'
import { topicFields, type TopicFields } from '../topic.ts'
import { topicAnswer } from './answers.ts'
import { listedWordIn } from './listed-words.ts'
import { lockMember, refuseIfBarred, refuseIfSuspended } from './members.ts'
import { publishPostChange } from './notices.ts'
import type { ForumRoom } from './room.ts'
import * as store from './store.ts'

export async function listCategories({ db }: ForumRoom) {
  const rows = await store.categoryRows(db, forumCategories, totalCap)
  return rows.map((row) => ({ ...row, staff_only: staffCategories.includes(row.category) }))
}

/** Topics, pinned ones first (unless `sort` is `new`); pages by keyset. */
export async function listTopics(
  { db }: ForumRoom,
  query: CheckedInput<typeof listTopicsEndpoint>['query'],
): Promise<Page<Topic>> {
  if (query.linked !== undefined && !isUuid(query.linked)) return emptyPage
  const sort = query.sort ?? 'latest'
  const limit = query.limit ?? defaultPageSize
  const after = cursorOf(query.after, ['number', 'instant', 'id'])
  const filter: store.TopicFilter = {
    category: query.category ?? null,
    tag: query.tag?.toLowerCase() ?? null,
    lang: query.lang ?? null,
    solved: query.solved ? true : query.open ? false : null,
    linked: query.linked ?? null,
  }
  const [rows, count] = await Promise.all([
    store.listTopics(db, filter, {
      sort,
      after: after && { pinned: after[0] === 1, at: after[1], id: after[2] },
      limit: limit + 1,
      offset: query.offset ?? 0,
    }),
    store.countTopics(db, filter, totalCap + 1),
  ])
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const next =
    rows.length > limit && last
      ? writeCursor([last.is_pinned ? 1 : 0, sort === 'new' ? last.created_at : last.last_post_at, last.topic_id])
      : null
  return new Page(shown.map(topicAnswer), totalUpTo(count), next)
}

/** A topic that the reader may see (`maySeeTopic`); of a merged topic, the one that has its posts. @throws `topic_not_found` */
export async function getTopic({ db }: ForumRoom, topicId: string, who: Caller | null) {
  const asked = isUuid(topicId) ? await store.findTopic(db, topicId) : undefined
  const found = asked?.state === 'merged' ? await store.findTopic(db, asked.merged_into!) : asked
  if (!found || !(await isTopicSeenBy(who, db, found))) throw new Refusal(topicNotFound)
  const merged = asked && asked !== found ? { from: asked.topic_id, by_number: asked.merged_by_number ?? 0 } : null
  return { ...topicAnswer(found), merged }
}

export async function isTopicSeenBy(
  who: Caller | null,
  db: ForumRoom['db'],
  topic: store.TopicState,
): Promise<boolean> {
  const member = topic.state === 'visible' || !who ? undefined : await store.findMember(db, who.accountId)
  return maySeeTopic(topic, who && { role: who.role, isAuthor: member?.member_id === topic.author.member_id })
}

type TopicEdit = CheckedInput<typeof editTopicEndpoint>['body']

/** The columns of a topic's row for the fields that were sent. */
export function topicColumns({ linked, ...sent }: TopicEdit & { category?: ForumCategory }) {
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
 * Changes an own topic. Title and tags can be changed as long as the first post can be edited; in a locked topic, only the post that
 * solved it. Staff correct topics of others by `moderateTopic`. The linked event or deal is not checked: its card is missing if it is gone.
 */
export async function editTopic(room: ForumRoom, who: Caller, topicId: string, change: TopicEdit): Promise<Topic> {
  const { db, clock } = room
  const now = asDate(clock.now())
  if (!isUuid(topicId)) throw new Refusal(topicNotFound)
  refuseIfWaiting(await room.limits.edits.take(who.accountId))
  await db.transaction().execute(async (trx) => {
    const member = await lockMember(room, trx, who.accountId, now)
    refuseIfBarred(member, now)
    await refuseIfSuspended(trx, who)
    const { linked, title, tags, lang, solved_number } = change
    const isRenamed = title !== undefined || tags !== undefined
    const first = isRenamed ? await store.lockFirstPost(trx, topicId) : undefined
    const topic = await store.lockTopic(trx, topicId)
    if (!topic || (topic.state !== 'visible' && topic.state !== 'waiting')) throw new Refusal(topicNotFound)
    if (!isAuthorOf(topic, member)) throw new Refusal(topic.state === 'visible' ? notYourPost : topicNotFound)
    const changesMore = isRenamed || linked !== undefined || lang !== undefined
    if (changesMore && !mayWriteIn(topic, who.role)) throw new Refusal(topicLocked)
    if (isRenamed) refuseIfNotEditable(first, now)
    if (solved_number != null && (await store.statesOf(trx, topicId, solved_number))?.post !== 'visible')
      throw new Refusal(postNotFound)
    await store.changeTopic(trx, topicId, { ...topicColumns(change), updated_at: now })
    if (title !== undefined) await store.reindexTitle(trx, topicId, title.trim())
    // moderators approve the title with the post, so a title changed since makes them read it again
    if (first?.state === 'waiting') await store.changePost(trx, first.post_id, { edited_at: now })
    if (
      first?.state === 'visible' &&
      !isStaff(who.role) &&
      renamingNeedsApproval(topic, title, levelOf(member, now) === 0)
    ) {
      await store.changePost(trx, first.post_id, { state: 'waiting', reason: null })
      await store.changeTopic(trx, topicId, { state: 'waiting', updated_at: now })
      await store.countTopicPosts(trx, topicId)
    }
    await publishPostChange(room, trx, topicId, topic.last_number)
  })
  return topicAnswer((await store.findTopic(db, topicId))!)
}

/** Title and tags can be changed as long as the first post can be edited. @throws `post_not_found`, `edit_time_over` */
function refuseIfNotEditable(first: store.FirstPost | undefined, now: Date): void {
  if (first?.state !== 'visible' && first?.state !== 'waiting') throw new Refusal(postNotFound)
  if (!isEditable(first.created_at, now)) throw new Refusal(editTimeOver)
}

/** New titles and tags need approval after a correction by a moderator, and those of newcomers with listed words. */
const renamingNeedsApproval = (topic: store.LockedTopic, title: string | undefined, isNew: boolean): boolean =>
  topic.is_corrected || (isNew && listedWordIn(title ?? ''))
