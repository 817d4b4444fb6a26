import type { DealRoom } from '../../deals/server/deals.ts'
import type { EventRoom } from '../../events/server/events.ts'
import type { Clock } from '../../kit/server/clock.ts'
import type { Database } from '../../kit/server/database.ts'
import type { Jobs } from '../../kit/server/jobs.ts'
import type { Keyring } from '../../kit/server/keyring.ts'
import type { Limiter } from '../../kit/server/limiter.ts'
import type { Caller } from '../../kit/server/serve-endpoint.ts'
import type { NotificationRoom } from '../../notifications/server/notifications.ts'
import { tooManyUntil } from '../../kit/shared/refusal.ts'

export interface ScheduleRoom {
  db: Database
  clock: Clock
  jobs: Jobs
  keyring: Keyring
  events: EventRoom
  deals: DealRoom
  notifications: NotificationRoom
  /** Limits changes by one person. */
  limiter: Limiter
  site: { name: string; zone: string }
}

/** @throws `too_many_requests` */
export async function refuseTooManyChanges({ limiter }: ScheduleRoom, who: Caller): Promise<void> {
  const waitS = await limiter.take(who.accountId)
  if (waitS > 0) throw tooManyUntil(waitS)
}
