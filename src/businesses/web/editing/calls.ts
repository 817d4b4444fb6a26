import { apiCall } from '../../../kit/browser/asking.ts'
import { anything, needed, record } from '../../../kit/browser/reading.ts'
import type * as editing from '../../contract/editing.ts'

/** What merchants alone ask, in a file of its own: visitors' pages need not load it. */

/** Any answer without an error is a success, as the specification reads it. */
export const updateBusiness = apiCall<typeof editing.updateBusiness, null>('PUT /api/business/{business_id}', anything)

export const uploadPicture = apiCall<typeof editing.uploadPicture>('POST /api/uploads', record({ url: needed }))
