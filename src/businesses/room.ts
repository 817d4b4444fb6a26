import { accounts } from '../accounts/room.ts'
import type { Sql } from '../kit/server/database.ts'
import type { Room } from '../kit/server/room.ts'
import { businessPage, page } from '../site-map.ts'
import { staffAlone } from '../staff/contract.ts'
import { views } from '../views/room.ts'
import { signUpBusiness, type StatsTonight } from './contract.ts'
import { fillDemoBusinesses } from './demo/demo-businesses.ts'
import { fillOpenings, listBusinessPages, type BusinessFigures } from './server/businesses.ts'
import type { ProfileRoom } from './server/editing.ts'
import { fillImportedJob, merchantUndos, type MerchantImports } from './server/importing.ts'
import { countedBusinesses, businessPersonalData } from './server/personal-data.ts'
import { fetchLogo, fetchLogoJob, deleteUnusedPictures, retryLogos } from './server/pictures.ts'
import type { BusinessSignup, SignupRoom } from './server/signup.ts'
import { businessOperations } from './server/routes.ts'

declare module '../kit/server/room.ts' {
  interface RoomQuestions {
    /** Sales of a business by redemptions, in CHF. */
    sales: (db: Sql, businessId: string) => Promise<number>
    /** What a business redeemed tonight. */
    redeemedTonight: (db: Sql, businessId: string) => Promise<StatsTonight>
    /** How often the deals of a business were opened. */
    dealClicks: (db: Sql, businessId: string) => Promise<number>
    /** Of these pictures of merchants, given by path, those that the room shows. */
    picturesShown: (db: Sql, paths: string[]) => Promise<string[]>
    /** Called for a new business, in the transaction of its signup and before its account is made. */
    businessSignedUp: (trx: Sql, business: BusinessSignup) => Promise<void>
    /** Which of these businesses the room refers to, so that the undo of an import must not remove them. */
    businessesInUse: (trx: Sql, ids: string[]) => Promise<string[]>
    /** How many people saved any of these businesses. */
    countBusinessSavers: (trx: Sql, ids: string[]) => Promise<number>
  }
}

const desks = [{ key: 'merchants', path: page.adminMerchants, roles: staffAlone.roles, open: null }]

export const businesses: Room<ProfileRoom & BusinessFigures & SignupRoom & MerchantImports> = {
  name: 'businesses',
  looksInto: ['accounts', 'map', 'staff', 'views'],
  texts: ['importReport'],
  open: (house) => ({
    db: house.db,
    clock: house.clock,
    centre: house.site.centre,
    views: house.of(views),
    accounts: house.of(accounts),
    files: house.files,
    // asked at each call, because the rooms above open later
    sales: (db, businessId) => sumOf(house.answersTo('sales').map((ask) => ask(db, businessId))),
    tonight: async (db, businessId) => (await house.answersTo('redeemedTonight')[0]?.(db, businessId)) ?? null,
    dealClicks: (db, businessId) => sumOf(house.answersTo('dealClicks').map((ask) => ask(db, businessId))),
    outside: house.outside,
    festivalName: house.site.name,
    jobs: house.jobs,
    texts: house.texts,
    zone: house.site.zone,
    complain: house.complain,
    businessesInUse: async (trx, ids) =>
      (await Promise.all(house.answersTo('businessesInUse').map((ask) => ask(trx, ids)))).flat(),
    countBusinessSavers: (trx, ids) => sumOf(house.answersTo('countBusinessSavers').map((ask) => ask(trx, ids))),
    async signedUp(trx, business) {
      for (const answer of house.answersTo('businessSignedUp')) await answer(trx, business)
    },
  }),
  operations: (own, { texts }) => businessOperations(own, texts),
  jobs: (own, { jobs, answersTo }) => ({
    'fill-openings': { cron: '30 4 * * *', run: async () => void (await fillOpenings(own)) },
    [fillImportedJob]: { run: async () => void (await fillOpenings(own)) },
    [fetchLogoJob]: {
      run: ({ business_id, logo_url }) =>
        fetchLogo(own, { business_id: String(business_id), logo_url: String(logo_url) }),
    },
    'retry-logos': {
      cron: '0 5 * * *',
      run: async () => {
        for (const logo of await retryLogos(own)) await jobs.enqueue(own.db, fetchLogoJob, logo)
      },
    },
    'forget-pictures': { cron: '15 5 * * *', run: () => deleteUnusedPictures(own, answersTo('picturesShown')) },
  }),
  prepare: async (at) => void (await fillOpenings(at)),
  demo: fillDemoBusinesses,
  sitemap: ({ db }) => ({
    pages: [{ path: page.businesses }],
    shelves: {
      businesses: async (limit) =>
        (await listBusinessPages(db, limit)).map(({ id, updated_at }) => ({
          path: businessPage(id),
          changed: updated_at,
        })),
    },
  }),
  privatePages: [page.editBusiness],
  pageFiles: { [page.businessSignup]: signUpBusiness.files },
  answers: (own) => ({
    personalData: businessPersonalData(own.files),
    countedPages: countedBusinesses,
    staffUndos: merchantUndos(own),
    staffDesks: desks,
  }),
}

const sumOf = async (figures: Promise<number>[]) => (await Promise.all(figures)).reduce((sum, each) => sum + each, 0)
