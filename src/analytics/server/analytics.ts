import { csvOf } from '../../accounts/server/csv.ts'
import { addressKey } from '../../accounts/server/accounts.ts'
import { businessNotFound } from '../../businesses/contract.ts'
import { findMerchant } from '../../businesses/server/merchant.ts'
import { dealNotFound } from '../../deals/contract.ts'
import { dealsForFigures, merchantsOfDeals, type DealActivity } from '../../deals/server/deals.ts'
import type { Keyring } from '../../kit/server/keyring.ts'
import type { Sql } from '../../kit/server/database.ts'
import { FileAnswer } from '../../kit/server/send-answer.ts'
import type { RequestContext, Caller } from '../../kit/server/serve-endpoint.ts'
import { isUuid } from '../../kit/shared/input.ts'
import { chfFromRappen } from '../../kit/shared/money.ts'
import { Refusal } from '../../kit/shared/refusal.ts'
import { ratingsByHour } from '../../ratings/server/ratings.ts'
import { viewsByHourAndSubject, viewsBySubjectAndDay, viewsIn, type ViewCounter } from '../../views/server/views.ts'
import {
  mostDeals,
  needsPremium,
  needsPrice,
  needsRedemptions,
  needsUltimate,
  noFigures,
  priceTooFar,
  redemptionsForWhatIf,
  type Analytics,
  type Figures,
  type WhatIf,
} from '../contract.ts'
import { missingTier } from '../policy.ts'
import { add, addCounted, addViews, newFigures, rounded } from './figures.ts'
import { periodOf, type PeriodQuery, type Period } from './period.ts'
import { hourOf, type ShownCounter, type ShownParts } from './shown.ts'
import * as store from './store.ts'
import { elasticity, expectedAt, furthestPrice, marginOf } from './what-if.ts'
import { francs } from '../../kit/shared/numbers.ts'

export interface AnalyticsRoom extends ShownParts {
  zone: string
  keyring: Keyring
  shown: ShownCounter
  views: ViewCounter
}

/** Deals of one business whose figures are read. */
const dealsRead = 2000

type Deal = Awaited<ReturnType<typeof dealsForFigures>>[number]
type Need = Parameters<typeof missingTier>[1]
type FiguresQuery = PeriodQuery & { bucket?: 'hour' | 'day' | undefined }

/** @throws `business_not_found` for another business, `needs_premium` */
export async function getBusinessAnalytics(room: AnalyticsRoom, businessId: string, who: Caller, query: FiguresQuery) {
  const deals = await ownDeals(room, businessId, who)
  return figuresOf(room, deals, query)
}

/** @throws `deal_not_found` for a deal of another business, `needs_premium` */
export async function getDealAnalytics(
  room: AnalyticsRoom,
  dealId: string,
  who: Caller,
  query: FiguresQuery,
): Promise<Analytics> {
  return figuresOf(room, [await ownDeal(room, dealId, who)], query)
}

/** The figures of each deal and day as CSV. @throws `business_not_found`, `needs_premium`, `needs_ultimate` */
export async function exportAnalytics(
  room: AnalyticsRoom,
  businessId: string,
  who: Caller,
  query: PeriodQuery,
): Promise<FileAnswer> {
  const deals = await ownDeals(room, businessId, who, 'exports')
  const { from, to, span } = periodOf(room, deals, { ...query, bucket: 'day' })
  const ids = deals.map(({ deal_id }) => deal_id)
  const at = { ...span, zone: room.zone }
  await Promise.all([room.views.written(), room.shown.written()])
  const [counted, views] = await Promise.all([
    store.countedByDealAndDay(room.db, ids, at),
    viewsBySubjectAndDay(room.db, 'deal', ids, at),
  ])
  const names = new Map(deals.map((deal) => [deal.deal_id, deal.deal_name]))
  const rows = new Map<string, { day: string; dealId: string; figures: Figures }>()
  const rowOf = (day: string, dealId: string) => {
    const key = `${day} ${dealId}`
    const row = rows.get(key) ?? { day, dealId, figures: newFigures() }
    rows.set(key, row)
    return row.figures
  }
  for (const row of counted) addCounted(rowOf(row.day, row.deal_id), row)
  for (const row of views) addViews(rowOf(row.day, row.subject_id), row)
  const lines = [...rows.values()]
    .toSorted((a, b) => a.day.localeCompare(b.day) || a.dealId.localeCompare(b.dealId))
    .map(({ day, dealId, figures }) => ({ day, deal: names.get(dealId) ?? '', deal_id: dealId, ...figures }))
  const head = { day: '', deal: '', deal_id: '', ...noFigures }
  const text = lines.length > 0 ? csvOf(lines) : csvOf([head]).split('\r\n')[0]! + '\r\n'
  return new FileAnswer(Buffer.from(text), `analytics-${from}-${to}.csv`)
}

/**
 * The redemptions and margin to expect of an own deal at another price (CHF); formula in what-if.ts.
 * @throws `deal_not_found` for a deal of another business, `needs_premium`, `needs_ultimate`, `needs_price`, `price_too_far`,
 * `needs_redemptions`
 */
export async function getWhatIf(
  room: AnalyticsRoom,
  dealId: string,
  who: Caller,
  { price, cost }: { price: number; cost?: number | undefined },
): Promise<WhatIf> {
  const deal = await ownDeal(room, dealId, who, 'whatIf')
  if (!deal.price_rappen) throw new Refusal(needsPrice)
  const priceNow = chfFromRappen(deal.price_rappen)
  const least = chfFromRappen(Math.ceil(deal.price_rappen / furthestPrice))
  const most = priceNow * furthestPrice
  if (price < least || price > most)
    throw new Refusal(priceTooFar, { values: { min: francs(least), max: francs(most) } })
  const today = room.clock.now().toZonedDateTimeISO(room.zone).toPlainDate()
  const { span } = periodOf(room, [deal], { from: today.subtract({ days: 29 }).toString() })
  const { redemptions } = await store.countedIn(room.db, [deal.deal_id], span)
  if (redemptions < redemptionsForWhatIf)
    throw new Refusal(needsRedemptions, { values: { needed: redemptionsForWhatIf, n: redemptions } })
  const expected = expectedAt({ redemptions, priceNow, price })
  const now = { low: redemptions, mid: redemptions, high: redemptions }
  return {
    deal_id: deal.deal_id,
    price_now: priceNow,
    price,
    redemptions_30_days: redemptions,
    expected,
    margin_now: cost === undefined ? null : marginOf(now, priceNow, cost).mid,
    margin: cost === undefined ? null : marginOf(expected, price, cost),
    elasticity,
  }
}

/** Counts the deals that a browser reports as shown. */
export function reportShown(
  { keyring, shown }: AnalyticsRoom,
  { beacon_id, deal_ids }: { beacon_id: string; deal_ids: string[] },
  { visitor, who }: RequestContext,
): null {
  if (visitor)
    shown.count({
      beaconId: beacon_id,
      dealIds: deal_ids,
      from: addressKey(keyring, visitor.address),
      viewerBusinessId: who?.businessId ?? null,
    })
  return null
}

/** Counts a save, claim or redemption in its transaction, so that one that fails is never counted. */
export async function countDealActivity(
  trx: Sql,
  { what, dealId, at, by, amountRappen = 0 }: DealActivity,
): Promise<void> {
  await store.count(trx, {
    dealId,
    hour: hourOf(Temporal.Instant.fromEpochMilliseconds(at.getTime())),
    saves: what === 'saved' ? by : 0,
    claims: what === 'claimed' ? by : 0,
    redemptions: what === 'redeemed' ? by : 0,
    sales: what === 'redeemed' ? by * amountRappen : 0,
  })
}

/** Deletes ids of beacons too old to be sent again (1 h). */
export async function forgetBeacons({ db, clock }: Pick<AnalyticsRoom, 'db' | 'clock'>): Promise<void> {
  await store.forgetBeacons(db, new Date(clock.now().epochMilliseconds - 3_600_000))
}

async function ownDeals(
  { db }: AnalyticsRoom,
  businessId: string,
  who: Caller,
  need: Need = 'charts',
): Promise<Deal[]> {
  if (!isUuid(businessId) || who.businessId?.toLowerCase() !== businessId.toLowerCase())
    throw new Refusal(businessNotFound)
  await refuseTier(db, businessId, need)
  return dealsForFigures(db, businessId, dealsRead)
}

async function ownDeal({ db }: AnalyticsRoom, dealId: string, who: Caller, need: Need = 'charts'): Promise<Deal> {
  const [owner] = isUuid(dealId) ? await merchantsOfDeals(db, [dealId]) : []
  if (!owner || owner.business_id !== who.businessId) throw new Refusal(dealNotFound)
  await refuseTier(db, owner.business_id, need)
  const deals = await dealsForFigures(db, owner.business_id, dealsRead)
  const deal = deals.find(({ deal_id }) => deal_id === owner.deal_id)
  if (!deal) throw new Refusal(dealNotFound)
  return deal
}

async function refuseTier(db: Sql, businessId: string, need: Need): Promise<void> {
  const merchant = await findMerchant(db, businessId)
  if (!merchant) throw new Refusal(businessNotFound)
  const missing = missingTier(merchant.subscription_tier, need)
  if (missing) throw new Refusal(missing === 'PREMIUM' ? needsPremium : needsUltimate)
}

async function figuresOf(room: AnalyticsRoom, deals: Deal[], query: FiguresQuery): Promise<Analytics> {
  const period = periodOf(room, deals, query)
  const { span, before } = period
  const ids = deals.map(({ deal_id }) => deal_id)
  await Promise.all([room.views.written(), room.shown.written()])
  const [{ hours, byDeal }, earlier, rated] = await Promise.all([
    readFigures(room, ids, span),
    before && readTotal(room, ids, before),
    ratingsByHour(room.db, ids, span.from, span.until),
  ])
  const total = newFigures()
  for (const figures of hours.values()) add(total, figures)
  return {
    from: period.from,
    to: period.to,
    bucket: period.bucket,
    total: rounded(total),
    before: earlier && rounded(earlier),
    buckets: bucketsOf(period, hours),
    by_hour: byHourOf(period, hours, room.zone),
    by_deal: deals
      .map(({ deal_id, deal_name }) => ({ deal_id, deal_name, ...rounded(byDeal.get(deal_id) ?? noFigures) }))
      .toSorted((a, b) => b.redemptions - a.redemptions || b.opens - a.opens || b.impressions - a.impressions)
      .slice(0, mostDeals),
    ratings: ratingsOf(period, rated),
  }
}

/** Figures of some deals within a span, by hour (ms since 1970) and by deal id. */
async function readFigures({ db }: AnalyticsRoom, dealIds: string[], span: store.Span) {
  const [counted, views] = await Promise.all([
    store.countedBy(db, dealIds, span),
    viewsByHourAndSubject(db, 'deal', dealIds, span),
  ])
  const hours = new Map<number, Figures>()
  const byDeal = new Map<string, Figures>()
  for (const row of counted)
    addCounted(row.hour_s === null ? figuresIn(byDeal, row.deal_id!) : figuresIn(hours, row.hour_s * 1000), row)
  for (const row of views)
    addViews(row.hour_s === null ? figuresIn(byDeal, row.subject_id!) : figuresIn(hours, row.hour_s * 1000), row)
  return { hours, byDeal }
}

/** Their sum. */
async function readTotal({ db }: AnalyticsRoom, dealIds: string[], span: store.Span): Promise<Figures> {
  const [counted, views] = await Promise.all([store.countedIn(db, dealIds, span), viewsIn(db, 'deal', dealIds, span)])
  const total = newFigures()
  addCounted(total, counted)
  addViews(total, views)
  return total
}

function figuresIn<Key>(all: Map<Key, Figures>, key: Key): Figures {
  const found = all.get(key) ?? newFigures()
  all.set(key, found)
  return found
}

const hourMs = 3_600_000

/** Every bucket of the period, empty ones included. */
function bucketsOf({ bucket, days }: Period, hours: Map<number, Figures>): Analytics['buckets'] {
  const starts = bucket === 'day' ? days.map(({ startMs }) => startMs) : hoursOf(days)
  const ends = [...starts.slice(1), days.at(-1)!.endMs]
  return starts.map((start, index) => {
    const figures = newFigures()
    for (let at = start; at < ends[index]!; at += hourMs) if (hours.has(at)) add(figures, hours.get(at)!)
    return { at: new Date(start).toISOString(), ...rounded(figures) }
  })
}

const hoursOf = (days: Period['days']) =>
  days.flatMap(({ startMs, endMs }) =>
    Array.from({ length: Math.round((endMs - startMs) / hourMs) }, (_, index) => startMs + index * hourMs),
  )

/** By the hour that clocks show: on a day of 23 or 25 hours it differs from the hours passed. */
function byHourOf({ days }: Period, hours: Map<number, Figures>, zone: string): Analytics['by_hour'] {
  const all = Array.from({ length: 24 }, newFigures)
  for (const { startMs, endMs } of days) {
    const isUsual = endMs - startMs === 24 * hourMs
    for (let at = startMs; at < endMs; at += hourMs) {
      const figures = hours.get(at)
      if (figures) add(all[isUsual ? (at - startMs) / hourMs : clockHour(at, zone)]!, figures)
    }
  }
  return all.map((figures, hour) => ({ hour, ...rounded(figures) }))
}

const clockHour = (at: number, zone: string) => Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).hour

function ratingsOf(
  { days }: Period,
  rows: { hour_s: number | null; count: number; stars: number }[],
): Analytics['ratings'] {
  let { count: all, stars } = rows.find(({ hour_s }) => hour_s === null) ?? { count: 0, stars: 0 }
  return days.map(({ startMs, endMs }) => {
    const ofDay = rows.filter(({ hour_s }) => hour_s !== null && hour_s * 1000 >= startMs && hour_s * 1000 < endMs)
    const came = ofDay.reduce((sum, row) => sum + row.count, 0)
    all += came
    stars += ofDay.reduce((sum, row) => sum + row.stars, 0)
    return {
      at: new Date(startMs).toISOString(),
      count: came,
      mean: all === 0 ? null : Math.round((stars / all) * 100) / 100,
    }
  })
}
