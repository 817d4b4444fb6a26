import type { AnyEndpoint } from '../shared/endpoint.ts'
import { callOf, type ReadableCall } from './answer-reader.ts'
import * as reading from './reading.ts'
import type { Read } from './reading.ts'
import { pieces } from './read-pieces.ts'

/**
 * An endpoint as screens ask it. In built screens endpoints already are (`scripts/browser-contracts.ts` replaces contracts and
 * this module); tests run the sources, where it is made when it is asked for.
 */
export const endpointCall = (endpoint: AnyEndpoint): ReadableCall<Read<unknown>> =>
  callOf<Read<unknown>>(endpoint, { ...reading, pieces })
