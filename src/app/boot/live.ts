/** What pages follow once they are alive: one file, so that it is loaded at once and nothing of it comes with a page. */
export { followPushes } from '../../notifications/web/follow-pushes.ts'
export { followUnread } from '../../notifications/web/unread.ts'
export { followUrgent } from '../../urgent/web/follow-urgent.ts'
