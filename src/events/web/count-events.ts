import { apiCall } from '../../kit/browser/asking.ts'
import { anything } from '../../kit/browser/reading.ts'
import type * as contract from '../contract.ts'

/** For who wants to know only how many there are, which the answer's head says. */
export const countEvents = apiCall<typeof contract.listEvents, null>('GET /api/events', anything)
