import { cursorOf, writeCursor } from '../../kit/server/cursor.ts'
import type { Sql } from '../../kit/server/database.ts'
import { asDate } from '../../kit/server/clock.ts'
import { newId } from '../../kit/server/ids.ts'
import { Page, totalUpTo } from '../../kit/server/page.ts'
import { knownWho, type Asking, type Who } from '../../kit/server/serve-endpoint.ts'
import { privateAddress } from '../../kit/server/upload-keys.ts'
import type { CheckedInput } from '../../kit/shared/endpoint.ts'
import { canBeSeen, defaultPageSize, isUuid, totalCap } from '../../kit/shared/input.ts'
import { invalidInput, Refusal } from '../../kit/shared/refusal.ts'
import { act, changesSince } from '../../staff/server/staff.ts'
import {
  alreadyDecided,
  appealNotFound,
  memberNotFound,
  postChanged,
  postNotFound,
  staffProtected,
  type listForumQueue,
  type moderateMember as moderateMemberEndpoint,
  type moderatePost as moderatePostEndpoint,
} from '../contract.ts'
import { isStaff } from '../policy.ts'
import { closeBarAppeals, closePostAppeals, tellOfAppeals } from './appeals.ts'
import { readMarkdown } from '../../kit/server/markdown.ts'
import { knownMember } from './members.ts'
import { showChange } from './notices.ts'
import { readPost } from './read-post.ts'
import type { ForumRoom } from './room.ts'
import { followsFirstPost, hiddenWithPost } from './topic-state.ts'
import { hashOf, tellOfPost } from './writing.ts'
import * as store from './store.ts'

type PageQuery = CheckedInput<typeof listForumQueue>['query']

function pageOf(query: PageQuery) {
  const after = cursorOf(query.after, ['instant', 'id'])
  return {
    after: after && { at: after[0], id: after[1] },
    limit: query.limit ?? defaultPageSize,
    offset: query.offset ?? 0,
  }
}

/** Posts and appeals that wait for a decision. */
export async function countWaiting(db: Sql, cap: number): Promise<number> {
  const [posts, appeals] = await Promise.all([store.countQueued(db, cap), store.openAppeals(db, 100)])
  return Math.min(posts + appeals.length, cap)
}

/** Posts that wait for approval or were flagged, whole, oldest first. */
export async function listQueue(room: ForumRoom, query: PageQuery) {
  const { db } = room
  const page = pageOf(query)
  const [rows, count] = await Promise.all([
    store.queuedPosts(db, { ...page, limit: page.limit + 1 }),
    store.countQueued(db, totalCap + 1),
  ])
  const shown = rows.slice(0, page.limit)
  const last = shown.at(-1)
  return new Page(
    shown.map(({ title, category, flags, image_name, ...post }) => ({
      post: { ...post, image_url: image_name === null ? null : privateAddress(room, image_name) },
      title,
      category,
      flags,
    })),
    totalUpTo(count),
    rows.length > page.limit && last ? writeCursor([last.created_at, last.post_id]) : null,
  )
}

export async function listLog({ db }: ForumRoom, query: PageQuery) {
  const page = pageOf(query)
  const [rows, count] = await Promise.all([
    store.listActions(db, { ...page, limit: page.limit + 1 }),
    store.countActions(db, totalCap + 1),
  ])
  const shown = rows.slice(0, page.limit)
  const last = shown.at(-1)
  return new Page(
    shown.map(({ appealed_at: _, ...entry }) => entry),
    totalUpTo(count),
    rows.length > page.limit && last ? writeCursor([last.at, last.action_id]) : null,
  )
}

export async function listAppeals(room: ForumRoom) {
  const rows = await store.openAppeals(room.db, 100)
  return rows.map(({ appeal, appealed_at, appeal_decision: _, image_name, ...row }) => ({
    ...row,
    image_url: image_name === null ? null : privateAddress(room, image_name),
    appeal: appeal!,
    appealed_at: appealed_at!,
  }))
}

export interface Decision extends Partial<Omit<store.NewAction, 'action_id' | 'at' | 'moderator_id'>> {
  action: string
  object: string
  /** As the log of all staff names it. */
  entry: { action: string; kind: 'post' | 'topic' | 'member'; id: string | null }
  /** What an undo compares and puts back. */
  before?: Record<string, unknown>
  after?: Record<string, unknown>
}

/**
 * One decision, once for each `Idempotency-Key`, with its entry in the log of all staff, where it is undone, and one in the
 * log of the forum, which appeals are about; all in one transaction.
 */
export async function decide(
  room: ForumRoom,
  asking: Asking,
  request: { operation: string; input: unknown },
  rule: (trx: Sql, now: Date) => Promise<Decision>,
): Promise<null> {
  const now = asDate(room.clock.now())
  // not locked: a like locks its two members in the order of their ids, and would wait for a decision that waits for it
  const moderator = await knownMember(room, knownWho(asking))
  return act(room, asking, request, async (trx) => {
    const { entry, before, after, ...action } = await rule(trx, now)
    await store.insertAction(trx, {
      topic_id: null,
      post_id: null,
      member_id: null,
      reason: null,
      ...action,
      action_id: newId(),
      at: now,
      moderator_id: moderator.member_id,
    })
    return {
      answer: null,
      done: {
        action: entry.action,
        object: { kind: entry.kind, id: entry.id, name: action.object },
        before: before ?? null,
        after: { ...after, what: action.action },
        reason: action.reason ?? null,
      },
    }
  })
}

type PostDecision = CheckedInput<typeof moderatePostEndpoint>['body']

export async function moderatePost(room: ForumRoom, asking: Asking, postId: string, wish: PostDecision) {
  if (!isUuid(postId)) throw new Refusal(postNotFound)
  const missing = (field: string) => new Refusal(invalidInput, { fields: { [field]: { key: 'required' } } })
  const { action, reason = null } = wish
  if ((action === 'reject' || action === 'hide') && reason === null) throw missing('reason')
  if (action === 'edit' && (wish.body === undefined || !canBeSeen(wish.body))) throw missing('body')
  const request = { operation: 'moderate-post', input: { postId, wish } }
  return decide(room, asking, request, async (trx, now) => {
    const post = await store.lockPost(trx, postId)
    if (!post || post.state === 'deleted') throw new Refusal(postNotFound)
    const topic = (await store.lockTopic(trx, post.topic_id))!
    const isFirst = post.post_number === 1
    if (!statesBefore[action].includes(post.state)) throw new Refusal(alreadyDecided)
    // who decides about a text must have seen it
    if (wish.seen !== undefined && timeOf(wish.seen) !== timeOf(post.edited_at)) throw new Refusal(postChanged)

    const flagsBecome = action === 'take_up' ? 'wip' : becomesRight.includes(action) ? 'resolved' : 'rejected'
    const flags = await store.setFlags(trx, postId, flagsBecome, now)
    if (flags.length === 0 && (action === 'take_up' || action === 'dismiss')) throw new Refusal(alreadyDecided)
    const revision =
      action === 'edit' ? await replaceText(trx, post, topic.title, wish.body!, now, knownWho(asking)) : null
    let to: { state: store.PostRow['state']; topic_state: store.TopicRow['state'] } = {
      state: post.state as store.PostRow['state'],
      topic_state: topic.state,
    }
    if (action === 'hide' || action === 'reject') {
      to = { state: action === 'hide' ? 'hidden' : 'rejected', topic_state: isFirst ? 'hidden' : topic.state }
      await store.setPostState(trx, postId, to.state, reason)
      if (isFirst) await store.changeTopic(trx, topic.topic_id, { ...hiddenWithPost(topic), updated_at: now })
    } else if (action !== 'take_up' && post.state !== 'visible') {
      to = { state: 'visible', topic_state: isFirst && followsFirstPost(topic) ? 'visible' : topic.state }
      await show(room, trx, post, topic, now)
    }
    const appeals = to.state === 'visible' ? await closePostAppeals(room, trx, post, now) : []
    await store.countTopicPosts(trx, topic.topic_id)
    await showChange(room, trx, topic.topic_id, post.post_number)
    return {
      action: `post_${action}`,
      topic_id: topic.topic_id,
      post_id: postId,
      member_id: post.author_id,
      object: `${topic.title} #${post.post_number}`,
      reason,
      entry: { action: 'moderate-post', kind: 'post', id: postId },
      before: { state: post.state, reason: post.reason, topic_id: topic.topic_id, topic_state: topic.state, flags },
      // the text that was decided about, so that an undo brings back no other
      after: {
        ...to,
        revision,
        edited_at: revision === null ? post.edited_at : now,
        ...(appeals[0] ? { appeals } : {}),
      },
    }
  })
}

/** Of a column, or of what the log or a request says of it. */
export const timeOf = (value: unknown): number | null =>
  value == null ? null : new Date(value as string | Date).getTime()

/** Decisions that say that those who flagged were right. */
const becomesRight: string[] = ['hide', 'reject', 'edit']

export type LockedPost = NonNullable<Awaited<ReturnType<typeof store.lockPost>>>

const statesBefore: Record<PostDecision['action'], LockedPost['state'][]> = {
  approve: ['waiting'],
  edit: ['waiting', 'visible', 'hidden'],
  reject: ['waiting'],
  hide: ['visible', 'hidden'],
  restore: ['hidden', 'rejected'],
  take_up: ['visible', 'hidden', 'waiting'],
  dismiss: ['visible', 'hidden'],
}

/** Everybody who sees its topic sees it from now on; those who follow the topic are told as of a new post. */
async function show(room: ForumRoom, trx: Sql, post: LockedPost, topic: store.LockedTopic, now: Date) {
  await store.setPostState(trx, post.post_id, 'visible', null)
  const isFirst = post.post_number === 1
  if (isFirst && followsFirstPost(topic))
    await store.changeTopic(trx, post.topic_id, { state: 'visible', hidden_with_post: false, updated_at: now })
  else if (topic.state === 'hidden') return
  if (post.state !== 'waiting') return
  await tellOfPost(room, trx, post.post_id, {
    accountId: await store.accountOfMember(trx, post.author_id),
    topicId: post.topic_id,
    number: post.post_number,
    replyTo: null,
    read: readMarkdown(post.body),
  })
}

/** Answers the id of the revision that keeps what it said before. */
async function replaceText(trx: Sql, post: LockedPost, title: string, body: string, now: Date, who: Who) {
  const editor = (await store.findMember(trx, who.accountId))!
  const revision_id = newId()
  await store.insertRevision(trx, {
    revision_id,
    post_id: post.post_id,
    body: post.body,
    replaced_at: now,
    replaced_by: editor.member_id,
    is_public: false,
  })
  await store.closeHistory(trx, post.post_id)
  await writeText(trx, post, title, body, now)
  return revision_id
}

/** The post says this from now on. */
export async function writeText(trx: Sql, post: LockedPost, title: string, body: string, now: Date): Promise<void> {
  const read = await readPost(trx, body)
  await store.changePost(trx, post.post_id, {
    body,
    content: read.content,
    lang: post.lang,
    body_hash: hashOf(body),
    edited_at: now,
    title: post.post_number === 1 ? title : '',
    plain: read.plain,
  })
}

type MemberDecision = CheckedInput<typeof moderateMemberEndpoint>['body']

/** A ban holds until somebody takes it back. */
const forever = new Date('2200-01-01T00:00:00Z')

export async function moderateMember(room: ForumRoom, asking: Asking, handle: string, wish: MemberDecision) {
  const { action, hours = 24, reason = null } = wish
  if ((action === 'silence' || action === 'ban') && reason === null)
    throw new Refusal(invalidInput, { fields: { reason: { key: 'required' } } })
  const request = { operation: 'moderate-member', input: { handle, wish } }
  return decide(room, asking, request, async (trx, now) => {
    const found = await store.findMemberByHandle(trx, handle.toLowerCase())
    const member = found && (await store.lockMemberById(trx, found.member_id))
    if (!member) throw new Refusal(memberNotFound)
    if (isStaff(member.role)) throw new Refusal(staffProtected)
    const bars: Record<typeof action, { silenced_until?: Date | null; banned_until?: Date | null }> = {
      silence: { silenced_until: new Date(now.getTime() + hours * 3600 * 1000) },
      unsilence: { silenced_until: null },
      ban: { banned_until: forever },
      unban: { banned_until: null },
    }
    await store.setMemberBars(trx, member.member_id, bars[action])
    const bar = action === 'silence' || action === 'unsilence' ? 'silenced_until' : 'banned_until'
    const isLifted = action === 'unsilence' || action === 'unban'
    const appeals = isLifted ? await closeBarAppeals(room, trx, member.member_id, bar, now) : []
    return {
      action: `member_${action}`,
      member_id: member.member_id,
      object: member.display_name ?? handle,
      reason,
      entry: { action: 'moderate-member', kind: 'member', id: member.member_id },
      before: { [bar]: member[bar] },
      after: { [bar]: bars[action][bar] ?? null, ...(appeals[0] ? { appeals } : {}) },
    }
  })
}

/** Whether an entry about a post decided who sees it. One that hides a post again gives it another reason. */
export const decidesState = ({ before, after }: { before: unknown; after: unknown }) => {
  const [from, to] = [before, after] as Record<string, unknown>[]
  return from?.['state'] !== to?.['state'] || to?.['what'] === 'post_hide' || to?.['what'] === 'appeal_overturned'
}

/** What was decided after this instant, without what was undone. */
const decidedSince = (trx: Sql, at: Date, kind: 'post' | 'member', id: string, actions: string[]) =>
  changesSince(
    trx,
    { entry_id: 'ffffffff-ffff-ffff-ffff-ffffffffffff', at: at.toISOString(), object_kind: kind, object_id: id },
    actions,
  )

/**
 * Overturned: the post is there again, or waits where its author changed it since; or the person may write again. What was
 * decided anew since stays.
 */
export async function decideAppeal(
  room: ForumRoom,
  asking: Asking,
  actionId: string,
  decision: 'upheld' | 'overturned',
) {
  if (!isUuid(actionId)) throw new Refusal(appealNotFound)
  const request = { operation: 'decide-appeal', input: { actionId, decision } }
  return decide(room, asking, request, async (trx, now) => {
    // what it is about first, as every other decision about that does
    const about = await store.aboutOf(trx, actionId)
    if (about?.post_id) await store.lockPost(trx, about.post_id)
    else if (about?.member_id) await store.lockMemberById(trx, about.member_id)
    const settled = await store.settleAppeal(trx, actionId, decision, now)
    if (!settled) throw new Refusal(appealNotFound)
    await tellOfAppeals(room, trx, [actionId], now)
    const { action, at, post_id, topic_id, member_id, object } = settled
    if (decision === 'overturned' && post_id !== null) {
      const post = await store.lockPost(trx, post_id)
      const since = await decidedSince(trx, at, 'post', post_id, ['moderate-post', 'decide-appeal'])
      if (post && (post.state === 'hidden' || post.state === 'rejected') && !since.some(decidesState)) {
        const topic = (await store.lockTopic(trx, post.topic_id))!
        if (post.edited_at && post.edited_at > at) {
          await store.setPostState(trx, post_id, 'waiting', null)
          if (post.post_number === 1 && followsFirstPost(topic))
            await store.changeTopic(trx, post.topic_id, { state: 'waiting', hidden_with_post: false, updated_at: now })
        } else await show(room, trx, post, topic, now)
        await closePostAppeals(room, trx, post, now)
        await store.countTopicPosts(trx, post.topic_id)
        await showChange(room, trx, post.topic_id, post.post_number)
      }
    } else if (decision === 'overturned' && member_id !== null) {
      const bar = action === 'member_ban' ? 'banned_until' : 'silenced_until'
      const since = await decidedSince(trx, at, 'member', member_id, ['moderate-member'])
      if (!since.some((each) => bar in each.after)) {
        await store.setMemberBars(trx, member_id, { [bar]: null })
        await closeBarAppeals(room, trx, member_id, bar, now)
      }
    }
    return {
      action: `appeal_${decision}`,
      topic_id,
      post_id,
      member_id,
      object,
      entry: { action: 'decide-appeal', kind: post_id === null ? 'member' : 'post', id: post_id ?? member_id },
    }
  })
}
