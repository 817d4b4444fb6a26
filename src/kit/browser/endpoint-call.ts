import type { AnyEndpoint } from '../shared/endpoint.ts'
import { callOf, type ReadableCall } from './answer-reader.ts'
import * as reading from './reading.ts'
import type { Read } from './reading.ts'
import { pieces } from './read-pieces.ts'

/**
 * Makes the call of an endpoint at run time. Only tests need it, as they run the sources: in a build,
 * `scripts/browser-contracts.ts` replaces contracts by calls, and this module by one that returns them.
 */
export const endpointCall = (endpoint: AnyEndpoint): ReadableCall<Read<unknown>> =>
  callOf<Read<unknown>>(endpoint, { ...reading, pieces })
