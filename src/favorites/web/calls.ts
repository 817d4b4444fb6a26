import { apiCall } from '../../kit/browser/asking.ts'
import { anything, list, needed, or, record } from '../../kit/browser/reading.ts'
import type * as contract from '../contract.ts'

/** How screens ask the endpoints of this room, and how tolerantly they read the answers. */

const keys = record<{ keys: string[] }>({ keys: or(list(needed), []) })

export const listFavoriteKeys = apiCall<typeof contract.listFavoriteKeys>('GET /api/favorites/keys', keys)
export const mergeFavorites = apiCall<typeof contract.mergeFavorites>('POST /api/favorites/merge', keys)
export const saveFavorite = apiCall<typeof contract.saveFavorite>('PUT /api/favorites/{kind}/{id}', anything)
export const removeFavorite = apiCall<typeof contract.removeFavorite>('DELETE /api/favorites/{kind}/{id}', anything)
