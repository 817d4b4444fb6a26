import type { Room } from '../kit/server/room.ts'
import { ratingsPerHour, reportsPerHour } from './contract.ts'
import { fillDemoRatings } from './demo/demo-ratings.ts'
import { keepsRatings } from './server/keeping.ts'
import { noteRedeemed, type RatingRoom } from './server/ratings.ts'
import { ratingOperations } from './server/routes.ts'

export const ratings: Room<RatingRoom> = {
  name: 'ratings',
  looksInto: ['accounts', 'businesses', 'deals', 'redemptions'],
  open: ({ db, clock, limiter }) => ({
    db,
    clock,
    limits: {
      ratings: limiter({ name: 'ratings', points: ratingsPerHour, durationS: 3600 }),
      reports: limiter({ name: 'rating-reports', points: reportsPerHour, durationS: 3600 }),
    },
  }),
  operations: ratingOperations,
  demo: fillDemoRatings,
  hears(own) {
    const note = ({ deal_id, account_id }: Record<string, unknown>) =>
      noteRedeemed(own, String(deal_id), String(account_id))
    return { 'deal-redeemed': note, 'redemption-undone': note }
  },
  answers: () => ({ personalData: keepsRatings }),
}
