import { randomInt } from 'node:crypto'
import type { Sql } from '../../kit/server/database.ts'
import { asDate } from '../../kit/server/clock.ts'
import { Refusal } from '../../kit/shared/refusal.ts'
import { slugOf } from '../../kit/shared/slug.ts'
import type { Caller } from '../../kit/server/serve-endpoint.ts'
import { businessSuspended } from '../../businesses/contract.ts'
import { isStaff } from '../../accounts/policy.ts'
import { isReservedName } from '../../accounts/server/accounts.ts'
import { findMerchant } from '../../businesses/server/merchant.ts'
import { hasRedeemed } from '../../redemptions/server/redemptions.ts'
import { isUuid } from '../../kit/shared/input.ts'
import { banned, memberNotFound, ownPost, postsPerPage, silenced, topicNotFound, type Author } from '../contract.ts'
import { levelOf } from '../policy.ts'
import { excerptOf } from './excerpt.ts'
import { postAnswer } from './answers.ts'
import { plainOf } from '../../kit/server/markdown.ts'
import type { ForumRoom } from './room.ts'
import * as store from './store.ts'

/** The member of an account, locked until the transaction ends. A first act makes the member, with a handle. */
export async function lockMember(
  { festivalName }: Pick<ForumRoom, 'festivalName'>,
  trx: Sql,
  accountId: string,
  now: Date,
): Promise<store.MemberRow> {
  const known = await store.lockMember(trx, accountId)
  if (known) return known
  await store.insertMember(trx, accountId, now)
  const made = (await store.lockMember(trx, accountId))!
  // a first act at the same moment has already finished this row; changing it again could deadlock
  if (made.handle !== null) return made
  // later redemptions come by a job
  made.has_redeemed = await hasRedeemed(trx, accountId)
  if (made.has_redeemed) await store.noteRedeemed(trx, accountId)
  const name = made.display_name ?? ''
  // the name may have been reserved after its owner took it
  const base = !isStaff(made.role) && (await isReservedName(trx, festivalName, name)) ? unnamed : handleBase(name)
  for (let tries = 0; ; tries++) {
    const handle = tries === 0 ? base : `${base}-${randomInt(10 ** Math.min(9, tries))}`
    if (await store.setHandle(trx, made.member_id, handle)) return { ...made, handle }
  }
}

/** The same without a lock. */
export async function findOrInsertMember(room: ForumRoom, who: Caller): Promise<store.MemberRow> {
  const { db, clock } = room
  const found = await store.findMember(db, who.accountId)
  return found ?? db.transaction().execute((trx) => lockMember(room, trx, who.accountId, asDate(clock.now())))
}

/** For example `lena-muster`. */
function handleBase(name: string): string {
  const slug = slugOf(name, 28)
  return slug.length >= 2 ? slug : unnamed
}

const unnamed = 'member'

/** @throws `silenced`, `banned` */
export function refuseIfBarred(member: store.MemberRow, now: Date): void {
  const { banned_until, silenced_until } = member
  if (banned_until && banned_until > now) throw new Refusal(banned)
  if (silenced_until && silenced_until > now)
    throw new Refusal(silenced, { retryAfterS: Math.ceil((silenced_until.getTime() - now.getTime()) / 1000) })
}

/** A suspended business does not write in the forum either (decision 50). @throws `business_suspended` */
export async function refuseIfSuspended(trx: Sql, { businessId }: Caller): Promise<void> {
  if (businessId !== null && (await findMerchant(trx, businessId))?.is_suspended) throw new Refusal(businessSuspended)
}

export async function getMember({ db, clock }: ForumRoom, handle: string) {
  const member = await store.findMemberByHandle(db, handle.toLowerCase())
  if (!member || member.display_name === null) throw new Refusal(memberNotFound)
  const latest = await store.latestOf(db, member.member_id, 10)
  return {
    ...authorOf(member),
    joined_at: member.joined_at.toISOString(),
    level: levelOf(member, asDate(clock.now())),
    post_count: member.topics_written + member.replies_written,
    likes_received: member.likes_received,
    latest: latest.map(({ content, ...post }) => ({ ...post, excerpt: excerptOf(plainOf(content), '') })),
  }
}

const authorOf = ({ member_id, handle, display_name, role }: store.MemberRow): Author => ({
  member_id,
  handle,
  name: display_name,
  role,
})

/** For moderators. @throws `member_not_found` */
export async function getMemberBars(room: ForumRoom, handle: string) {
  const { silenced_until, banned_until } = await memberByHandle(room, handle)
  const until = whileActive(asDate(room.clock.now()))
  return { silenced_until: until(silenced_until), banned_until: until(banned_until) }
}

/** The end of a silence or ban; null once it is over. */
const whileActive = (now: Date) => (moment: Date | null) => (moment && moment > now ? moment.toISOString() : null)

async function memberByHandle({ db }: ForumRoom, handle: string): Promise<store.MemberRow> {
  const member = await store.findMemberByHandle(db, handle.toLowerCase())
  if (!member) throw new Refusal(memberNotFound)
  return member
}

export async function blockMember(room: ForumRoom, who: Caller, handle: string): Promise<null> {
  const blocked = await memberByHandle(room, handle)
  const member = await findOrInsertMember(room, who)
  if (blocked.member_id === member.member_id) throw new Refusal(ownPost)
  await store.blockMember(room.db, member.member_id, blocked.member_id, asDate(room.clock.now()))
  return null
}

export async function unblockMember(room: ForumRoom, who: Caller, handle: string): Promise<null> {
  const blocked = await memberByHandle(room, handle)
  const member = await store.findMember(room.db, who.accountId)
  if (member) await store.unblockMember(room.db, member.member_id, blocked.member_id)
  return null
}

const readsShown = 200
const waitingShown = 20

export async function getMine({ db, clock }: ForumRoom, who: Caller) {
  const member = await store.findMember(db, who.accountId)
  const now = asDate(clock.now())
  const until = whileActive(now)
  const [blocked, read, waiting] = member
    ? await Promise.all([
        store.listBlockedMembers(db, member.member_id),
        store.latestReads(db, member.member_id, readsShown),
        store.waitingOf(db, member.member_id, waitingShown),
      ])
    : [[], [], []]
  return {
    member_id: member?.member_id ?? null,
    handle: member?.handle ?? null,
    level: member ? levelOf(member, now) : isStaff(who.role) ? 2 : 0,
    is_staff: isStaff(who.role),
    silenced_until: until(member?.silenced_until ?? null),
    banned_until: until(member?.banned_until ?? null),
    blocked: blocked as Author[],
    read,
    waiting,
  }
}

export async function getMineOfTopic(room: ForumRoom, who: Caller, topicId: string, page: number) {
  const { db } = room
  if (!isUuid(topicId) || !(await store.findTopic(db, topicId))) throw new Refusal(topicNotFound)
  const member = await store.findMember(db, who.accountId)
  if (!member) return { member_id: null, read_to: 0, mode: 'normal' as const, liked: [], unseen: [], blocked: [] }
  const { member_id } = member
  const [from, to] = [(page - 1) * postsPerPage + 1, page * postsPerPage]
  const [read, marks, posts] = await Promise.all([
    store.findRead(db, member_id, topicId),
    store.marksBetween(db, member_id, topicId, from, to),
    store.postsBetween(db, topicId, from, to, member_id),
  ])
  return {
    member_id,
    read_to: read?.read_to ?? 0,
    mode: read?.mode ?? ('normal' as const),
    ...marks,
    unseen: posts.map((post) => postAnswer(room, post, member_id)!),
  }
}

/** Stores how far a member has read. For trust at most one page every 20 seconds counts. @throws `topic_not_found` */
export async function readTopic(room: ForumRoom, who: Caller, topicId: string, postNumber: number): Promise<null> {
  const topic = isUuid(topicId) ? await store.findTopic(room.db, topicId) : undefined
  if (!topic || topic.state !== 'visible') throw new Refusal(topicNotFound)
  const member = await findOrInsertMember(room, who)
  const read_to = Math.min(postNumber, topic.last_number)
  const before = await store.noteRead(room.db, {
    member_id: member.member_id,
    topic_id: topic.topic_id,
    read_to,
    changed_at: asDate(room.clock.now()),
  })
  const read = Math.min(postsPerPage, read_to - before)
  if (read > 0 && (await room.limits.reads.take(member.member_id)) === 0)
    await store.addToCounter(room.db, member.member_id, 'posts_read', read)
  return null
}

export async function watchTopic(
  room: ForumRoom,
  who: Caller,
  topicId: string,
  mode: store.ReadRow['mode'],
): Promise<null> {
  const topic = isUuid(topicId) ? await store.findTopic(room.db, topicId) : undefined
  if (!topic || topic.state !== 'visible') throw new Refusal(topicNotFound)
  const { member_id } = await findOrInsertMember(room, who)
  await store.setMode(room.db, { member_id, topic_id: topic.topic_id, mode, changed_at: asDate(room.clock.now()) })
  return null
}
