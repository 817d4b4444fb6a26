import { knownWho, operation, type Operation } from '../../kit/server/serve-endpoint.ts'
import * as contract from '../contract.ts'
import * as favorites from './favorites.ts'

export function favoriteOperations(room: favorites.FavoriteRoom): Operation[] {
  return [
    operation(contract.listFavorites, ({ query }, asking) =>
      favorites.listFavorites(room, knownWho(asking).accountId, query),
    ),
    operation(contract.listFavoriteKeys, (_, asking) => favorites.listFavoriteKeys(room, knownWho(asking).accountId)),
    operation(contract.previewFavorites, ({ query }) => favorites.previewFavorites(room, query.keys ?? '')),
    operation(contract.saveFavorite, ({ params, query }, asking) =>
      favorites.saveFavorite(room, knownWho(asking).accountId, params, query.seconds_ago ?? 0),
    ),
    operation(contract.removeFavorite, ({ params, query }, asking) =>
      favorites.removeFavorite(room, knownWho(asking).accountId, params, query.seconds_ago ?? 0),
    ),
    operation(contract.mergeFavorites, ({ body }, asking) =>
      favorites.mergeFavorites(room, knownWho(asking).accountId, body.keys),
    ),
  ]
}
