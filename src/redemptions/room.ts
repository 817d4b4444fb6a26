import { asDate } from '../kit/server/clock.ts'
import type { Room } from '../kit/server/room.ts'
import { page } from '../site-map.ts'
import { fillDemoRedemptions } from './demo/demo-redemptions.ts'
import {
  claimsOf,
  forgetClaims,
  keepsRedemptions,
  redemptionLimits,
  salesOf,
  tellFreed,
  type RedemptionRoom,
} from './server/redemptions.ts'
import { redemptionOperations } from './server/routes.ts'

export const redemptions: Room<RedemptionRoom> = {
  name: 'redemptions',
  looksInto: ['accounts', 'businesses', 'deals'],
  open: ({ db, clock, keyring, texts, publishFact, site, limiter, answersTo }) => ({
    db,
    clock,
    keyring,
    texts,
    publishFact,
    // the rooms above open later
    async count(trx, happened) {
      for (const count of answersTo('countsOfDeals')) await count(trx, happened)
    },
    zone: site.zone,
    limits: redemptionLimits(limiter),
  }),
  operations: redemptionOperations,
  jobs: (own) => ({
    'forget-claims': { cron: '50 4 * * *', run: () => forgetClaims(own.db, asDate(own.clock.now())) },
    'tell-freed-deals': { cron: '* * * * *', run: () => tellFreed(own) },
  }),
  demo: fillDemoRedemptions,
  privatePages: [page.myCodes, page.redeem],
  answers: () => ({ personalData: keepsRedemptions, sales: salesOf, claimsOfDeals: claimsOf }),
}
