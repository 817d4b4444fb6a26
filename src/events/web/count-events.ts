import type { ApiCall } from '../../kit/browser/asking.ts'
import { anything } from '../../kit/browser/reading.ts'
import type { listEvents } from '../contract.ts'

/** For who wants to know only how many there are, which the answer's head says. */
export const countEvents: ApiCall<typeof listEvents, null> = { operation: 'GET /api/events', read: anything }
