import { ownerOfBusiness } from '../../accounts/server/accounts.ts'
import { businessFacts, businessNotFound } from '../../businesses/contract.ts'
import {
  countSuspended,
  findSuspension,
  listSuspended,
  lockSuspension,
  setSuspension,
  setSuspensionNoticed,
  type Suspension,
} from '../../businesses/server/businesses.ts'
import { hideDealsOf, showDealsOf } from '../../deals/server/hidden.ts'
import { countFans } from '../../favorites/server/favorites.ts'
import { asDate } from '../../kit/server/clock.ts'
import { alreadyDecided } from '../../forum/contract.ts'
import type { Sql } from '../../kit/server/database.ts'
import { pageByTime, type Page, type PageQuery } from '../../kit/server/page.ts'
import type { RequestContext } from '../../kit/server/serve-endpoint.ts'
import type { CheckedInput } from '../../kit/shared/endpoint.ts'
import { isUuid } from '../../kit/shared/input.ts'
import { Refusal } from '../../kit/shared/refusal.ts'
import type { QueuedMail } from '../../mail/server/mail.ts'
import { page } from '../../site-map.ts'
import type { Reach } from '../../staff/contract.ts'
import { expectConfirmed, dryRun, type NewAuditEntry } from '../../staff/server/staff.ts'
import type { DecidedSuspension, suspendBusiness as suspendBusinessEndpoint, SuspendedBusiness } from '../contract.ts'
import { decide, type ModeratedThing } from './decide.ts'
import type { CaseRoom } from './room.ts'
import { composeDecisionMail, canBeMailed, noticeDelayS, sendDecisionNotice } from './decision-notices.ts'

// A suspended business disappears for everybody but its merchant: page, deals, pins, promotions. The merchant's login, the
// subscription and codes that visitors already have go on.

export const suspensionNoticeJob = 'tell-suspension'
/** Type of the merchant's notification; texts under `notices`. */
export const suspensionNotice = 'business_suspended'

/** @throws `business_not_found`, `already_decided`, `unconfirmed`, `key_used` */
export async function suspendBusiness(
  room: CaseRoom,
  asking: RequestContext,
  { business_id, reason, dry_run, confirmed }: CheckedInput<typeof suspendBusinessEndpoint>['body'],
): Promise<DecidedSuspension> {
  const decision = { businessId: business_id, action: 'suspend-business', reason: reason.trim() } as const
  if (dry_run) return (await dryRun(room.db, (trx) => suspendOrLift(room, trx, decision))).answer
  return decide(room, asking, { operation: decision.action, input: decision }, async (trx) => {
    const decided = await suspendOrLift(room, trx, decision)
    expectConfirmed(decided.answer.reach, confirmed)
    return decided
  })
}

/** @throws `business_not_found`, `already_decided`, `key_used` */
export async function liftSuspension(
  room: CaseRoom,
  asking: RequestContext,
  businessId: string,
): Promise<DecidedSuspension> {
  const decision = { businessId, action: 'lift-suspension', reason: null } as const
  return decide(room, asking, { operation: decision.action, input: decision }, (trx) =>
    suspendOrLift(room, trx, decision),
  )
}

async function suspendOrLift(
  room: CaseRoom,
  trx: Sql,
  {
    businessId,
    action,
    reason,
  }: { businessId: string; action: 'suspend-business' | 'lift-suspension'; reason: string | null },
): Promise<{ answer: DecidedSuspension; done: NewAuditEntry }> {
  const before = isUuid(businessId) ? await lockSuspension(trx, businessId) : undefined
  if (!before) throw new Refusal(businessNotFound)
  if ((before.suspended_at === null) === (reason === null)) throw new Refusal(alreadyDecided)
  const reach = await setSuspended(room, trx, businessId, reason)
  const mailed = await canBeMailed(trx, (await ownerOfBusiness(trx, businessId))?.account_id)
  return {
    answer: { ...answerOf((await findSuspension(trx, businessId))!), mailed, reach },
    done: {
      action,
      object: { kind: 'business', id: businessId, name: before.business_name },
      before: stateOf(before.suspended_reason),
      after: stateOf(reason),
      reason,
    },
  }
}

const stateOf = (reason: string | null) => ({ suspended: reason !== null, reason })

/** @param reason null: lifts the suspension. @returns how many things disappear or come back: the business and its deals */
async function setSuspended(room: CaseRoom, trx: Sql, businessId: string, reason: string | null): Promise<Reach> {
  const at = asDate(room.clock.now())
  await setSuspension(trx, businessId, reason === null ? null : { at, reason })
  let dealIds: string[] = []
  if (reason !== null) dealIds = await hideDealsOf(trx, businessId, at)
  // A business whose account waits to be deleted stays hidden.
  else if (!(await findSuspension(trx, businessId))?.is_leaving) dealIds = await showDealsOf(trx, businessId, at)
  await room.jobs.enqueue(trx, suspensionNoticeJob, { business_id: businessId }, noticeDelayS)
  if (reason !== null) await room.publishFact(trx, businessFacts.suspended, { business_id: businessId })
  const things = 1 + dealIds.length
  const people = await countFans(trx, { businessId, dealIds })
  return { kind: 'deal', hidden: reason === null ? 0 : things, shown: reason === null ? things : 0, changed: 0, people }
}

export async function findBusiness(room: CaseRoom, trx: Sql, businessId: string): Promise<ModeratedThing | null> {
  const now = await lockSuspension(trx, businessId)
  if (!now) return null
  return {
    fields: stateOf(now.suspended_reason),
    putBack: ({ reason }) => setSuspended(room, trx, businessId, typeof reason === 'string' ? reason : null),
  }
}

/** Newest suspension first. */
export const listSuspensions = ({ db }: CaseRoom, query: PageQuery): Promise<Page<SuspendedBusiness>> =>
  pageByTime(
    query,
    {
      list: (stretch) => listSuspended(db, stretch),
      count: (cap) => countSuspended(db, cap),
      placeOf: ({ suspended_at, business_id }) => [suspended_at!, business_id],
    },
    (rows) => rows.map(answerOf),
  )

const answerOf = ({ business_id, business_name, suspended_at, suspended_reason }: Suspension): SuspendedBusiness => ({
  business_id,
  business_name,
  suspended_at,
  suspended_reason,
})

/** Notifies the merchant by mail and in the bell. */
export const sendSuspensionNotice = (room: CaseRoom, businessId: string): Promise<void> =>
  sendDecisionNotice(room, async (trx) => {
    const now = await lockSuspension(trx, businessId)
    if (!now) return null
    const isHidden = now.suspended_at !== null
    const what = isHidden ? 'suspended' : 'lifted'
    return {
      isHidden,
      isNoticedHidden: now.suspension_told,
      markNoticed: () => setSuspensionNoticed(trx, businessId, isHidden),
      accountId: (await ownerOfBusiness(trx, businessId))?.account_id ?? null,
      notice: { type: suspensionNotice, about: 'suspension', values: { state: what, business: now.business_name } },
      mail: { kind: 'suspension_news', data: { business: businessId, what } },
    }
  })

/** Null: the account or the business is gone. */
export async function composeSuspensionMail(room: CaseRoom, mail: QueuedMail) {
  const business = await findSuspension(room.db, mail.data['business'] ?? '')
  return business
    ? composeDecisionMail(room, mail, {
        text: `business_${mail.data['what']}`,
        reason: business.suspended_reason,
        values: () => ({ kind: 'business', business: business.business_name }),
        path: page.dashboard,
      })
    : null
}
