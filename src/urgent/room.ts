import type { Room } from '../kit/server/room.ts'
import { live } from '../live/room.ts'
import { notifications } from '../notifications/room.ts'
import { page } from '../site-map.ts'
import { staffAlone } from '../staff/contract.ts'
import { urgentChannel } from './contract.ts'
import { urgentBanner } from './server/banner.ts'
import { urgentOperations } from './server/routes.ts'
import {
  countShown,
  pushJob,
  pushUrgent,
  urgentUndos,
  withdrawJob,
  withdrawUrgent,
  type UrgentRoom,
} from './server/urgent.ts'

declare module '../kit/server/room.ts' {
  interface RoomQuestions {
    /** HTML at the top of every page in a language; empty: nothing. Called once a second. */
    pageBanner: (locale: string) => Promise<string>
  }
}

/** Notices of staff to everybody at once: storm, evacuation, a closed venue. */
export const urgent: Room<UrgentRoom> = {
  name: 'urgent',
  looksInto: ['accounts', 'live', 'notifications', 'staff'],
  texts: ['urgent'],
  open: ({ db, clock, jobs, texts, site, of }) => ({
    db,
    clock,
    jobs,
    texts,
    zone: site.zone,
    live: of(live),
    notifications: of(notifications),
  }),
  operations: urgentOperations,
  jobs: (own) => ({
    [pushJob]: { run: ({ notice_id }) => pushUrgent(own, String(notice_id)) },
    [withdrawJob]: { run: ({ notice_id }) => withdrawUrgent(own, String(notice_id)) },
  }),
  answers: (own) => ({
    publicChannels: [urgentChannel],
    staffUndos: urgentUndos(own),
    staffDesks: [
      {
        key: 'urgent',
        path: page.adminUrgent,
        roles: staffAlone.roles,
        open: (db, cap) => countShown(db, own.clock, cap),
      },
    ],
    pageBanner: (locale) => urgentBanner(own, locale),
    notificationTypes: {
      urgent: {
        roles: ['user', 'business', 'moderator', 'admin'],
        channels: ['in_app', 'push'],
        mailAfterMinutes: 0,
        isUrgent: true,
      },
    },
  }),
}
