import type { Sql } from '../../kit/server/database.ts'
import type { House } from '../../kit/server/room.ts'
import type { LiveRoom } from '../../live/server/live.ts'
import type { NotificationRoom } from '../../notifications/server/notifications.ts'
import { knownCaller, type RequestContext, type Caller } from '../../kit/server/serve-endpoint.ts'

/** What the forum takes from the house as it is. */
export const fromHouse = ['db', 'clock', 'keyring', 'jobs', 'files', 'texts', 'publishFact'] as const

export interface ForumRoom extends Pick<House, (typeof fromHouse)[number]> {
  live: LiveRoom
  notifications: NotificationRoom
  festivalName: string
  /** For links in feeds. */
  origin: string
  limits: ReturnType<typeof forumLimits>
  /** Called in the transaction that deletes a post by its author. */
  postDeleted: (trx: Sql, postId: string) => Promise<void>
}

export function forumLimits(limiter: House['limiter']) {
  return {
    likes: limiter({ name: 'forum-like', points: 200, durationS: 3600 }),
    flags: limiter({ name: 'forum-flag', points: 30, durationS: 3600 }),
    // edits of posts and topics: each stores an earlier version
    edits: limiter({ name: 'forum-edit', points: 60, durationS: 3600 }),
    images: limiter({ name: 'forum-image', points: 30, durationS: 3600 }),
    // pages read that count towards trust
    reads: limiter({ name: 'forum-read', points: 1, durationS: 20 }),
  }
}

/** The request of somebody who writes. */
export interface Writer {
  who: Caller
  locale: string
  /** Header `Idempotency-Key`. */
  key: string | null
}

export const writerOf = (asking: RequestContext): Writer => ({
  who: knownCaller(asking),
  locale: asking.locale,
  key: asking.idempotencyKey,
})
