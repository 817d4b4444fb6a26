import { isStaff } from '../accounts/policy.ts'
import type { ForumCategory } from './limits.ts'

/** Who may do what in the forum; the server enforces it, the screens hide by it. */

/** A member's record, from which their trust level follows. */
export interface Standing {
  role: string
  is_verified: boolean
  joined_at: Date
  replies_written: number
  posts_read: number
  likes_given: number
  likes_received: number
  has_redeemed: boolean
}

const dayMs = 24 * 3600 * 1000

/**
 * Trust level. 0: new. 1: verified email, and a redeemed deal or 30 posts read. 2, a regular: also three replies, a like given, a like
 * received, and a member for two days. Staff have level 2.
 */
export function levelOf(member: Standing, now: Date): 0 | 1 | 2 {
  if (isStaff(member.role)) return 2
  if (!member.is_verified || !(member.has_redeemed || member.posts_read >= 30)) return 0
  const isRegular =
    member.replies_written >= 3 &&
    member.likes_given >= 1 &&
    member.likes_received >= 1 &&
    now.getTime() - member.joined_at.getTime() >= 2 * dayMs
  return isRegular ? 2 : 1
}

/** Only staff begin topics in these categories. */
export const staffCategories: readonly ForumCategory[] = ['announcements']
export const mayBeginTopicIn = (category: ForumCategory | null, byStaff: boolean): boolean =>
  byStaff || category === null || !staffCategories.includes(category)

/**
 * Everybody sees a visible topic. Staff also see hidden and waiting ones. Its author sees it while it waits or is hidden with its
 * first post; where a moderator hid the topic alone, the author has no post to appeal about.
 */
export function maySeeTopic(
  topic: { state: string; hidden_with_post: boolean },
  viewer: { role: string; isAuthor: boolean } | null,
): boolean {
  if (topic.state === 'visible') return true
  if (!viewer || topic.state === 'deleted' || topic.state === 'merged') return false
  return isStaff(viewer.role) || (viewer.isAuthor && (topic.state !== 'hidden' || topic.hidden_with_post))
}

/** Whether a decision about the first post also applies to the topic. A topic that a moderator hid alone needs its own restore. */
export const followsFirstPost = (topic: { state: string; hidden_with_post: boolean }): boolean =>
  topic.state === 'waiting' || (topic.state === 'hidden' && topic.hidden_with_post)

/** Locked topics: only staff reply, or change their own posts. */
export const mayWriteIn = (topic: { is_locked: boolean }, role: string): boolean => !topic.is_locked || isStaff(role)

/** Members edit and delete their own posts and topics, and like and flag those of others. */
export const isAuthorOf = (written: { author_id: string }, member: { member_id: string } | undefined): boolean =>
  written.author_id === member?.member_id

/** Limits for one post, and for the first day, of a new member. */
export const newMemberLimits = { links: 2, mentions: 2, topicsOnDayOne: 3, repliesOnDayOne: 10 }

/** Everybody but staff: `burst` posts at once, then one every `everyS` seconds. */
export const pace = { topic: { burst: 3, everyS: 120 }, reply: { burst: 5, everyS: 30 } }

export const isOnDayOne = (joinedAt: Date, now: Date): boolean => now.getTime() - joinedAt.getTime() < dayMs

/** Own posts can be edited for so many hours. */
export const editHours = 24

export const isEditable = (createdAt: Date, now: Date): boolean =>
  now.getTime() - createdAt.getTime() < editHours * 3600 * 1000

/** So many counting flags, by independent people, hide a post until moderators decide. */
export const flagsThatHide = 3
/** Flags hide at most so many posts of one author an hour. */
export const hiddenByFlagsAnHour = 3

/**
 * Whether a flag counts towards hiding the author's post. Flags of staff count. Others need an account that is two days old, a
 * redeemed deal or level 2 (30 posts read are not enough), and at least the author's level. Flags never hide posts of staff.
 */
export function flagCounts(flagger: Standing & { account_since: Date }, author: Standing, now: Date): boolean {
  if (isStaff(author.role)) return false
  if (isStaff(flagger.role)) return true
  const level = levelOf(flagger, now)
  const isKnown = level === 2 || (level === 1 && flagger.has_redeemed)
  return isKnown && now.getTime() - flagger.account_since.getTime() >= 2 * dayMs && level >= levelOf(author, now)
}

/**
 * The number of groups among these people. Two are in one group if they signed up within an hour of each other, or if `shared` pairs
 * their ids: they have logged in from the same network address. A member of two groups joins them.
 */
export function countGroups(
  people: { account_id: string; account_since: Date }[],
  shared: readonly (readonly [string, string])[],
): number {
  const groupOf = new Map(people.map(({ account_id }) => [account_id, account_id]))
  const join = (one: string, other: string) => {
    const [from, into] = [groupOf.get(one), groupOf.get(other)]
    if (from === undefined || into === undefined) return
    for (const [id, group] of groupOf) if (group === from) groupOf.set(id, into)
  }
  for (const [one, other] of shared) join(one, other)
  const byAge = people.toSorted((a, b) => a.account_since.getTime() - b.account_since.getTime())
  for (const [n, later] of byAge.slice(1).entries()) {
    const earlier = byAge[n]!
    if (later.account_since.getTime() - earlier.account_since.getTime() <= togetherMs)
      join(earlier.account_id, later.account_id)
  }
  return new Set(groupOf.values()).size
}
const togetherMs = 3600 * 1000

/** Members cannot post the same text again for so many minutes. */
export const sameTextMinutes = 5
/** A text waits for approval once so many other new members have sent it within an hour. */
export const sameTextByNewMembers = 2

/**
 * Limits posts to a pace, with one stored moment (generic cell rate algorithm): `next` is when the next post would come if
 * posts came evenly; it may lie ahead by the burst.
 * @returns seconds to wait; or 0 and the new `next`, to be stored
 */
export function paced(next: Date | null, now: Date, { burst, everyS }: { burst: number; everyS: number }) {
  const due = Math.max(next?.getTime() ?? 0, now.getTime()) + everyS * 1000
  const waitMs = due - now.getTime() - burst * everyS * 1000
  return waitMs > 0 ? { waitS: Math.ceil(waitMs / 1000), next: null } : { waitS: 0, next: new Date(due) }
}
