import { reportReasons } from '../../brand/report-reasons.ts'
import { ownerOfBusiness } from '../../accounts/server/accounts.ts'
import { businessNames, lockSuspension, suspendedOf } from '../../businesses/server/businesses.ts'
import { dealFacts, dealNotFound } from '../../deals/contract.ts'
import { dealsByIds, dealsForStaff } from '../../deals/server/deals.ts'
import { hideDeal, showDeal } from '../../deals/server/hidden.ts'
import { asDate } from '../../kit/server/clock.ts'
import { alreadyDecided } from '../../forum/contract.ts'
import type { Sql } from '../../kit/server/database.ts'
import { newId } from '../../kit/server/ids.ts'
import { pageByTime, type Page } from '../../kit/server/page.ts'
import type { RequestContext, Caller } from '../../kit/server/serve-endpoint.ts'
import type { CheckedInput } from '../../kit/shared/endpoint.ts'
import { isUuid } from '../../kit/shared/input.ts'
import { Refusal, tooManyUntil } from '../../kit/shared/refusal.ts'
import type { MailKinds, QueuedMail } from '../../mail/server/mail.ts'
import { ratingsByIds, setRatingHidden, type RatingReport } from '../../ratings/server/ratings.ts'
import { dealPage, page } from '../../site-map.ts'
import {
  caseNotFound,
  notesShown,
  type decideReport as decideReportEndpoint,
  type listReports as listReportsEndpoint,
  type DecidedCase,
  type ReportCase,
  type reportDeal as reportDealEndpoint,
} from '../contract.ts'
import { reportDecisions } from '../policy.ts'
import { decide, type ModeratedThing } from './decide.ts'
import type { CaseRoom } from './room.ts'
import * as store from './store.ts'
import { composeSuspensionMail } from './suspensions.ts'
import { composeDecisionMail, canBeMailed, noticeDelayS, sendDecisionNotice } from './decision-notices.ts'

export const reportNoticeJob = 'tell-report'
/** Type of the merchant's notification; texts under `notices`. */
export const hiddenDealNotice = 'deal_hidden'

/** @throws `deal_not_found`, `too_many_requests` */
export async function reportDeal(
  room: CaseRoom,
  dealId: string,
  who: Caller,
  { why, note }: CheckedInput<typeof reportDealEndpoint>['body'],
): Promise<null> {
  const [deal] = await dealsByIds(room, [dealId])
  if (!deal) throw new Refusal(dealNotFound)
  const waitS = await room.limiter.take(who.accountId)
  if (waitS > 0) throw tooManyUntil(waitS)
  return room.db.transaction().execute(async (trx) => {
    await store.addReport(trx, newId(), {
      kind: 'deal',
      subjectId: deal.deal_id,
      businessId: deal.business_id,
      accountId: who.accountId,
      why: why ?? null,
      note: note?.trim() ? note : null,
      at: asDate(room.clock.now()),
      writtenAt: new Date(deal.updated_at),
    })
    return null
  })
}

/** Called by the room of ratings, where ratings are reported. */
export async function noteReportedRating(trx: Sql, { ratingId, ...report }: RatingReport): Promise<void> {
  await store.addReport(trx, newId(), { kind: 'rating', subjectId: ratingId, ...report })
}

/** Called when a rating is deleted: nothing is left to decide about. */
export const forgetRating = (trx: Sql, ratingId: string): Promise<void> => store.deleteCaseOf(trx, 'rating', ratingId)

/** Newest report first; open cases also oldest first. */
export const listReports = (
  { db }: CaseRoom,
  query: CheckedInput<typeof listReportsEndpoint>['query'],
): Promise<Page<ReportCase>> => {
  const isOpen = query.state !== 'decided'
  const isOldestFirst = isOpen && query.order === 'oldest'
  return pageByTime(
    query,
    {
      list: (stretch) => store.listCases(db, { isOpen, isOldestFirst }, stretch),
      count: (cap) => store.countCases(db, isOpen, cap),
      placeOf: ({ first_at, last_at, case_id }) => [isOldestFirst ? first_at : last_at, case_id],
    },
    (rows) => caseAnswers(db, rows),
  )
}

export const countOpenReports = (db: Sql, cap: number) => store.countCases(db, true, cap)

const stateAfter = { hide: 'hidden', dismiss: 'dismissed', restore: 'dismissed' } as const

/** @throws `report_not_found`, `already_decided`, `key_used` */
export async function decideReport(
  room: CaseRoom,
  asking: RequestContext,
  caseId: string,
  { decision, reason: given }: CheckedInput<typeof decideReportEndpoint>['body'],
): Promise<DecidedCase> {
  if (!isUuid(caseId)) throw new Refusal(caseNotFound)
  const reason = given?.trim() ? given : null
  const request = { operation: 'decide-report', input: { caseId, decision, reason } }
  return decide(room, asking, request, async (trx) => {
    const row = await store.lockCase(trx, caseId)
    if (!row) throw new Refusal(caseNotFound)
    if (!reportDecisions[row.state].includes(decision)) throw new Refusal(alreadyDecided)
    const to = stateAfter[decision]
    await setCaseState(room, trx, row, to, reason)
    const [answer] = await caseAnswers(trx, [{ ...row, state: to, reason, decided_at: room.clock.now().toString() }])
    const mailed = await canBeMailed(trx, await ownerOf(trx, row))
    return {
      answer: { ...answer!, mailed },
      done: {
        action: 'decide-report',
        object: { kind: row.kind, id: caseId, name: nameOf(answer!) },
        before: { state: row.state, reason: row.reason },
        after: { state: to, reason },
        reason,
      },
    }
  })
}

const nameOf = ({ deal_name, business_name }: ReportCase) => `${deal_name ?? '–'} (${business_name})`

export async function findReportedThing(room: CaseRoom, trx: Sql, caseId: string): Promise<ModeratedThing | null> {
  const row = await store.lockCase(trx, caseId)
  if (!row) return null
  const { state, reason } = row
  return {
    fields: { state, reason },
    putBack: (before) => {
      // Entries of earlier versions have no reason.
      const was = before as { state: store.CaseState; reason?: string | null }
      return setCaseState(room, trx, row, was.state, was.reason ?? null)
    },
  }
}

async function setCaseState(
  room: CaseRoom,
  trx: Sql,
  row: store.CaseRow,
  to: store.CaseState,
  reason: string | null,
): Promise<void> {
  const now = asDate(room.clock.now())
  const isHidden = to === 'hidden'
  if ((row.state === 'hidden') !== isHidden) {
    if (row.kind === 'rating') await setRatingHidden(trx, row.subject_id, isHidden, now)
    else if (isHidden) {
      await hideDeal(trx, row.subject_id, now)
      await room.publishFact(trx, dealFacts.hidden, { deal_id: row.subject_id, business_id: row.business_id })
    } else {
      const isMerchantShown = await isShown(trx, row.business_id)
      await showDeal(trx, { dealId: row.subject_id, businessId: row.business_id, isMerchantShown }, now)
    }
    await room.jobs.enqueue(trx, reportNoticeJob, { case_id: row.case_id }, noticeDelayS)
  }
  await store.storeCaseState(trx, row.case_id, { state: to, reason, at: now })
}

/** Whether the business is visible; locked, so that this cannot change until the end of the transaction. */
async function isShown(trx: Sql, businessId: string): Promise<boolean> {
  const business = await lockSuspension(trx, businessId)
  return business?.suspended_at === null && !business.is_leaving
}

/** Notifies the author of a rating by mail, and the merchant of a deal also in the bell: their address may be unconfirmed. */
export const sendReportNotice = (room: CaseRoom, caseId: string): Promise<void> =>
  sendDecisionNotice(room, async (trx) => {
    const row = await store.lockCase(trx, caseId)
    if (!row) return null
    const isHidden = row.state === 'hidden'
    const state = isHidden ? 'hidden' : 'restored'
    const [about] = await caseAnswers(trx, [row])
    return {
      isHidden,
      isNoticedHidden: row.told_hidden,
      markNoticed: () => store.markNoticed(trx, caseId, isHidden),
      accountId: await ownerOf(trx, row),
      notice:
        row.kind === 'deal'
          ? { type: hiddenDealNotice, about: 'deal', values: { state, deal: about?.deal_name ?? '–' } }
          : null,
      mail: { kind: 'report_news', data: { case: caseId, what: `${row.kind}_${state}` } },
    }
  })

export const { hiddenDealReasons } = store

/** Account of a deal's merchant or a rating's author; null: it is gone. */
async function ownerOf(db: Sql, row: store.CaseRow): Promise<string | null> {
  if (row.kind === 'deal') return (await ownerOfBusiness(db, row.business_id))?.account_id ?? null
  const [rating] = await ratingsByIds(db, [row.subject_id])
  return rating?.account_id ?? null
}

export function reportMails(room: CaseRoom): MailKinds {
  return {
    report_news: { compose: (mail) => compose(room, mail) },
    suspension_news: { compose: (mail) => composeSuspensionMail(room, mail) },
  }
}

async function compose(room: CaseRoom, mail: QueuedMail) {
  const row = await store.lockCase(room.db, mail.data['case'] ?? '')
  const [about] = row ? await caseAnswers(room.db, [row]) : []
  if (!row || !about) return null
  return composeDecisionMail(room, mail, {
    text: `report_${mail.data['what']}`,
    reason: row.reason,
    values: (kind) => ({ kind: kind === 'business' ? 'business' : 'visitor', deal: about.deal_name ?? '–' }),
    path: row.kind === 'deal' ? page.dashboard : about.deal_id ? dealPage(about.deal_id) : page.deals,
  })
}

async function caseAnswers(db: Sql, rows: store.CaseRow[]): Promise<ReportCase[]> {
  if (rows.length === 0) return []
  const ids = (kind: 'deal' | 'rating') => rows.filter((row) => row.kind === kind).map((row) => row.subject_id)
  const caseIds = rows.map(({ case_id }) => case_id)
  const businessIds = rows.map(({ business_id }) => business_id)
  const [reports, suspended, names, ratings] = await Promise.all([
    store.reportsOfCases(db, caseIds, 1000),
    suspendedOf(db, businessIds),
    // Also for cases whose deal is deleted.
    businessNames(db, businessIds),
    ratingsByIds(db, ids('rating')),
  ])
  const ratingOf = new Map(ratings.map((rating) => [rating.rating_id, rating]))
  const deals = await dealsForStaff(db, [...ids('deal'), ...ratings.map(({ deal_id }) => deal_id)])
  const dealOf = new Map(deals.map((deal) => [deal.deal_id, deal]))
  return rows.map(({ subject_id, told_hidden: _, ...row }) => {
    const rating = row.kind === 'rating' ? ratingOf.get(subject_id) : undefined
    const deal = dealOf.get(row.kind === 'deal' ? subject_id : (rating?.deal_id ?? ''))
    const own = reports.filter(({ case_id }) => case_id === row.case_id)
    return {
      ...row,
      deal_id: deal?.deal_id ?? null,
      deal_name: deal?.deal_name ?? null,
      business_name: deal?.business_name ?? names.get(row.business_id) ?? '',
      business_suspended: suspended.has(row.business_id),
      rating: rating ? { stars: rating.stars, comment: rating.comment, author_name: rating.author_name } : null,
      whys: reportReasons.flatMap((why) => {
        const count = own.filter((report) => report.why === why).length
        return count > 0 ? [{ why, count }] : []
      }),
      notes: own.flatMap(({ note }) => note ?? []).slice(0, notesShown),
    }
  })
}
