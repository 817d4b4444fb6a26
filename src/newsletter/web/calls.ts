import { apiCall } from '../../kit/browser/asking.ts'
import { anything } from '../../kit/browser/reading.ts'
import type * as contract from '../contract.ts'

/** How screens ask the endpoints of this room; that they were accepted is enough. */
export const subscribeNewsletter = apiCall<typeof contract.subscribeNewsletter, null>('POST /api/newsletter', anything)
export const confirmNewsletter = apiCall<typeof contract.confirmNewsletter>('POST /api/newsletter/confirm', anything)
export const unsubscribeNewsletter = apiCall<typeof contract.unsubscribeNewsletter>(
  'POST /api/newsletter/unsubscribe',
  anything,
)
