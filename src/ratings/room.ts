import type { Sql } from '../kit/server/database.ts'
import type { Room } from '../kit/server/room.ts'
import { ratingsPerHour, reportsPerHour } from './contract.ts'
import { fillDemoRatings } from './demo/demo-ratings.ts'
import { keepsRatings } from './server/keeping.ts'
import { noteRedeemed, type RatingRoom, type Reported } from './server/ratings.ts'
import { ratingOperations } from './server/routes.ts'

declare module '../kit/server/room.ts' {
  interface RoomQuestions {
    /** Told of a rating that somebody reported, in the transaction of it. */
    ratingReported: (trx: Sql, reported: Reported) => Promise<void>
    /** Told of a rating that its author deleted, in the transaction of it. */
    ratingDeleted: (trx: Sql, ratingId: string) => Promise<void>
  }
}

export const ratings: Room<RatingRoom> = {
  name: 'ratings',
  looksInto: ['accounts', 'businesses', 'deals', 'redemptions'],
  open: ({ db, clock, limiter, answersTo }) => ({
    db,
    clock,
    // the room above opens later
    async reported(trx, reported) {
      for (const tell of answersTo('ratingReported')) await tell(trx, reported)
    },
    async deleted(trx, ratingId) {
      for (const tell of answersTo('ratingDeleted')) await tell(trx, ratingId)
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
      noteRedeemed(own, String(deal_id), String(account_id))
    return { 'deal-redeemed': note, 'redemption-undone': note }
  },
  answers: () => ({ personalData: keepsRatings }),
}
