import type { Room } from '../kit/server/room.ts'
import { fillDemoEvents } from './demo/demo-events.ts'
import { eventPage, page } from '../site-map.ts'
import { festivalDays, listEventPages, stepToEvent, type EventRoom } from './server/events.ts'
import { eventOperations } from './server/routes.ts'

export const events: Room<EventRoom> = {
  name: 'events',
  looksInto: ['map', 'views'],
  open: ({ db, clock, site }) => ({ db, clock, zone: site.zone, name: site.name }),
  operations: eventOperations,
  demo: fillDemoEvents,
  sitemap: ({ db }) => ({
    pages: [{ path: page.events }],
    shelves: {
      events: {
        list: async (from, limit) =>
          (await listEventPages(db, from, limit)).map(({ id, updated_at }) => ({
            path: eventPage(id),
            changed: updated_at,
          })),
        next: (from, steps) => stepToEvent(db, from, steps),
      },
    },
  }),
  answers: ({ db }) => ({ festivalDays: () => festivalDays(db) }),
}
