import type { DealRoom } from '../../deals/server/deals.ts'
import type { ForumRoom } from '../../forum/server/forum.ts'
import type { House } from '../../kit/server/room.ts'
import type { Limiter } from '../../kit/server/limiter.ts'
import type { NotificationRoom } from '../../notifications/server/notifications.ts'

export interface CaseRoom extends DealRoom, Pick<House, 'jobs' | 'texts' | 'publishFact'> {
  forum: ForumRoom
  limiter: Limiter
  notifications: NotificationRoom
  festivalName: string
  origin: string
}
