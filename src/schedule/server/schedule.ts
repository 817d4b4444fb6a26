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
export { noteEventChange, tellChangesJob, tellEventChanges } from './event-changes.ts'
export { findShared, rotateFeed, share, unshare } from './links.ts'
export { personalFeed } from './personal-feed.ts'
export { plan } from './planning.ts'
export { tellDueReminders } from './reminders.ts'
export type { ScheduleRoom } from './room.ts'
export { countSavers } from './store.ts'
