import { flagKinds } from '../../forum/limits.ts'
import type * as forum from '../../forum/contract.ts'
import { author, category, nobody, post } from '../../forum/web/calls.ts'
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
import { pieces } from '../../kit/browser/read-pieces.ts'
import type { AnswerBody } from '../../kit/shared/endpoint.ts'
import type { Piece } from '../../kit/shared/rich-text.ts'
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

const flagStates = ['open', 'wip', 'resolved', 'rejected'] as const
export const listForumQueue = apiCall<
  typeof contract.listForumQueue,
  {
    post: forum.Post
    title: string
    category: forum.ForumCategory
    flags: {
      kind: (typeof forum.flagKinds)[number]
      note: string | null
      counts: boolean
      state: (typeof flagStates)[number]
      by: string | null
    }[]
  }[]
>(
  'GET /api/forum/moderation/queue',
  list(
    record({
      post: (value) => post(value),
      title: textOr('–'),
      category,
      flags: or(
        list(
          record({
            kind: oneOf(flagKinds, 'other'),
            note: text,
            counts: flagOr(false),
            state: oneOf(flagStates, 'open'),
            by: text,
          }),
        ),
        [],
      ),
    }),
  ),
)

type Appeal = AnswerBody<typeof contract.listForumAppeals>[number]
export const listForumAppeals = apiCall<
  typeof contract.listForumAppeals,
  (Omit<Appeal, 'content' | 'lang'> & { content: Piece[]; lang: string | null })[]
>(
  'GET /api/forum/moderation/appeals',
  list(
    record({
      action_id: needed,
      at: or(instant, '1970-01-01T00:00:00Z'),
      moderator: or(author, nobody),
      action: textOr(''),
      object: textOr('–'),
      member: or(author, null),
      reason: text,
      topic_id: text,
      post_id: text,
      post_number: number,
      appeal: textOr(''),
      appealed_at: or(instant, '1970-01-01T00:00:00Z'),
      body: text,
      content: or(pieces, []),
      lang: text,
      image_url: text,
      edited_at: instant,
    }),
  ),
)
export const decideAppeal = apiCall<typeof contract.decideAppeal>(
  'POST /api/forum/moderation/appeals/{action_id}',
  anything,
)
