import { merchantAlone, type Merchant } from '../../businesses/server/merchant.ts'
import { asDate } from '../../kit/server/clock.ts'
import type { Sql } from '../../kit/server/database.ts'
import { knownWho, type Asking, type Texts } from '../../kit/server/serve-endpoint.ts'
import { forbidden, Refusal } from '../../kit/shared/refusal.ts'
import type { noticeCodes } from '../contract/editing.ts'
import { tierAbove } from '../policy.ts'
import type { OwnDealRoom } from './own-deals.ts'
import type * as store from './store.ts'

export interface EditingRoom extends OwnDealRoom {
  /** Tells higher rooms in the transaction of the change. */
  publishFact: (trx: Sql, fact: string, data: Record<string, unknown>) => Promise<void>
  texts: Texts
  /** Called in the transaction that pauses them, so that the mail is queued once, and not at all after a rollback. */
  tellPaused: (trx: Sql, paused: PausedDeals) => Promise<void>
}

/** What a smaller tier had no room for. */
export interface PausedDeals {
  businessId: string
  tier: string
  /** Active deals that the tier has room for. */
  places: number
  n: number
  /** The first of them. */
  names: string[]
}

/** A merchant at work: the transaction, and that no other change of the merchant's deals happens meanwhile. */
export interface Desk {
  room: EditingRoom
  trx: Sql
  asking: Asking
  businessId: string
  merchant: Merchant
  now: Date
}

type NoticeCode = (typeof noticeCodes)[number]
export interface Notice {
  code: NoticeCode
  text: string
}
/** A deal that was added, and why otherwise than asked. */
export interface Added {
  row: store.OwnDealRow
  notice: Notice | null
}

export async function atDesk<T>(room: EditingRoom, asking: Asking, work: (desk: Desk) => Promise<T>): Promise<T> {
  const { businessId } = knownWho(asking)
  if (!businessId) throw new Refusal(forbidden)
  return room.db.transaction().execute(async (trx) => {
    const merchant = await merchantAlone(trx, businessId)
    if (!merchant) throw new Refusal(forbidden)
    return work({ room, trx, asking, businessId, merchant, now: asDate(room.clock.now()) })
  })
}

export const say = ({ room, asking }: Desk, code: NoticeCode, values?: Record<string, string | number>): Notice => ({
  code,
  text: room.texts.say(asking.locale, `dealNotices.${code}`, values),
})

/** Where it is over by the time it is saved. */
export const overNotice = (desk: Desk, deal: Pick<store.DealContent, 'ends_at'>): Notice | null =>
  isOver(deal, desk.now) ? say(desk, 'alreadyOver') : null

/** Why it is not published, and the way on. */
export function limitNotice(desk: Desk, key: 'draftByLimit' | 'pausedByLimit', limit: number): Notice {
  const tier = desk.merchant.subscription_tier
  return say(desk, key, { limit, tier, above: tierAbove[tier] ?? 'none' })
}

export const noticeAnswer = ({ notice }: { notice: Notice | null }) => ({
  notice: notice?.text ?? null,
  notice_code: notice?.code ?? null,
})

export const isOver = ({ ends_at }: Pick<store.DealContent, 'ends_at'>, now: Date) =>
  ends_at !== null && Date.parse(ends_at) <= now.getTime()
