import type { House } from '../../kit/server/room.ts'
import type { LiveRoom } from '../../live/server/live.ts'
import type { Channel } from '../contract.ts'
import type { PushKeys } from './push-keys.ts'
import type { NotificationContent } from './store.ts'

/** A type of notification, declared by the room that sends it. Texts: `notices.<type>` in `messages/`. */
export interface NotificationType {
  /** Only these roles get it and can set its channels. */
  roles: readonly string[]
  /** Default; each person can choose others. */
  channels: readonly Channel[]
  /** Minutes that its mail waits, so that several notifications share one; 0: sent at once. */
  mailAfterMinutes: number
  /** Its text names or quotes people, so a push, which a lock screen shows, has the text `notices.<type>.push` instead. */
  isPrivate?: boolean
  /** Its room sends its own mail to everybody, so this room sends none. */
  isMailedAnyway?: boolean
  /** Its pushes ignore quiet hours. */
  isUrgent?: boolean
}

/** What the room takes from the house as it is. */
export const fromHouse = ['db', 'clock', 'jobs', 'complain', 'outside', 'texts'] as const

export interface NotificationRoom extends Pick<House, (typeof fromHouse)[number]> {
  live: LiveRoom
  pushKeys: PushKeys
  hasPush: boolean
  zone: string
  origin: string
  festivalName: string
  /** By name; all rooms together. */
  types: Record<string, NotificationType>
}

/** Text of a notification in this language. */
export const textOf = ({ texts }: Pick<NotificationRoom, 'texts'>, content: NotificationContent, locale: string) =>
  texts.say(locale, `notices.${content.type}.text`, { ...content.values, count: content.count, locale })
