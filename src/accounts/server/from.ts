import type { Asking } from '../../kit/server/serve-endpoint.ts'
import type { From } from './room.ts'

/** The part of a request that rules of accounts need. */
export function fromOf({ locale, origin, requestId, visitor }: Asking): From {
  return {
    locale,
    origin,
    requestId,
    address: visitor?.address ?? '',
    userAgent: visitor?.userAgent ?? '',
  }
}
