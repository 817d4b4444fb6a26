import { deals } from '../deals/room.ts'
import type { Room } from '../kit/server/room.ts'
import { notifications } from '../notifications/room.ts'
import type { NotificationType } from '../notifications/server/notifications.ts'
import { page } from '../site-map.ts'
import { staffAlone } from '../staff/contract.ts'
import { reportsPerHour } from './contract.ts'
import { keepsReports } from './server/keeping.ts'
import {
  countOpenReports,
  forgetRating,
  hiddenDealReasons,
  hiddenNotice,
  noteReportedRating,
  reportMails,
  reportUndos,
  tellJob,
  tellOfCase,
  type CountFans,
  type ReportRoom,
} from './server/reports.ts'
import { reportOperations } from './server/routes.ts'
import { suspensionNotice, suspensionUndos, tellOfSuspension, tellSuspensionJob } from './server/suspensions.ts'

declare module '../kit/server/room.ts' {
  interface RoomQuestions {
    countFans: CountFans
  }
}

const toMerchants = {
  roles: ['business'],
  channels: ['in_app', 'push'],
  mailAfterMinutes: 0,
  isMailedAnyway: true,
} satisfies NotificationType

/** What visitors report of deals and ratings, what staff decide about it, and which businesses they suspend. */
export const reports: Room<ReportRoom> = {
  name: 'reports',
  looksInto: ['accounts', 'mail', 'notifications', 'staff', 'businesses', 'deals', 'ratings'],
  open: (house) => ({
    ...house.of(deals),
    notifications: house.of(notifications),
    jobs: house.jobs,
    tell: house.tell,
    countFans: async (trx, of) => {
      const counts = await Promise.all(house.answersTo('countFans').map((count) => count(trx, of)))
      return Math.max(0, ...counts)
    },
    texts: house.texts,
    festivalName: house.site.name,
    origin: house.site.origin,
    limiter: house.limiter({ name: 'reports', points: reportsPerHour, durationS: 3600 }),
  }),
  operations: reportOperations,
  jobs: (own) => ({
    [tellJob]: { untilDone: true, run: ({ case_id }) => tellOfCase(own, String(case_id)) },
    [tellSuspensionJob]: { untilDone: true, run: ({ business_id }) => tellOfSuspension(own, String(business_id)) },
  }),
  privatePages: [page.adminReports],
  answers: (own) => ({
    staffDesks: [{ key: 'reports', path: page.adminReports, roles: staffAlone.roles, open: countOpenReports }],
    personalData: keepsReports,
    mails: reportMails(own),
    staffUndos: { ...reportUndos(own), ...suspensionUndos(own) },
    notificationTypes: { [suspensionNotice]: toMerchants, [hiddenNotice]: toMerchants },
    hiddenDealReasons,
    ratingReported: noteReportedRating,
    ratingDeleted: forgetRating,
  }),
}
