import type { Clock } from '../../kit/server/clock.ts'
import type { Database, Sql } from '../../kit/server/database.ts'
import type { Jobs } from '../../kit/server/jobs.ts'
import type { Keyring } from '../../kit/server/keyring.ts'
import type { Limiter } from '../../kit/server/limiter.ts'
import type { House } from '../../kit/server/room.ts'
import type { LiveRoom } from '../../live/server/live.ts'
import type { NotificationRoom } from '../../notifications/server/notifications.ts'
import type { FileStore } from '../../kit/server/uploads.ts'
import type { Asking, Texts, Who } from '../../kit/server/serve-endpoint.ts'
import { knownWho } from '../../kit/server/serve-endpoint.ts'

export interface ForumRoom {
  db: Database
  clock: Clock
  keyring: Keyring
  jobs: Jobs
  files: FileStore
  texts: Texts
  /** Tells the rooms that listen what happened, in the transaction of the change. */
  publishFact: House['publishFact']
  live: LiveRoom
  notifications: NotificationRoom
  festivalName: string
  /** Of links in feeds. */
  origin: string
  limits: ForumLimits
  /** Tells the rooms above, in the transaction of it. */
  postDeleted: (trx: Sql, postId: string) => Promise<void>
}

export interface ForumLimits {
  likes: Limiter
  flags: Limiter
  /** Of posts and topics: what a post said before each is kept. */
  edits: Limiter
  images: Limiter
  /** Of reading as it counts for trust: nobody reads 20 posts in less. */
  reads: Limiter
}

export function forumLimits(limiter: House['limiter']): ForumLimits {
  return {
    likes: limiter({ name: 'forum-like', points: 200, durationS: 3600 }),
    flags: limiter({ name: 'forum-flag', points: 30, durationS: 3600 }),
    edits: limiter({ name: 'forum-edit', points: 60, durationS: 3600 }),
    images: limiter({ name: 'forum-image', points: 30, durationS: 3600 }),
    reads: limiter({ name: 'forum-read', points: 1, durationS: 20 }),
  }
}

/** Who writes, in which language they use the site. */
export interface Writer {
  who: Who
  locale: string
  /** The `Idempotency-Key` that came with it. */
  key: string | null
}

export const writerOf = (asking: Asking): Writer => ({
  who: knownWho(asking),
  locale: asking.locale,
  key: asking.idempotencyKey,
})
