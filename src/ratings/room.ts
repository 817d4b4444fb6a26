import type { Sql } from '../kit/server/database.ts'
import type { Room } from '../kit/server/room.ts'
import { ratingsPerHour, reportsPerHour } from './contract.ts'
import { fillDemoRatings } from './demo/demo-ratings.ts'
import { ratingPersonalData } from './server/personal-data.ts'
import { updateVerified, type RatingRoom, type RatingReport } from './server/ratings.ts'
import { ratingOperations } from './server/routes.ts'
import { dealFacts } from '../deals/contract.ts'

declare module '../kit/server/room.ts' {
  interface RoomQuestions {
    /** Called when a rating is reported, in the same transaction. */
    ratingReported: (trx: Sql, report: RatingReport) => Promise<void>
    /** Called when an author deletes a rating, in the same transaction. */
    ratingDeleted: (trx: Sql, ratingId: string) => Promise<void>
  }
}

export const ratings: Room<RatingRoom> = {
  name: 'ratings',
  looksInto: ['accounts', 'businesses', 'deals', 'redemptions'],
  open: ({ db, clock, limiter, answersTo }) => ({
    db,
    clock,
    // higher rooms open after this one, so look up their answers at each call
    async onReported(trx, report) {
      for (const call of answersTo('ratingReported')) await call(trx, report)
    },
    async onDeleted(trx, ratingId) {
      for (const call of answersTo('ratingDeleted')) await call(trx, ratingId)
    },
    limits: {
      ratings: limiter({ name: 'ratings', points: ratingsPerHour, durationS: 3600 }),
      reports: limiter({ name: 'rating-reports', points: reportsPerHour, durationS: 3600 }),
    },
  }),
  operations: ratingOperations,
  demo: fillDemoRatings,
  onFacts(own) {
    const note = ({ deal_id, account_id }: Record<string, unknown>) =>
      updateVerified(own, String(deal_id), String(account_id))
    return { [dealFacts.redeemed]: note, [dealFacts.redemptionUndone]: note }
  },
  answers: () => ({ personalData: ratingPersonalData }),
}
