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

/** Flags of members with trust level 1 or more that hide a post until moderators decide. */
export const flagsThatHide = 3

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
