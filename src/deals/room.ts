import { categories } from '../brand/categories.ts'
import { asDate } from '../kit/server/clock.ts'
import type { Room } from '../kit/server/room.ts'
import { dealPage, dealsPage, page } from '../site-map.ts'
import { fillDemoDeals } from './demo/demo-deals.ts'
import { listDealPages, stepToDeal, type DealRoom } from './server/deals.ts'
import { keepsDeals } from './server/keeping.ts'
import { dealOperations } from './server/routes.ts'

export const deals: Room<DealRoom> = {
  name: 'deals',
  looksInto: ['accounts', 'businesses', 'map', 'views'],
  open: ({ db, clock, site }) => ({ db, clock, centre: site.centre, zone: site.zone }),
  operations: dealOperations,
  demo: fillDemoDeals,
  sitemap: ({ db, clock }) => ({
    pages: [
      { path: page.deals },
      ...categories.map((category) => ({ path: dealsPage({ category }) })),
      { path: page.dealsMap },
    ],
    shelves: {
      deals: {
        list: async (from, limit) =>
          (await listDealPages(db, asDate(clock.now()), from, limit)).map(({ id, updated_at }) => ({
            path: dealPage(id),
            changed: updated_at,
          })),
        next: (from, steps) => stepToDeal(db, asDate(clock.now()), from, steps),
      },
    },
  }),
  answers: () => ({ personalData: keepsDeals, countedPages: ['deal'] }),
}
