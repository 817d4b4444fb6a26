import type { Room } from '../kit/server/room.ts'
import { pickedOf } from '../kit/shared/thing.ts'
import { live } from '../live/room.ts'
import { page } from '../site-map.ts'
import {
  forgetNotifications,
  notificationPersonalData,
  notificationMails,
  openPushKeys,
  queueDueMails,
  sealPushKeysAnew,
  sendDuePushes,
  sendPushesJob,
  type NotificationRoom,
  type NotificationType,
} from './server/notifications.ts'
import { fromHouse } from './server/room.ts'
import { notificationOperations } from './server/routes.ts'

declare module '../kit/server/room.ts' {
  interface RoomQuestions {
    /** Types of notifications that the room sends, by name; texts under `notices.<name>`. */
    notificationTypes: Record<string, NotificationType>
  }
  interface RoomSettings {
    notifications: {
      /** Contact for push services, `mailto:…` or https. */
      contact: string
      /** The operator's own VAPID keys, base64url; null: made at the first start. */
      keys: { publicKey: string; privateKey: string } | null
      /** False where the site has no service worker, without which browsers receive no pushes. */
      push: boolean
    }
  }
}

/** Notifications in the bell, by mail and by push, and each person's choice of channels. */
export const notifications: Room<NotificationRoom> = {
  name: 'notifications',
  looksInto: ['accounts', 'mail', 'live'],
  texts: ['notices'],
  open: async (house) => ({
    ...pickedOf(house, fromHouse),
    live: house.of(live),
    pushKeys: await openPushKeys(house),
    hasPush: house.settings.notifications.push,
    zone: house.site.zone,
    origin: house.site.origin,
    festivalName: house.site.name,
    // A getter: the rooms above, which declare types, open later.
    get types() {
      return Object.assign({}, ...house.answersTo('notificationTypes')) as Record<string, NotificationType>
    },
  }),
  operations: notificationOperations,
  sealAnew: ({ db, keyring }) => sealPushKeysAnew(db, keyring),
  jobs: (own) => ({
    'mail-notifications': { cron: '* * * * *', run: () => queueDueMails(own) },
    [sendPushesJob]: { cron: '* * * * *', run: () => sendDuePushes(own) },
    'forget-notifications': { cron: '35 4 * * *', run: () => forgetNotifications(own) },
  }),
  privatePages: [page.notifications],
  answers: (own) => ({ personalData: notificationPersonalData, mails: notificationMails(own) }),
}
