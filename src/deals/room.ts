import { categories } from '../brand/categories.ts'
import { asDate } from '../kit/server/clock.ts'
import type { Sql } from '../kit/server/database.ts'
import type { Room } from '../kit/server/room.ts'
import { dealPage, dealsPage, page } from '../site-map.ts'
import { views } from '../views/room.ts'
import { fillDemoDeals } from './demo/demo-deals.ts'
import { businessesWithDeals, listDealPages, type DealActivity } from './server/deals.ts'
import { pauseSurplus, type EditingRoom, type PausedDeals } from './server/editing.ts'
import { countedDeals, dealPersonalData } from './server/personal-data.ts'
import { dealOperations } from './server/routes.ts'
import { dealClicksOf, picturesShown } from './server/own-deals.ts'
import { businessFacts } from '../businesses/contract.ts'

declare module '../kit/server/room.ts' {
  interface RoomQuestions {
    /** Number of claims by deal; deals without claims may be left out. */
    claimsOfDeals: (db: Sql, dealIds: string[]) => Promise<Map<string, number>>
    /** Why staff hid deals, by deal; those that are not hidden, or without a reason, are left out. */
    hiddenDealReasons: (db: Sql, dealIds: string[]) => Promise<Map<string, string>>
    /** Called for each save, claim and redemption, in its transaction; for figures. */
    countsOfDeals: (trx: Sql, happened: DealActivity) => Promise<void>
    /** Called for deals beyond the places of a smaller tier, in the transaction that pauses them; for the mail. */
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
    async announcePaused(trx, paused) {
      for (const hear of answersTo('dealsPaused')) await hear(trx, paused)
    },
    claimsOf: async (by, ids) => (await answersTo('claimsOfDeals')[0]?.(by, ids)) ?? null,
    hiddenReasonsOf: async (by, ids) => (await answersTo('hiddenDealReasons')[0]?.(by, ids)) ?? new Map(),
  }),
  onFacts: (own) => ({
    // a smaller tier has fewer places: deals beyond them are paused
    [businessFacts.tierChanged]: ({ business_id }) => pauseSurplus(own, String(business_id)),
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
    personalData: dealPersonalData(own),
    countedPages: countedDeals,
    dealClicks: dealClicksOf,
    businessesInUse: businessesWithDeals,
    picturesShown,
  }),
}
