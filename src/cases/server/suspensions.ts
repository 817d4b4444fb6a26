import { addresseeOf, ownerOfBusiness } from '../../accounts/server/accounts.ts'
import { businessNotFound } from '../../businesses/contract.ts'
import {
  countSuspended,
  findSuspension,
  listSuspended,
  lockSuspension,
  setSuspension,
  setSuspensionTold,
  type Suspension,
} from '../../businesses/server/businesses.ts'
import { countFans } from '../../favorites/server/favorites.ts'
import { hideDealsOf, showDealsOf } from '../../deals/server/hidden.ts'
import { asDate } from '../../kit/server/clock.ts'
import { cursorOf, writeCursor } from '../../kit/server/cursor.ts'
import type { Sql } from '../../kit/server/database.ts'
import { newId } from '../../kit/server/ids.ts'
import { Page, totalUpTo } from '../../kit/server/page.ts'
import type { Asking } from '../../kit/server/serve-endpoint.ts'
import type { CheckedInput } from '../../kit/shared/endpoint.ts'
import { defaultPageSize, isUuid, totalCap } from '../../kit/shared/input.ts'
import { Refusal } from '../../kit/shared/refusal.ts'
import { queueMail, type QueuedMail } from '../../mail/server/mail.ts'
import { notify } from '../../notifications/server/notifications.ts'
import { page } from '../../site-map.ts'
import type { Reach } from '../../staff/contract.ts'
import {
  act,
  changesSince,
  expectConfirmed,
  tryOut,
  type Undo,
  type Undos,
  type WhatWasDone,
} from '../../staff/server/staff.ts'
import {
  alreadyDecided,
  type listSuspensions as listSuspensionsEndpoint,
  type suspendBusiness as suspendBusinessEndpoint,
  type DecidedSuspension,
  type SuspendedBusiness,
} from '../contract.ts'
import { isMailed, tellAfterS, type CaseRoom } from './room.ts'

// A suspended business is gone for everybody but its merchant: page, deals, pins, paid places. Its login, its subscription
// and the codes that visitors hold already stay as they are.

export const tellSuspensionJob = 'tell-suspension'
/** Its notification; texts under `notices`. */
export const suspensionNotice = 'business_suspended'

/** Throws `business_not_found`, `already_decided`, `unconfirmed`, `key_used`. */
export async function suspendBusiness(
  room: CaseRoom,
  asking: Asking,
  { business_id, reason, dry_run, confirmed }: CheckedInput<typeof suspendBusinessEndpoint>['body'],
): Promise<DecidedSuspension> {
  const decision = { businessId: business_id, action: 'suspend-business', reason: reason.trim() } as const
  if (dry_run) return (await tryOut(room.db, (trx) => decide(room, trx, decision))).answer
  return act(room, asking, { operation: decision.action, input: decision }, async (trx) => {
    const decided = await decide(room, trx, decision)
    expectConfirmed(decided.answer.reach, confirmed)
    return decided
  })
}

/** Throws `business_not_found`, `already_decided`, `key_used`. */
export async function liftSuspension(room: CaseRoom, asking: Asking, businessId: string): Promise<DecidedSuspension> {
  const decision = { businessId, action: 'lift-suspension', reason: null } as const
  return act(room, asking, { operation: decision.action, input: decision }, (trx) => decide(room, trx, decision))
}

async function decide(
  room: CaseRoom,
  trx: Sql,
  {
    businessId,
    action,
    reason,
  }: { businessId: string; action: 'suspend-business' | 'lift-suspension'; reason: string | null },
): Promise<{ answer: DecidedSuspension; done: WhatWasDone }> {
  const before = isUuid(businessId) ? await lockSuspension(trx, businessId) : undefined
  if (!before) throw new Refusal(businessNotFound)
  if ((before.suspended_at === null) === (reason === null)) throw new Refusal(alreadyDecided)
  const reach = await move(room, trx, businessId, reason)
  const mailed = await isMailed(trx, (await ownerOfBusiness(trx, businessId))?.account_id)
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

/** Suspended for a reason; null: not any more. Answers how much disappears or comes back: the business and its deals. */
async function move(room: CaseRoom, trx: Sql, businessId: string, reason: string | null): Promise<Reach> {
  const at = asDate(room.clock.now())
  await setSuspension(trx, businessId, reason === null ? null : { at, reason })
  let dealIds: string[] = []
  if (reason !== null) dealIds = await hideDealsOf(trx, businessId, at)
  // whose account waits to be deleted stays hidden
  else if (!(await findSuspension(trx, businessId))?.is_leaving) dealIds = await showDealsOf(trx, businessId, at)
  await room.jobs.enqueue(trx, tellSuspensionJob, { business_id: businessId }, tellAfterS)
  if (reason !== null) await room.tell(trx, 'business-suspended', { business_id: businessId })
  const things = 1 + dealIds.length
  const people = await countFans(trx, { businessId, dealIds })
  return { kind: 'deal', hidden: reason === null ? 0 : things, shown: reason === null ? things : 0, changed: 0, people }
}

/** What staff may take back, and the undo as well: where nobody has suspended or lifted it since. */
export function suspensionUndos(room: CaseRoom): Undos {
  const undo: Undo = async (trx, entry) => {
    const { object_id, before, after } = entry
    if (object_id === null) return null
    const now = await lockSuspension(trx, object_id)
    const isUnchanged =
      now && (now.suspended_at !== null) === after?.['suspended'] && now.suspended_reason === after['reason']
    if (!isUnchanged) return null
    if ((await changesSince(trx, entry, ['suspend-business', 'lift-suspension'])).length > 0) return null
    const reason = before?.['reason']
    return { kept: [], reach: await move(room, trx, now.business_id, typeof reason === 'string' ? reason : null) }
  }
  const bothWays = { undo, redo: undo }
  return { 'suspend-business': bothWays, 'lift-suspension': bothWays }
}

/** The last suspended first. */
export async function listSuspensions(
  { db }: CaseRoom,
  query: CheckedInput<typeof listSuspensionsEndpoint>['query'],
): Promise<Page<SuspendedBusiness>> {
  const limit = query.limit ?? defaultPageSize
  const after = cursorOf(query.after, ['instant', 'id'])
  const [rows, total] = await Promise.all([
    listSuspended(db, {
      after: after && { at: after[0], id: after[1] },
      offset: query.offset ?? 0,
      limit: limit + 1,
    }),
    countSuspended(db, totalCap + 1),
  ])
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return new Page(
    shown.map(answerOf),
    totalUpTo(total),
    rows.length > limit && last ? writeCursor([last.suspended_at!, last.business_id]) : null,
  )
}

const answerOf = ({ business_id, business_name, suspended_at, suspended_reason }: Suspension): SuspendedBusiness => ({
  business_id,
  business_name,
  suspended_at,
  suspended_reason,
})

/** Tells the merchant once, by mail and in the bell. What was undone meanwhile is not told. */
export async function tellOfSuspension(room: CaseRoom, businessId: string): Promise<void> {
  await room.db.transaction().execute(async (trx) => {
    const now = await lockSuspension(trx, businessId)
    const isSuspended = now?.suspended_at != null
    if (!now || now.suspension_told === isSuspended) return
    await setSuspensionTold(trx, businessId, isSuspended)
    const accountId = (await ownerOfBusiness(trx, businessId))?.account_id
    const to = accountId && (await addresseeOf(trx, accountId))
    if (!accountId) return
    await notify(room.notifications, trx, {
      type: suspensionNotice,
      accountIds: [accountId],
      once: `reports:suspension:${newId()}`,
      values: { state: isSuspended ? 'suspended' : 'lifted', business: now.business_name },
      path: page.dashboard,
    })
    if (!to) return
    const data = { business: businessId, what: isSuspended ? 'suspended' : 'lifted' }
    await queueMail(room, trx, {
      kind: 'suspension_news',
      accountId,
      locale: to.language,
      origin: room.origin,
      data,
    })
  })
}

/** Null where the person or the business is gone. */
export async function composeSuspensionMail(room: CaseRoom, mail: QueuedMail) {
  const to = mail.account_id ? await addresseeOf(room.db, mail.account_id) : null
  const business = await findSuspension(room.db, mail.data['business'] ?? '')
  if (!to || !business) return null
  const say = (key: string) =>
    room.texts.say(mail.locale, `mails.${key}`, {
      festival: room.festivalName,
      name: to.name,
      kind: 'business',
      business: business.business_name,
      has_reason: business.suspended_reason ? 'yes' : 'no',
      reason: business.suspended_reason ?? '',
    })
  const what = `business_${mail.data['what']}`
  return {
    to: to.email,
    subject: say(`${what}.subject`),
    greeting: say('greeting'),
    paragraphs: say(`${what}.text`).split('\n').filter(Boolean),
    button: { label: say(`${what}.button`), url: `${mail.origin}${page.dashboard}` },
    footer: say('notice'),
  }
}
