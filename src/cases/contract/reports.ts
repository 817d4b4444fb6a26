import { z } from 'zod'
import { reportNoteLength, reportReasons } from '../../brand/report-reasons.ts'
import { businessNotFound } from '../../businesses/contract.ts'
import { dealNotFound } from '../../deals/contract.ts'
import { alreadyDecided } from '../../forum/contract.ts'
import { answerId, answerInstant, answerList, answerName, answerText } from '../../kit/shared/answer.ts'
import { endpoint } from '../../kit/shared/endpoint.ts'
import { absentWhenEmpty, pageQuery, pathId, queryChoice, fieldIssue, text } from '../../kit/shared/input.ts'
import { invalidInput, tooMany, type RefusalKind } from '../../kit/shared/refusal.ts'
import { confirming, keyUsed, reach, staffAlone, unconfirmed } from '../../staff/contract.ts'

/** For one account. */
export const reportsPerHour = 30
/** Notes of reporters that a case shows. */
export const notesShown = 10

export const caseNotFound = { code: 'report_not_found', status: 404 } as const satisfies RefusalKind

export const reportDeal = endpoint({
  method: 'POST',
  path: '/api/deals/{deal_id}/report',
  summary: 'Reports a deal to the festival; twice is once',
  tag: 'reports',
  params: z.object({ deal_id: pathId }),
  body: z.object({
    why: absentWhenEmpty(z.enum(reportReasons).optional()),
    note: absentWhenEmpty(text({ max: reportNoteLength }).optional()),
  }),
  // Staff too: what they find themselves becomes a case, with a reason and an undo.
  access: { roles: ['user', 'business', 'moderator', 'admin'] },
  answer: null,
  status: 204,
  refusals: [invalidInput, dealNotFound, tooMany],
})

export const reportCase = z
  .object({
    case_id: answerId,
    kind: z.enum(['deal', 'rating']).meta({ unread: 'deal' }),
    state: z.enum(['open', 'dismissed', 'hidden']).meta({ unread: 'open' }),
    deal_id: answerId.nullable(),
    deal_name: answerText(80).nullable().meta({ description: 'null: it is gone' }),
    business_id: answerId.meta({ unread: '' }),
    business_name: answerName(80),
    business_suspended: z.boolean(),
    rating: z
      .object({
        stars: z.number().int(),
        comment: answerText(500).nullable(),
        author_name: answerText(80).nullable(),
      })
      .nullable(),
    reports: z.number().int(),
    whys: answerList(
      z.object({ why: z.enum(reportReasons).meta({ unread: 'other' }), count: z.number().int() }),
      reportReasons.length,
    ),
    notes: answerList(answerText(reportNoteLength), notesShown),
    first_at: answerInstant,
    last_at: answerInstant,
    decided_at: answerInstant.nullable(),
    reason: answerText(500).nullable(),
  })
  .meta({ id: 'ReportCase' })
export type ReportCase = z.infer<typeof reportCase>

const mailed = {
  mailed: z.boolean().meta({ unread: true, description: 'a mail can go: the account has a confirmed address' }),
}
const decidedCase = z.object({ ...reportCase.shape, ...mailed }).meta({ id: 'DecidedReportCase' })
export type DecidedCase = z.infer<typeof decidedCase>

export const listReports = endpoint({
  method: 'GET',
  path: '/api/admin/reports',
  summary: 'What was reported: open cases, or decided ones; the last reported first',
  tag: 'reports',
  query: z.object({
    state: queryChoice(['open', 'decided']),
    order: queryChoice(['latest', 'oldest']).meta({
      description: 'oldest: open cases, the one that was reported first first',
    }),
    ...pageQuery,
  }),
  access: staffAlone,
  answer: answerList(reportCase, 100),
  paged: true,
  refusals: [invalidInput],
})

export const decideReport = endpoint({
  method: 'POST',
  path: '/api/admin/reports/{case_id}',
  summary: 'Hides what was reported, leaves it, or brings it back; the author is told after 20 s',
  tag: 'reports',
  params: z.object({ case_id: pathId }),
  body: z
    .object({
      decision: z.enum(['hide', 'dismiss', 'restore']),
      reason: absentWhenEmpty(text({ max: 500 }).optional()).meta({
        description: 'read by the author; required to hide',
      }),
    })
    .superRefine(({ decision, reason }, ctx) => {
      if (decision === 'hide' && !reason?.trim()) ctx.addIssue({ ...fieldIssue('required'), path: ['reason'] })
    }),
  access: staffAlone,
  staff: { action: 'decide-report', inverse: true },
  idempotent: true,
  answer: decidedCase,
  refusals: [invalidInput, caseNotFound, alreadyDecided, keyUsed],
})

export const suspendedBusiness = z
  .object({
    business_id: answerId,
    business_name: answerName(80),
    suspended_at: answerInstant.nullable().meta({ description: 'null: it is not suspended any more' }),
    suspended_reason: answerText(500).nullable(),
  })
  .meta({ id: 'SuspendedBusiness' })
export type SuspendedBusiness = z.infer<typeof suspendedBusiness>
const decidedSuspension = z.object({ ...suspendedBusiness.shape, ...mailed, reach }).meta({ id: 'DecidedSuspension' })
export type DecidedSuspension = z.infer<typeof decidedSuspension>

export const listSuspensions = endpoint({
  method: 'GET',
  path: '/api/admin/suspensions',
  summary: 'Suspended businesses, the last one first',
  tag: 'reports',
  query: z.object(pageQuery),
  access: staffAlone,
  answer: answerList(suspendedBusiness, 100),
  paged: true,
  refusals: [invalidInput],
})

export const suspendBusiness = endpoint({
  method: 'POST',
  path: '/api/admin/suspensions',
  summary:
    'Suspends a business: its page, deals and paid places are gone for everybody else; its merchant is told after 20 s',
  tag: 'reports',
  body: z.object({ business_id: z.string().max(36), reason: text({ min: 1, max: 500 }), ...confirming }),
  access: staffAlone,
  staff: { action: 'suspend-business', inverse: true },
  idempotent: true,
  answer: decidedSuspension,
  refusals: [invalidInput, businessNotFound, alreadyDecided, unconfirmed, keyUsed],
})

export const liftSuspension = endpoint({
  method: 'POST',
  path: '/api/admin/suspensions/{business_id}/lift',
  summary: 'Lifts a suspension: all is as before; the merchant is told after 20 s',
  tag: 'reports',
  params: z.object({ business_id: pathId }),
  access: staffAlone,
  staff: { action: 'lift-suspension', inverse: true },
  idempotent: true,
  answer: decidedSuspension,
  refusals: [businessNotFound, alreadyDecided, keyUsed],
})
