/** The room's only server door. */
export { keepsCases } from './keeping.ts'
export { countWaiting } from './queue.ts'
export {
  countOpenReports,
  forgetRating,
  hiddenDealReasons,
  hiddenNotice,
  noteReportedRating,
  reportMails,
  tellJob,
  tellOfCase,
} from './reports.ts'
export { type CaseRoom } from './room.ts'
export { appealNotice, closeAppealsJob, closeEndedAppeals, settleAppeals } from './settle-appeals.ts'
export { suspensionNotice, tellOfSuspension, tellSuspensionJob } from './suspensions.ts'
export { caseUndos } from './undo.ts'
