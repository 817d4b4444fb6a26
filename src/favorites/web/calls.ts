import { apiCall } from '../../kit/browser/asking.ts'
import {
  anything,
  instant,
  list,
  like,
  needed,
  number,
  oneOf,
  or,
  record,
  text,
  textOr,
} from '../../kit/browser/reading.ts'
import type * as contract from '../contract.ts'

/** How screens ask the endpoints of this room, and how tolerantly they read the answers. */

const favorite = record<contract.Favorite>({
  kind: (value) => oneOf(['deal', 'business', 'performer'], null)(value) ?? undefined,
  id: needed,
  saved_at: instant,
  name: textOr('–'),
  by: text,
  category: textOr('other'),
  image_url: like(/^\/(?![/\\])/),
  event_id: text,
  state: oneOf(['live', 'starts', 'ended'], 'live'),
  starts_at: instant,
  ends_at: instant,
  live_deals: number,
})
const keys = record<{ keys: string[] }>({ keys: or(list(needed), []) })

export const listFavorites = apiCall<typeof contract.listFavorites>('GET /api/favorites', list(favorite))
export const previewFavorites = apiCall<typeof contract.previewFavorites>('GET /api/favorites/preview', list(favorite))
export const listFavoriteKeys = apiCall<typeof contract.listFavoriteKeys>('GET /api/favorites/keys', keys)
export const mergeFavorites = apiCall<typeof contract.mergeFavorites>('POST /api/favorites/merge', keys)
export const saveFavorite = apiCall<typeof contract.saveFavorite>('PUT /api/favorites/{kind}/{id}', anything)
export const removeFavorite = apiCall<typeof contract.removeFavorite>('DELETE /api/favorites/{kind}/{id}', anything)
