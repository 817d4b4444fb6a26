import { deals } from '../deals/room.ts'
import { forum } from '../forum/room.ts'
import type { Room } from '../kit/server/room.ts'
import { notifications } from '../notifications/room.ts'
import type { NotificationType } from '../notifications/server/notifications.ts'
import { page } from '../site-map.ts'
import { staffAlone } from '../staff/contract.ts'
import { reportsPerHour } from './contract.ts'
import { casePersonalData } from './server/personal-data.ts'
import { countWaiting } from './server/queue.ts'
import {
  countOpenReports,
  forgetRating,
  hiddenDealReasons,
  hiddenDealNotice,
  noteReportedRating,
  reportMails,
  reportNoticeJob,
  sendReportNotice,
} from './server/reports.ts'
import type { CaseRoom } from './server/room.ts'
import { caseOperations } from './server/routes.ts'
import { appealNotice, closeAppealsJob, closeEndedAppeals, settleAppeals } from './server/settle-appeals.ts'
import { suspensionNotice, sendSuspensionNotice, suspensionNoticeJob } from './server/suspensions.ts'
import { caseUndos, finalDecisions } from './server/undo.ts'

const toMerchants = {
  roles: ['business'],
  channels: ['in_app', 'push'],
  mailAfterMinutes: 0,
  isMailedAnyway: true,
} satisfies NotificationType

const toAuthors = {
  roles: ['user', 'business', 'moderator', 'admin'],
  channels: ['in_app'],
  mailAfterMinutes: 10,
  isPrivate: true,
} satisfies NotificationType

/** Reports, moderation, appeals, and suspended businesses. */
export const cases: Room<CaseRoom> = {
  name: 'cases',
  looksInto: ['accounts', 'mail', 'notifications', 'staff', 'businesses', 'deals', 'ratings', 'favorites', 'forum'],
  open: (house) => ({
    ...house.of(deals),
    forum: house.of(forum),
    notifications: house.of(notifications),
    jobs: house.jobs,
    publishFact: house.publishFact,
    texts: house.texts,
    festivalName: house.site.name,
    origin: house.site.origin,
    limiter: house.limiter({ name: 'reports', points: reportsPerHour, durationS: 3600 }),
  }),
  operations: caseOperations,
  jobs: (own) => ({
    [reportNoticeJob]: { untilDone: true, run: ({ case_id }) => sendReportNotice(own, String(case_id)) },
    [suspensionNoticeJob]: {
      untilDone: true,
      run: ({ business_id }) => sendSuspensionNotice(own, String(business_id)),
    },
    [closeAppealsJob]: { cron: '*/5 * * * *', run: () => closeEndedAppeals(own) },
  }),
  privatePages: [page.adminReports],
  answers: (own) => ({
    staffDesks: [
      { key: 'reports', path: page.adminReports, roles: staffAlone.roles, open: countOpenReports },
      { key: 'moderation', path: page.moderation, roles: staffAlone.roles, open: countWaiting },
    ],
    personalData: casePersonalData,
    mails: reportMails(own),
    staffUndos: caseUndos(own),
    finalEntries: finalDecisions,
    notificationTypes: { [appealNotice]: toAuthors, [suspensionNotice]: toMerchants, [hiddenDealNotice]: toMerchants },
    hiddenDealReasons,
    ratingReported: noteReportedRating,
    ratingDeleted: forgetRating,
    postDeleted: (trx, id) => settleAppeals(own, trx, { kind: 'post', id }, null),
  }),
}
