import type { Room } from '../kit/server/room.ts'
import { fillDemoEvents } from './demo/demo-events.ts'
import { notifications } from '../notifications/room.ts'
import { eventPage, page } from '../site-map.ts'
import { staffAlone } from '../staff/contract.ts'
import {
  eventUndos,
  festivalDays,
  deleteUnusedPictures,
  listEventPages,
  removeDeletedEvents,
  publishEventChanges,
  programmeWaits,
  readDueSources,
  eventChangesJob,
  type CountSavers,
  type EventRoom,
} from './server/events.ts'
import { eventOperations } from './server/routes.ts'

declare module '../kit/server/room.ts' {
  interface RoomQuestions {
    /** How many people have saved any of these events. */
    countSavers: CountSavers
  }
}

const desks = [{ key: 'events', path: page.adminEvents, roles: staffAlone.roles, open: null }]

export const events: Room<EventRoom> = {
  name: 'events',
  looksInto: ['accounts', 'businesses', 'map', 'notifications', 'places', 'staff', 'views'],
  texts: ['importReport'],
  open: ({ db, clock, site, jobs, files, texts, answersTo, complain, outside, of }) => ({
    db,
    clock,
    zone: site.zone,
    name: site.name,
    centre: site.centre,
    days: site.days ?? null,
    jobs,
    files,
    texts,
    countSavers: async (trx, eventIds) => {
      const counts = await Promise.all(answersTo('countSavers').map((count) => count(trx, eventIds)))
      return Math.max(0, ...counts)
    },
    complain,
    outside,
    notifications: of(notifications),
  }),
  jobs: (own, { publishFact }) => ({
    [eventChangesJob]: { run: ({ entry_id }) => publishEventChanges({ db: own.db, publishFact }, String(entry_id)) },
    'read-programme-sources': { cron: '* * * * *', run: () => readDueSources(own) },
    'forget-event-pictures': { cron: '55 4 * * *', run: () => deleteUnusedPictures(own) },
    'remove-deleted-events': { cron: '50 4 * * *', run: () => removeDeletedEvents(own) },
  }),
  operations: eventOperations,
  demo: fillDemoEvents,
  sitemap: ({ db }) => ({
    pages: [{ path: page.events }],
    shelves: {
      events: async (limit) =>
        (await listEventPages(db, limit)).map(({ id, updated_at }) => ({ path: eventPage(id), changed: updated_at })),
    },
  }),
  answers: (own) => ({
    festivalDays: () => festivalDays(own),
    staffUndos: eventUndos(own),
    staffDesks: desks,
    notificationTypes: {
      [programmeWaits]: { roles: staffAlone.roles, channels: ['in_app', 'email'], mailAfterMinutes: 0 },
    },
  }),
}
