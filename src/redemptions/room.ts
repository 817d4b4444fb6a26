import { asDate } from '../kit/server/clock.ts'
import type { Room } from '../kit/server/room.ts'
import { page } from '../site-map.ts'
import { fillDemoRedemptions } from './demo/demo-redemptions.ts'
import {
  countClaimsOf,
  forgetClaims,
  redemptionPersonalData,
  redemptionLimits,
  salesOf,
  statsOfTonight,
  publishFreedDeals,
  type RedemptionRoom,
} from './server/redemptions.ts'
import { redemptionOperations } from './server/routes.ts'

export const redemptions: Room<RedemptionRoom> = {
  name: 'redemptions',
  looksInto: ['accounts', 'businesses', 'deals'],
  open: ({ db, clock, keyring, publishFact, site, limiter, answersTo }) => ({
    db,
    clock,
    keyring,
    publishFact,
    // the rooms above open later, so they are looked up at each call
    async countDealActivity(trx, activity) {
      for (const count of answersTo('countsOfDeals')) await count(trx, activity)
    },
    zone: site.zone,
    limits: redemptionLimits(limiter),
  }),
  operations: redemptionOperations,
  jobs: (own) => ({
    'forget-claims': { cron: '50 4 * * *', run: () => forgetClaims(own.db, asDate(own.clock.now())) },
    'tell-freed-deals': { cron: '* * * * *', run: () => publishFreedDeals(own) },
  }),
  demo: fillDemoRedemptions,
  privatePages: [page.myCodes, page.redeem],
  answers: (own) => ({
    personalData: redemptionPersonalData,
    sales: salesOf,
    redeemedTonight: (_, businessId) => statsOfTonight(own, businessId),
    claimsOfDeals: countClaimsOf,
  }),
}
