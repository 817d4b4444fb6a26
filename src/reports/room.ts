import { deals } from '../deals/room.ts'
import type { Room } from '../kit/server/room.ts'
import { page } from '../site-map.ts'
import { reportsPerHour } from './contract.ts'
import { keepsReports } from './server/keeping.ts'
import { noteReportedRating, reportMails, reportUndos, tellJob, tellOfCase, type ReportRoom } from './server/reports.ts'
import { reportOperations } from './server/routes.ts'

/** What visitors report of deals and ratings, and what staff decide about it. */
export const reports: Room<ReportRoom> = {
  name: 'reports',
  looksInto: ['accounts', 'mail', 'staff', 'deals', 'ratings'],
  open: (house) => ({
    ...house.of(deals),
    jobs: house.jobs,
    texts: house.texts,
    festivalName: house.site.name,
    origin: house.site.origin,
    limiter: house.limiter({ name: 'reports', points: reportsPerHour, durationS: 3600 }),
  }),
  operations: reportOperations,
  jobs: (own) => ({ [tellJob]: { untilDone: true, run: ({ case_id }) => tellOfCase(own, String(case_id)) } }),
  privatePages: [page.adminReports],
  answers: (own) => ({
    personalData: keepsReports,
    mails: reportMails(own),
    staffUndos: reportUndos(own),
    ratingReported: noteReportedRating,
  }),
}
