/** The room's only server door. */
export {
  addEntry,
  changeEntry,
  forgetRemovals,
  importEvents,
  listSchedule,
  removeEntry,
  removeEvent,
} from './entries.ts'
export { dealsInGap } from './gap-deals.ts'
export { groupEventChanges, eventNoticesJob, sendEventNotices } from './event-notices.ts'
export { findShared, rotateFeed, share, unshare } from './links.ts'
export { personalFeed } from './personal-feed.ts'
export { plan } from './planning.ts'
export { sendDueReminders } from './reminders.ts'
export type { ScheduleRoom } from './room.ts'
export { countSavers } from './store.ts'
