import { asDate } from '../../kit/server/clock.ts'
import type { Sql } from '../../kit/server/database.ts'
import type { Caller } from '../../kit/server/serve-endpoint.ts'
import { isUuid } from '../../kit/shared/input.ts'
import { totalViews, viewsOf } from '../../views/server/views.ts'
import { trendDays, type Deal, type OwnDeal } from '../contract.ts'
import { mostListed } from '../limits.ts'
import { isOwnBusiness } from '../policy.ts'
import { dealAnswer, findDeal, listDealsOfBusiness, type DealRoom } from './deals.ts'
import * as store from './store.ts'

export { picturesShown } from './store.ts'

export interface OwnDealRoom extends DealRoom {
  /** Number of claims by deal; null: claims are not counted. */
  claimsOf: (db: Sql, dealIds: string[]) => Promise<Map<string, number> | null>
  /** Why staff hid deals, by deal. */
  hiddenReasonsOf: (db: Sql, dealIds: string[]) => Promise<Map<string, string>>
}

/** The live deals of a business; for its own merchant all but the archived, with figures. @throws `business_not_found` */
export async function listDealsFor(room: OwnDealRoom, businessId: string, who: Caller | null): Promise<OwnDeal[]> {
  if (!isOwnBusiness(who, businessId)) return listDealsOfBusiness(room, businessId)
  await room.views.written()
  return ownDealAnswers(room, await store.listOwnDeals(room.db, businessId, asDate(room.clock.now()), mostListed))
}

/** A deal for this person: drafts and archived deals only for their own merchant. @throws `deal_not_found` */
export async function findDealFor(room: DealRoom, dealId: string, who: Caller | null): Promise<Deal> {
  if (who?.businessId && isUuid(dealId)) {
    const row = await store.findDeal(room.db, dealId, asDate(room.clock.now()))
    if (row && isOwnBusiness(who, row.business_id)) return dealAnswer(row)
  }
  return findDeal(room, dealId)
}

/** Deals as their merchant sees them, with figures. */
export async function ownDealAnswers(
  { db, clock, zone, claimsOf, hiddenReasonsOf }: OwnDealRoom,
  rows: store.OwnDealRow[],
): Promise<OwnDeal[]> {
  const ids = rows.map((row) => row.deal_id)
  const today = clock.now().toZonedDateTimeISO(zone).startOfDay()
  const from = today.subtract({ days: trendDays - 1 }).toInstant()
  const hidden = rows.filter(({ status }) => status === 'archived').map((row) => row.deal_id)
  const [views, claims, reasons] = await Promise.all([
    viewsOf(db, 'deal', ids, { from, days: trendDays }),
    claimsOf(db, ids),
    hidden.length > 0 ? hiddenReasonsOf(db, hidden) : null,
  ])
  return rows.map((row) => {
    const counted = views.get(row.deal_id)
    return {
      ...dealAnswer(row),
      figures: {
        views: counted?.views ?? 0,
        trend: counted?.byDay ?? Array<number>(trendDays).fill(0),
        claims: claims && (claims.get(row.deal_id) ?? 0),
        redemptions: row.redeemed_count,
      },
      uses_place: row.uses_place,
      paused_by_plan: row.paused_by_plan,
      hidden_with_merchant: row.hidden_with_merchant,
      hidden_reason: reasons?.get(row.deal_id) ?? null,
    }
  })
}

/** A deal that was created just now: its figures are 0, without asking for them. */
export function newDealAnswer(row: store.OwnDealRow): OwnDeal {
  const figures = { views: 0, trend: Array<number>(trendDays).fill(0), claims: 0, redemptions: 0 }
  const notHidden = { paused_by_plan: false, hidden_with_merchant: false, hidden_reason: null }
  return { ...dealAnswer(row), figures, uses_place: row.uses_place, ...notHidden }
}

/** How often the deals of a business were opened, ever. */
export const dealClicksOf = async (db: Sql, businessId: string): Promise<number> =>
  totalViews(db, 'deal', await store.dealIdsOf(db, businessId, 100_000))
