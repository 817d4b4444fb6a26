import type { Asking } from '../../kit/server/serve-endpoint.ts'
import type { From } from './room.ts'

/** What rules of accounts know of a call. */
export function fromOf({ locale, origin, requestId, visitor }: Asking): From {
  return {
    locale,
    origin,
    requestId,
    address: visitor?.address ?? '',
    userAgent: visitor?.userAgent ?? '',
  }
}
