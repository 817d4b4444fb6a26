import { apiCall } from '../../kit/browser/asking.ts'
import {
  anything,
  flagOr,
  instant,
  list,
  needed,
  number,
  numberOr,
  oneOf,
  or,
  record,
  text,
  textOr,
} from '../../kit/browser/reading.ts'
import type { Reach } from '../../staff/contract.ts'
import { reach } from '../../staff/web/calls.ts'
import type * as contract from '../contract.ts'
import { reportReasons } from '../../brand/report-reasons.ts'

/** How screens ask the endpoints of this room, and how tolerantly they read the answers. */

const reportCase = record<contract.ReportCase>({
  case_id: needed,
  kind: oneOf(['deal', 'rating'], 'deal'),
  state: oneOf(['open', 'dismissed', 'hidden'], 'open'),
  deal_id: text,
  deal_name: text,
  business_id: textOr(''),
  business_name: textOr('–'),
  business_suspended: flagOr(false),
  rating: or(
    record<NonNullable<contract.ReportCase['rating']>>({ stars: numberOr(0), comment: text, author_name: text }),
    null,
  ),
  reports: numberOr(0),
  whys: or(
    list(
      record<contract.ReportCase['whys'][number]>({
        why: oneOf(reportReasons, 'other'),
        count: or(number, 0),
      }),
    ),
    [],
  ),
  notes: or(list(needed), []),
  first_at: or(instant, ''),
  last_at: or(instant, ''),
  decided_at: instant,
  reason: text,
})

export const listReports = apiCall<typeof contract.listReports>('GET /api/admin/reports', list(reportCase))
/** What a decision says of the mail; any answer without an error is a success. */
const mailed = record({ mailed: flagOr(true) })
export const decideReport = apiCall<typeof contract.decideReport, { mailed: boolean }>(
  'POST /api/admin/reports/{case_id}',
  mailed,
)
export const reportDeal = apiCall<typeof contract.reportDeal>('POST /api/deals/{deal_id}/report', anything)

const suspendedBusiness = record<contract.SuspendedBusiness>({
  business_id: needed,
  business_name: textOr('–'),
  suspended_at: instant,
  suspended_reason: text,
})
export const listSuspensions = apiCall<typeof contract.listSuspensions>(
  'GET /api/admin/suspensions',
  list(suspendedBusiness),
)
export const suspendBusiness = apiCall<typeof contract.suspendBusiness, { mailed: boolean; reach: Reach }>(
  'POST /api/admin/suspensions',
  record({ mailed: flagOr(true), reach }),
)
export const liftSuspension = apiCall<typeof contract.liftSuspension, { mailed: boolean }>(
  'POST /api/admin/suspensions/{business_id}/lift',
  mailed,
)
