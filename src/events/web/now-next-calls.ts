import { apiCall } from '../../kit/browser/asking.ts'
import { list, or, record } from '../../kit/browser/reading.ts'
import type * as contract from '../contract.ts'
import { oneListed, stage } from './calls.ts'

/** Apart from the other calls, which the page of an event has too: only the list tells what is on. */

export const listNowNext = apiCall<typeof contract.listNowNext>(
  'GET /api/events/now-next',
  list(
    record<{ stage: contract.Stage; now: contract.ListedEvent | null; next: contract.ListedEvent | null }>({
      stage,
      now: or(oneListed, null),
      next: or(oneListed, null),
    }),
  ),
)
