import { dealTimes } from '../../deals/web/calls.ts'
import { apiCall } from '../../kit/browser/asking.ts'
import { instant, list, like, needed, number, oneOf, or, record, text, textOr } from '../../kit/browser/reading.ts'
import type * as contract from '../contract.ts'
import { kinds } from '../limits.ts'

/** Apart from the other calls, which every page has for its hearts: only lists ask what saved things are. */

const favorite = record<contract.Favorite>({
  kind: (value) => oneOf(kinds, null)(value) ?? undefined,
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
  times: or(record<NonNullable<contract.Favorite['times']>>(dealTimes), null),
})

export const listFavorites = apiCall<typeof contract.listFavorites>('GET /api/favorites', list(favorite))
export const previewFavorites = apiCall<typeof contract.previewFavorites>('GET /api/favorites/preview', list(favorite))
