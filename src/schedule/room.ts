import { deals } from '../deals/room.ts'
import { eventChanged, type EventChanged } from '../events/contract.ts'
import { events } from '../events/room.ts'
import type { Room } from '../kit/server/room.ts'
import { notifications } from '../notifications/room.ts'
import { page, sharedSchedulePage } from '../site-map.ts'
import { changesPerTenMinutes } from './contract.ts'
import { keepsSchedules } from './server/keeping.ts'
import { scheduleOperations } from './server/routes.ts'
import {
  countSavers,
  forgetRemovals,
  noteEventChange,
  tellChangesJob,
  tellDueReminders,
  tellEventChanges,
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
    'tell-due-reminders': { cron: '* * * * *', run: () => tellDueReminders(own) },
    'forget-schedule-removals': { cron: '40 4 * * *', run: () => forgetRemovals(own) },
    [tellChangesJob]: { cron: '* * * * *', run: () => tellEventChanges(own) },
  }),
  onFacts: (own) => ({ [eventChanged]: (data) => noteEventChange(own, data as unknown as EventChanged) }),
  privatePages: [page.mySchedule, sharedSchedulePage('*')],
  answers: () => ({
    personalData: keepsSchedules,
    countSavers,
    notificationTypes: {
      reminder: { roles: ['user', 'moderator', 'admin'], channels: ['in_app', 'push'], mailAfterMinutes: 0 },
      event_changed: { roles: ['user', 'moderator', 'admin'], channels: ['in_app', 'push'], mailAfterMinutes: 1 },
    },
  }),
}
