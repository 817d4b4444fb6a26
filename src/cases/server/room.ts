import type { DealRoom } from '../../deals/server/deals.ts'
import type { ForumRoom } from '../../forum/server/forum.ts'
import type { House } from '../../kit/server/room.ts'
import type { Jobs } from '../../kit/server/jobs.ts'
import type { Limiter } from '../../kit/server/limiter.ts'
import type { Texts } from '../../kit/server/serve-endpoint.ts'
import type { NotificationRoom } from '../../notifications/server/notifications.ts'

export interface CaseRoom extends DealRoom {
  forum: ForumRoom
  jobs: Jobs
  texts: Texts
  limiter: Limiter
  notifications: NotificationRoom
  publishFact: House['publishFact']
  festivalName: string
  origin: string
}
