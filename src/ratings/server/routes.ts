import { knownCaller, operation, type Operation } from '../../kit/server/serve-endpoint.ts'
import * as contract from '../contract.ts'
import * as ratings from './ratings.ts'

export function ratingOperations(room: ratings.RatingRoom): Operation[] {
  return [
    operation(contract.listRatings, ({ params, query }, { who }) =>
      ratings.listRatings(room, params.deal_id, who, query),
    ),
    operation(contract.rateDeal, ({ params, body }, asking) =>
      ratings.rateDeal(room, params.deal_id, knownCaller(asking), body),
    ),
    operation(contract.deleteRating, ({ params }, asking) =>
      ratings.deleteRating(room, params.deal_id, knownCaller(asking)),
    ),
    operation(contract.replyToRating, ({ params, body }, asking) =>
      ratings.replyToRating(room, params.rating_id, knownCaller(asking), body.reply),
    ),
    operation(contract.reportRating, ({ params, body }, asking) =>
      ratings.reportRating(room, params.rating_id, knownCaller(asking), body),
    ),
    operation(contract.getBusinessRatings, ({ params }, { who }) =>
      ratings.findBusinessRatings(room, params.business_id, who),
    ),
  ]
}
