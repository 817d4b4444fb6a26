import { deals } from '../deals/room.ts'
import { events } from '../events/room.ts'
import type { Room } from '../kit/server/room.ts'
import { page, sharedSchedulePage } from '../site-map.ts'
import { changesPerTenMinutes } from './contract.ts'
import { keepsSchedules } from './server/keeping.ts'
import { scheduleOperations } from './server/routes.ts'
import type { ScheduleRoom } from './server/schedule.ts'

export const schedule: Room<ScheduleRoom> = {
  name: 'schedule',
  looksInto: ['accounts', 'events', 'deals'],
  open: ({ db, clock, keyring, limiter, site, of }) => ({
    db,
    clock,
    keyring,
    site: { name: site.name, zone: site.zone },
    events: of(events),
    deals: of(deals),
    limiter: limiter({ name: 'schedule', points: changesPerTenMinutes, durationS: 600 }),
  }),
  operations: scheduleOperations,
  privatePages: [page.mySchedule, sharedSchedulePage('*')],
  answers: () => ({ personalData: keepsSchedules }),
}
