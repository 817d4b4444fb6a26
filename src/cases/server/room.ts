import { addresseeOf } from '../../accounts/server/accounts.ts'
import type { DealRoom } from '../../deals/server/deals.ts'
import type { Jobs } from '../../kit/server/jobs.ts'
import type { Sql } from '../../kit/server/database.ts'
import type { House } from '../../kit/server/room.ts'
import type { Limiter } from '../../kit/server/limiter.ts'
import type { Texts } from '../../kit/server/serve-endpoint.ts'
import type { NotificationRoom } from '../../notifications/server/notifications.ts'

export interface CaseRoom extends DealRoom {
  jobs: Jobs
  texts: Texts
  limiter: Limiter
  notifications: NotificationRoom
  tell: House['tell']
  festivalName: string
  origin: string
}

/** An undo within this time leaves nothing to tell. */
export const tellAfterS = 20

/** Whether a mail can go to who is concerned. */
export async function isMailed(db: Sql, accountId: string | null | undefined): Promise<boolean> {
  return Boolean(accountId && (await addresseeOf(db, accountId)))
}
