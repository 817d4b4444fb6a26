import type { Asking, Texts } from '../../kit/server/serve-endpoint.ts'
import type { From } from './room.ts'

/** What rules of accounts know of a call. */
export function fromOf({ locale, origin, requestId, visitor }: Asking, texts: Texts): From {
  return {
    locale,
    origin,
    requestId,
    address: visitor?.address ?? '',
    userAgent: visitor?.userAgent ?? '',
    fieldText: (key, values) => texts.field(locale, key, values),
  }
}
