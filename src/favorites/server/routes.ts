import { knownCaller, operation, type RequestContext, type Operation } from '../../kit/server/serve-endpoint.ts'
import * as contract from '../contract.ts'
import * as favorites from './favorites.ts'

export function favoriteOperations(room: favorites.FavoriteRoom): Operation[] {
  const own = (asking: RequestContext) => knownCaller(asking).accountId
  return [
    operation(contract.listFavorites, ({ query }, asking) => favorites.listFavorites(room, own(asking), query)),
    operation(contract.listFavoriteKeys, (_, asking) => favorites.listFavoriteKeys(room.db, own(asking))),
    operation(contract.previewFavorites, ({ query }) => favorites.previewFavorites(room, query.keys ?? '')),
    operation(contract.saveFavorite, ({ params, query }, asking) =>
      favorites.saveFavorite(room, own(asking), params, query.seconds_ago ?? 0),
    ),
    operation(contract.removeFavorite, ({ params, query }, asking) =>
      favorites.removeFavorite(room, own(asking), params, query.seconds_ago ?? 0),
    ),
    operation(contract.mergeFavorites, ({ body }, asking) => favorites.mergeFavorites(room, own(asking), body.keys)),
  ]
}
