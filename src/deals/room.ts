import { categories } from '../brand/categories.ts'
import { asDate } from '../kit/server/clock.ts'
import type { Sql } from '../kit/server/database.ts'
import type { Room } from '../kit/server/room.ts'
import { dealPage, dealsPage, page } from '../site-map.ts'
import { views } from '../views/room.ts'
import { fillDemoDeals } from './demo/demo-deals.ts'
import { listDealPages } from './server/deals.ts'
import { pauseSurplus, type EditingRoom, type PausedDeals } from './server/editing.ts'
import { countedDeals, keepsDeals } from './server/keeping.ts'
import { dealOperations } from './server/routes.ts'
import { dealClicksOf, picturesShown } from './server/own-deals.ts'
import type { DealHappening } from './server/deals.ts'

declare module '../kit/server/room.ts' {
  interface RoomQuestions {
    /** How many claims there are of each of these deals; deals without any may be left out. */
    claimsOfDeals: (db: Sql, dealIds: string[]) => Promise<Map<string, number>>
    /** Why staff hid these deals; of deals that are not hidden, and of hidden ones without a reason, nothing. */
    hiddenDealReasons: (db: Sql, dealIds: string[]) => Promise<Map<string, string>>
    /** Told of what visitors do with deals, in the transaction of it; for figures. */
    countsOfDeals: (trx: Sql, happened: DealHappening) => Promise<void>
    /** Told of deals that a smaller tier had no room for, in the transaction that pauses them; for their mail. */
    dealsPaused: (trx: Sql, paused: PausedDeals) => Promise<void>
  }
}

export const deals: Room<EditingRoom> = {
  name: 'deals',
  looksInto: ['accounts', 'businesses', 'events', 'map', 'places', 'views'],
  texts: ['dealNotices'],
  open: ({ db, clock, site, texts, publishFact, answersTo, of }) => ({
    db,
    clock,
    views: of(views),
    centre: site.centre,
    zone: site.zone,
    texts,
    publishFact,
    async tellPaused(trx, paused) {
      for (const hear of answersTo('dealsPaused')) await hear(trx, paused)
    },
    claimsOf: async (by, ids) => (await answersTo('claimsOfDeals')[0]?.(by, ids)) ?? null,
    hiddenReasonsOf: async (by, ids) => (await answersTo('hiddenDealReasons')[0]?.(by, ids)) ?? new Map(),
  }),
  onFacts: (own) => ({
    // whoever changes a tier tells so: what a smaller one has no room for is paused
    'tier-changed': ({ business_id }) => pauseSurplus(own, String(business_id)),
  }),
  operations: dealOperations,
  demo: fillDemoDeals,
  sitemap: ({ db, clock }) => ({
    pages: [
      { path: page.deals },
      ...categories.map((category) => ({ path: dealsPage({ category }) })),
      { path: page.dealsMap },
    ],
    shelves: {
      deals: async (limit) =>
        (await listDealPages(db, asDate(clock.now()), limit)).map(({ id, updated_at }) => ({
          path: dealPage(id),
          changed: updated_at,
        })),
    },
  }),
  privatePages: [page.createDeal, '/deal/*/edit$'],
  answers: (own) => ({
    personalData: keepsDeals(own),
    countedPages: countedDeals,
    dealClicks: dealClicksOf,
    picturesShown,
  }),
}
