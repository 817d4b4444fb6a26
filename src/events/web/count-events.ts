import type { ApiCall } from '../../kit/browser/ask.ts'
import { anything } from '../../kit/browser/reading.ts'
import type { listEvents } from '../contract.ts'

/** Asks for the number of events alone, which stands in the answer's header; the body is not read. */
export const countEvents: ApiCall<typeof listEvents, null> = { operation: 'GET /api/events', read: anything }
