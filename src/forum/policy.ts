/** Who may do what in the forum; the server enforces it, the screens hide by it. */

/** What trust is measured by. */
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

export const isStaff = (role: string): boolean => role === 'moderator' || role === 'admin'

/**
 * Trust: 0 new; 1 with a verified e-mail and a redeemed deal or 30 posts read; 2 with three replies, a like given and one
 * received, and two days since joining. Staff are trusted.
 */
export function levelOf(of: Standing, now: Date): 0 | 1 | 2 {
  if (isStaff(of.role)) return 2
  if (!of.is_verified || !(of.has_redeemed || of.posts_read >= 30)) return 0
  const isRegular =
    of.replies_written >= 3 &&
    of.likes_given >= 1 &&
    of.likes_received >= 1 &&
    now.getTime() - of.joined_at.getTime() >= 2 * dayMs
  return isRegular ? 2 : 1
}

/** Of a new member's post. */
export const newMemberLimits = { links: 2, mentions: 2, topicsOnDayOne: 3, repliesOnDayOne: 10 }

/** At most `burst` at once, then one every `everyS` seconds; for everybody but staff. */
export const pace = { topic: { burst: 3, everyS: 120 }, reply: { burst: 5, everyS: 30 } }

export const isOnDayOne = (joinedAt: Date, now: Date): boolean => now.getTime() - joinedAt.getTime() < dayMs

/** Own posts can be edited for so long. */
export const editHours = 24

export const isEditable = (createdAt: Date, now: Date): boolean =>
  now.getTime() - createdAt.getTime() < editHours * 3600 * 1000

/** Flags that count, of people who did not come together, that hide a post until moderators decide. */
export const flagsThatHide = 3
/** Posts of one person that flags alone hide within an hour. */
export const hiddenByFlagsAnHour = 3

/**
 * Whether a flag counts towards hiding the post of this author. The flagger is staff, or has an account for two days, has redeemed
 * a deal or is a regular (having read 30 posts is not enough), and has no lower level than the author. Staff's posts are never
 * hidden by flags.
 */
export function flagCounts(flagger: Standing & { account_since: Date }, author: Standing, now: Date): boolean {
  if (isStaff(author.role)) return false
  if (isStaff(flagger.role)) return true
  const level = levelOf(flagger, now)
  const isKnown = level === 2 || (level === 1 && flagger.has_redeemed)
  return isKnown && now.getTime() - flagger.account_since.getTime() >= 2 * dayMs && level >= levelOf(author, now)
}

/**
 * How many groups these people form. Two belong together if their accounts were made within an hour of each other, or if `shared`
 * has their ids: they have logged in from the same network address. Who belongs to two groups makes them one.
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

/** The same text is refused for so long. */
export const sameTextMinutes = 5
/** A text that so many new members have sent within an hour waits for approval. */
export const sameTextByNewMembers = 2

/**
 * When the next post may come, for a pace kept by one moment (the generic cell rate algorithm): `next` is when it would
 * come if posts came evenly; it may lie ahead by the burst. Seconds to wait, or the moment to keep.
 */
export function paced(next: Date | null, now: Date, { burst, everyS }: { burst: number; everyS: number }) {
  const due = Math.max(next?.getTime() ?? 0, now.getTime()) + everyS * 1000
  const waitMs = due - now.getTime() - burst * everyS * 1000
  return waitMs > 0 ? { waitS: Math.ceil(waitMs / 1000), next: null } : { waitS: 0, next: new Date(due) }
}
