import type { Clock } from '../../kit/server/clock.ts'
import type { Database } from '../../kit/server/database.ts'
import type { Complain } from '../../kit/server/complaints.ts'
import type { Jobs } from '../../kit/server/jobs.ts'
import type { Outside } from '../../kit/server/outside.ts'
import type { Texts } from '../../kit/server/serve-endpoint.ts'
import type { LiveRoom } from '../../live/server/live.ts'
import type { Channel } from '../contract.ts'
import type { PushKeys } from './push-keys.ts'
import type { NotificationRow } from './store.ts'

/** A type of notification, as the room declares it that tells it. Its texts stand under `notices.<type>` in the catalogues. */
export interface NotificationType {
  /** Who gets it at all. */
  roles: readonly string[]
  /** How, unless the person chose otherwise. */
  channels: readonly Channel[]
  /** Minutes that its mail waits for more of the same; 0: leaves at once. */
  mailAfterMinutes: number
  /** Its text names people or quotes them: a push says `notices.<type>.push` instead. */
  isPrivate?: boolean
  /** Its room sends a mail of its own that everybody gets: none of ours comes beside it. */
  isMailedAnyway?: boolean
  /** Its pushes also arrive in the quiet hours. */
  isUrgent?: boolean
}

export interface NotificationRoom {
  db: Database
  clock: Clock
  jobs: Jobs
  live: LiveRoom
  complain: Complain
  outside: Outside
  pushKeys: PushKeys
  hasPush: boolean
  texts: Texts
  zone: string
  origin: string
  festivalName: string
  /** Of all rooms, by name. */
  types: Record<string, NotificationType>
}

/** In a language of the catalogues, with how many it stands for. */
export const textOf = ({ texts }: Pick<NotificationRoom, 'texts'>, row: NotificationRow, locale: string) =>
  texts.say(locale, `notices.${row.type}.text`, { ...row.values, count: row.count, locale })
