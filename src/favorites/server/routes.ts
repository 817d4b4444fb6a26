import { knownWho, operation, type Operation } from '../../kit/server/serve-endpoint.ts'
import * as contract from '../contract.ts'
import { keysOf, listFavorites, merge, preview, remove, save, type FavoriteRoom } from './favorites.ts'

export function favoriteOperations(room: FavoriteRoom): Operation[] {
  return [
    operation(contract.listFavorites, ({ query }, asking) => listFavorites(room, knownWho(asking).accountId, query)),
    operation(contract.listFavoriteKeys, (_, asking) => keysOf(room.db, knownWho(asking).accountId)),
    operation(contract.previewFavorites, ({ query }) => preview(room, query.keys ?? '')),
    operation(contract.saveFavorite, ({ params, query }, asking) =>
      save(room, knownWho(asking).accountId, params, query.seconds_ago ?? 0),
    ),
    operation(contract.removeFavorite, ({ params, query }, asking) =>
      remove(room, knownWho(asking).accountId, params, query.seconds_ago ?? 0),
    ),
    operation(contract.mergeFavorites, ({ body }, asking) => merge(room, knownWho(asking).accountId, body.keys)),
  ]
}
