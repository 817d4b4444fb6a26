import { reportReasons } from '../../brand/report-reasons.ts'
import { addresseeOf, ownerOfBusiness } from '../../accounts/server/accounts.ts'
import { businessNames, lockSuspension, suspendedOf } from '../../businesses/server/businesses.ts'
import { dealNotFound } from '../../deals/contract.ts'
import { dealsByIds, dealsForStaff } from '../../deals/server/deals.ts'
import { hideDeal, showDeal } from '../../deals/server/hidden.ts'
import { asDate } from '../../kit/server/clock.ts'
import { cursorOf, writeCursor } from '../../kit/server/cursor.ts'
import type { Sql } from '../../kit/server/database.ts'
import { newId } from '../../kit/server/ids.ts'
import { Page, totalUpTo } from '../../kit/server/page.ts'
import type { Asking, Who } from '../../kit/server/serve-endpoint.ts'
import type { CheckedInput } from '../../kit/shared/endpoint.ts'
import { defaultPageSize, isUuid, totalCap } from '../../kit/shared/input.ts'
import { Refusal, tooManyUntil } from '../../kit/shared/refusal.ts'
import { notify } from '../../notifications/server/notifications.ts'
import { queueMail, type MailKinds, type QueuedMail } from '../../mail/server/mail.ts'
import { ratingsForStaff, setRatingHidden, type Reported } from '../../ratings/server/ratings.ts'
import { act, changesSince, type Undo } from '../../staff/server/staff.ts'
import { dealPage, page } from '../../site-map.ts'
import {
  alreadyDecided,
  caseNotFound,
  notesShown,
  type decideReport as decideReportEndpoint,
  type listReports as listReportsEndpoint,
  type DecidedCase,
  type ReportCase,
  type reportDeal as reportDealEndpoint,
} from '../contract.ts'
import { isMailed, tellAfterS, type CaseRoom } from './room.ts'
import * as store from './store.ts'
import { composeSuspensionMail } from './suspensions.ts'

export type { CaseRoom } from './room.ts'

export const tellJob = 'tell-report'
/** Notification of the merchant; texts under `notices`. */
export const hiddenNotice = 'deal_hidden'

/** Throws `deal_not_found`, `too_many_requests`. */
export async function reportDeal(
  room: CaseRoom,
  dealId: string,
  who: Who,
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

/** A rating was reported in its room. */
export async function noteReportedRating(
  trx: Sql,
  { ratingId, businessId, accountId, why, note, at, writtenAt }: Reported,
): Promise<void> {
  await store.addReport(trx, newId(), {
    kind: 'rating',
    subjectId: ratingId,
    businessId,
    accountId,
    why,
    note,
    at,
    writtenAt,
  })
}

/** What was reported is gone, and there is nothing left to decide about it. */
export const forgetRating = (trx: Sql, ratingId: string): Promise<void> => store.deleteCaseOf(trx, 'rating', ratingId)

/** The last reported first, or the first ones first. */
export async function listReports(
  { db }: CaseRoom,
  query: CheckedInput<typeof listReportsEndpoint>['query'],
): Promise<Page<ReportCase>> {
  const limit = query.limit ?? defaultPageSize
  const isOpen = query.state !== 'decided'
  const isOldestFirst = isOpen && query.order === 'oldest'
  const after = cursorOf(query.after, ['instant', 'id'])
  const [rows, total] = await Promise.all([
    store.listCases(db, {
      isOpen,
      isOldestFirst,
      after: after && { at: after[0], id: after[1] },
      offset: query.offset ?? 0,
      limit: limit + 1,
    }),
    store.countCases(db, isOpen, totalCap + 1),
  ])
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return new Page(
    await caseAnswers(db, shown),
    totalUpTo(total),
    rows.length > limit && last ? writeCursor([isOldestFirst ? last.first_at : last.last_at, last.case_id]) : null,
  )
}

export const countOpenReports = (db: Sql, cap: number) => store.countCases(db, true, cap)

const becomes = { hide: 'hidden', dismiss: 'dismissed', restore: 'dismissed' } as const

/** Throws `report_not_found`, `already_decided`, `key_used`. */
export async function decideReport(
  room: CaseRoom,
  asking: Asking,
  caseId: string,
  { decision, reason: said }: CheckedInput<typeof decideReportEndpoint>['body'],
): Promise<DecidedCase> {
  if (!isUuid(caseId)) throw new Refusal(caseNotFound)
  const reason = said?.trim() ? said : null
  const request = { operation: 'decide-report', input: { caseId, decision, reason } }
  return act(room, asking, request, async (trx) => {
    const row = await store.lockCase(trx, caseId)
    if (!row) throw new Refusal(caseNotFound)
    const to = becomes[decision]
    const isMeant = { hide: row.state !== 'hidden', dismiss: row.state === 'open', restore: row.state === 'hidden' }[
      decision
    ]
    if (!isMeant) throw new Refusal(alreadyDecided)
    await move(room, trx, row, to, reason)
    const [answer] = await caseAnswers(trx, [{ ...row, state: to, reason, decided_at: room.clock.now().toString() }])
    const mailed = await isMailed(trx, await concerned(trx, row))
    return {
      answer: { ...answer!, mailed },
      done: {
        action: 'decide-report',
        object: { kind: row.kind, id: caseId, name: nameOf(answer!) },
        before: { state: row.state, reason: row.reason },
        after: { state: to },
        reason,
      },
    }
  })
}

const nameOf = ({ deal_name, business_name }: ReportCase) => `${deal_name ?? '–'} (${business_name})`

/** What staff may take back: a decision, where nobody has decided otherwise since. */
export function reportUndos(room: CaseRoom): Record<string, Undo> {
  return {
    async 'decide-report'(trx, entry) {
      const { object_id, before, after } = entry
      const row = object_id === null ? undefined : await store.lockCase(trx, object_id)
      if (!row || row.state !== after?.['state']) return null
      if ((await changesSince(trx, entry)).length > 0) return null
      // entries of earlier versions do not name the reason
      const was = before as { state: store.CaseState; reason?: string | null }
      await move(room, trx, row, was.state, was.reason ?? null)
      return { kept: [] }
    },
  }
}

async function move(
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
      await room.tell(trx, 'deal-hidden', { deal_id: row.subject_id, business_id: row.business_id })
    } else {
      const isMerchantShown = await isShown(trx, row.business_id)
      await showDeal(trx, { dealId: row.subject_id, businessId: row.business_id, isMerchantShown }, now)
    }
    await room.jobs.enqueue(trx, tellJob, { case_id: row.case_id }, tellAfterS)
  }
  await store.setState(trx, row.case_id, { state: to, reason, at: now })
}

/** Nobody hides the business or shows it again until the end of the transaction. */
async function isShown(trx: Sql, businessId: string): Promise<boolean> {
  const business = await lockSuspension(trx, businessId)
  return business?.suspended_at === null && !business.is_leaving
}

/** Tells who is concerned once that something was hidden, and once that it is back. What was undone meanwhile is not told. */
export async function tellOfCase(room: CaseRoom, caseId: string): Promise<void> {
  await room.db.transaction().execute(async (trx) => {
    const row = await store.lockCase(trx, caseId)
    const isHidden = row?.state === 'hidden'
    if (!row || row.told_hidden === isHidden) return
    await store.setTold(trx, caseId, isHidden)
    const accountId = await concerned(trx, row)
    if (!accountId) return
    if (row.kind === 'deal') await ringFor(room, trx, row, accountId)
    const to = await addresseeOf(trx, accountId)
    if (!to) return
    const data = { case: caseId, what: `${row.kind}_${isHidden ? 'hidden' : 'restored'}` }
    const { origin } = room
    await queueMail(room, trx, { kind: 'report_news', accountId, locale: to.language, origin, data })
  })
}

/** For merchants whose address is not confirmed, it is all that tells them. */
async function ringFor(room: CaseRoom, trx: Sql, row: store.CaseRow, accountId: string): Promise<void> {
  const [about] = await caseAnswers(trx, [row])
  await notify(room.notifications, trx, {
    type: hiddenNotice,
    accountIds: [accountId],
    once: `reports:deal:${newId()}`,
    values: { state: row.state === 'hidden' ? 'hidden' : 'restored', deal: about?.deal_name ?? '–' },
    path: page.dashboard,
  })
}

/** Why staff hid these deals, where they are hidden after a report. */
export const { hiddenDealReasons } = store

/** The account of the merchant of a deal, of the author of a rating; null where there is none. */
async function concerned(db: Sql, row: store.CaseRow): Promise<string | null> {
  if (row.kind === 'deal') return (await ownerOfBusiness(db, row.business_id))?.account_id ?? null
  const [rating] = await ratingsForStaff(db, [row.subject_id])
  return rating?.account_id ?? null
}

export function reportMails(room: CaseRoom): MailKinds {
  return {
    report_news: { compose: (mail) => compose(room, mail) },
    suspension_news: { compose: (mail) => composeSuspensionMail(room, mail) },
  }
}

async function compose(room: CaseRoom, mail: QueuedMail) {
  const row = await store.findCase(room.db, mail.data['case'] ?? '')
  const to = mail.account_id ? await addresseeOf(room.db, mail.account_id) : null
  const [about] = row ? await caseAnswers(room.db, [row]) : []
  if (!row || !to || !about) return null
  const say = (key: string) =>
    room.texts.say(mail.locale, `mails.${key}`, {
      festival: room.festivalName,
      name: to.name,
      kind: to.kind === 'business' ? 'business' : 'visitor',
      deal: about.deal_name ?? '–',
      has_reason: row.reason ? 'yes' : 'no',
      reason: row.reason ?? '',
    })
  const what = `report_${mail.data['what']}`
  const way = row.kind === 'deal' ? page.dashboard : about.deal_id ? dealPage(about.deal_id) : page.deals
  return {
    to: to.email,
    subject: say(`${what}.subject`),
    greeting: say('greeting'),
    paragraphs: say(`${what}.text`).split('\n').filter(Boolean),
    button: { label: say(`${what}.button`), url: `${mail.origin}${way}` },
    footer: say('notice'),
  }
}

async function caseAnswers(db: Sql, rows: store.CaseRow[]): Promise<ReportCase[]> {
  if (rows.length === 0) return []
  const ids = (kind: 'deal' | 'rating') => rows.filter((row) => row.kind === kind).map((row) => row.subject_id)
  const [reports, suspended, names, ratings] = await Promise.all([
    store.reportsOfCases(
      db,
      rows.map(({ case_id }) => case_id),
      1000,
    ),
    suspendedOf(
      db,
      rows.map(({ business_id }) => business_id),
    ),
    // also of what is gone
    businessNames(
      db,
      rows.map(({ business_id }) => business_id),
    ),
    ratingsForStaff(db, ids('rating')),
  ])
  const ratingOf = new Map(ratings.map((rating) => [rating.rating_id, rating]))
  const deals = await dealsForStaff(db, [...ids('deal'), ...ratings.map(({ deal_id }) => deal_id)])
  const dealOf = new Map(deals.map((deal) => [deal.deal_id, deal]))
  return rows.map((row) => {
    const rating = row.kind === 'rating' ? ratingOf.get(row.subject_id) : undefined
    const deal = dealOf.get(row.kind === 'deal' ? row.subject_id : (rating?.deal_id ?? ''))
    const own = reports.filter(({ case_id }) => case_id === row.case_id)
    return {
      case_id: row.case_id,
      kind: row.kind,
      state: row.state,
      deal_id: deal?.deal_id ?? null,
      deal_name: deal?.deal_name ?? null,
      business_id: row.business_id,
      business_name: deal?.business_name ?? names.get(row.business_id) ?? '',
      business_suspended: suspended.has(row.business_id),
      rating: rating ? { stars: rating.stars, comment: rating.comment, author_name: rating.author_name } : null,
      reports: row.reports,
      whys: reportReasons.flatMap((why) => {
        const count = own.filter((report) => report.why === why).length
        return count > 0 ? [{ why, count }] : []
      }),
      notes: own.flatMap(({ note }) => note ?? []).slice(0, notesShown),
      first_at: row.first_at,
      last_at: row.last_at,
      decided_at: row.decided_at,
      reason: row.reason,
    }
  })
}
