import { apiCall } from '../../kit/browser/asking.ts'
import { list, numberOr, or, record } from '../../kit/browser/reading.ts'
import type * as contract from '../contract.ts'
import { oneListed, venue } from './calls.ts'

/** Apart from the other calls, as the map alone asks it. */
export const listVenuesNow = apiCall<typeof contract.listVenuesNow>(
  'GET /api/events/venues',
  list(
    record<contract.VenueNow>({
      venue,
      now: or(oneListed, null),
      next: or(oneListed, null),
      distance_km: numberOr(0),
    }),
  ),
)
