import { lockMerchant, type Merchant } from '../../businesses/server/merchant.ts'
import { asDate } from '../../kit/server/clock.ts'
import type { Sql } from '../../kit/server/database.ts'
import { knownCaller, type RequestContext, type Texts } from '../../kit/server/serve-endpoint.ts'
import { forbidden, Refusal } from '../../kit/shared/refusal.ts'
import type { noticeCodes } from '../contract/editing.ts'
import { isOver, tierAbove } from '../policy.ts'
import type { OwnDealRoom } from './own-deals.ts'
import type * as store from './store.ts'

export interface EditingRoom extends OwnDealRoom {
  /** Publishes a fact to the rooms above, in the transaction of the change. */
  publishFact: (trx: Sql, fact: string, data: Record<string, unknown>) => Promise<void>
  texts: Texts
  /** In the transaction that pauses the deals: so the mail is queued once, and not after a rollback. */
  announcePaused: (trx: Sql, paused: PausedDeals) => Promise<void>
}

/** Deals that were paused because a smaller tier has fewer places. */
export interface PausedDeals {
  businessId: string
  tier: string
  /** Places of the tier. */
  places: number
  n: number
  /** Names of the newest ones. */
  names: string[]
}

/** A change by a merchant, in its transaction. The merchant is locked, so changes of one merchant's deals happen one after the other. */
export interface Desk {
  room: EditingRoom
  trx: Sql
  asking: RequestContext
  businessId: string
  merchant: Merchant
  now: Date
}

type NoticeCode = (typeof noticeCodes)[number]
export interface Notice {
  code: NoticeCode
  text: string
}
/** A deal that was added; the notice says why it is a draft. */
export interface AddedDeal {
  row: store.OwnDealRow
  notice: Notice | null
}

/** @throws `forbidden` for accounts without a business */
export async function atDesk<T>(
  room: EditingRoom,
  asking: RequestContext,
  work: (desk: Desk) => Promise<T>,
): Promise<T> {
  const { businessId } = knownCaller(asking)
  if (!businessId) throw new Refusal(forbidden)
  return room.db.transaction().execute(async (trx) => {
    const merchant = await lockMerchant(trx, businessId)
    if (!merchant) throw new Refusal(forbidden)
    return work({ room, trx, asking, businessId, merchant, now: asDate(room.clock.now()) })
  })
}

export const noticeOf = (
  { room, asking }: Desk,
  code: NoticeCode,
  values?: Record<string, string | number>,
): Notice => ({
  code,
  text: room.texts.say(asking.locale, `dealNotices.${code}`, values),
})

/** The notice for a deal that is over when it is saved; else null. */
export const overNotice = (desk: Desk, deal: Pick<store.DealContent, 'ends_at'>): Notice | null =>
  isOver(deal, desk.now) ? noticeOf(desk, 'alreadyOver') : null

/** The notice that all places are taken; it names the next tier. */
export function limitNotice(desk: Desk, key: 'draftByLimit' | 'pausedByLimit', limit: number): Notice {
  const tier = desk.merchant.subscription_tier
  return noticeOf(desk, key, { limit, tier, above: tierAbove[tier] ?? 'none' })
}

export const noticeAnswer = ({ notice }: { notice: Notice | null }) => ({
  notice: notice?.text ?? null,
  notice_code: notice?.code ?? null,
})
