import { deals } from '../deals/room.ts'
import { events } from '../events/room.ts'
import { eventChanged, type EventChange } from '../events/server/events.ts'
import type { Room } from '../kit/server/room.ts'
import { notifications } from '../notifications/room.ts'
import { page, sharedSchedulePage } from '../site-map.ts'
import { changesPerTenMinutes } from './contract.ts'
import { scheduleRoles } from './policy.ts'
import { schedulePersonalData } from './server/personal-data.ts'
import { scheduleOperations } from './server/routes.ts'
import {
  countSavers,
  forgetRemovals,
  groupEventChanges,
  eventNoticesJob,
  sendDueReminders,
  sendEventNotices,
  type ScheduleRoom,
} from './server/schedule.ts'

export const schedule: Room<ScheduleRoom> = {
  name: 'schedule',
  looksInto: ['accounts', 'notifications', 'events', 'deals'],
  open: ({ db, clock, jobs, keyring, limiter, site, of }) => ({
    db,
    clock,
    jobs,
    keyring,
    site: { name: site.name, zone: site.zone },
    events: of(events),
    deals: of(deals),
    notifications: of(notifications),
    limiter: limiter({ name: 'schedule', points: changesPerTenMinutes, durationS: 600 }),
  }),
  operations: scheduleOperations,
  jobs: (own) => ({
    'tell-due-reminders': { cron: '* * * * *', run: () => sendDueReminders(own) },
    'forget-schedule-removals': { cron: '40 4 * * *', run: () => forgetRemovals(own) },
    [eventNoticesJob]: { cron: '* * * * *', run: () => sendEventNotices(own) },
  }),
  onFacts: (own) => ({ [eventChanged]: (data) => groupEventChanges(own, data as unknown as EventChange) }),
  privatePages: [page.mySchedule, sharedSchedulePage('*')],
  answers: () => ({
    personalData: schedulePersonalData,
    countSavers,
    notificationTypes: {
      reminder: { roles: scheduleRoles, channels: ['in_app', 'push'], mailAfterMinutes: 0 },
      event_changed: { roles: scheduleRoles, channels: ['in_app', 'push'], mailAfterMinutes: 1 },
    },
  }),
}
