import { dealRows } from '../../deals/demo/demo-deals.ts'
import { countRedemption } from '../../deals/server/deals.ts'
import type { Sql } from '../../kit/server/database.ts'
import { insertRows, stableId, type DemoSetting } from '../../kit/server/demo-rows.ts'
import { businessId, demoBusinesses } from '../../businesses/demo/demo-businesses.ts'

/** A claim of the demo; most are redeemed. */
export interface DemoClaim {
  dealId: string
  claimedAt: Temporal.Instant
  redeemedAt: Temporal.Instant | null
  amountRappen: number
}

/** Inserts claims and redemptions of the last weeks. The demo's deals must be inserted before. */
export async function fillDemoRedemptions(trx: Sql, festival: DemoSetting): Promise<void> {
  const deals = new Map(dealRows(festival).map((deal) => [deal.deal_id, deal]))
  const names = new Map(demoBusinesses().map(({ business_name }) => [businessId(business_name), business_name]))
  const claims = demoClaims(festival).map((claim, index) => ({ ...claim, index, deal: deals.get(claim.dealId)! }))
  const idOf = (kind: string, index: number) => stableId(`${kind} ${index}`)
  await insertRows(
    trx,
    'claims',
    claims.map(({ index, deal, claimedAt, redeemedAt }) => ({
      claim_id: idOf('claim', index),
      deal_id: deal.deal_id,
      business_id: deal.business_id,
      account_id: null,
      slot: null,
      key_print: null,
      deal_name: deal.deal_name,
      business_name: names.get(deal.business_id)!,
      price: deal.price,
      discount: deal.discount,
      price_rappen: deal.price_rappen,
      claimed_at: claimedAt.toString(),
      usable_from: claimedAt.toString(),
      expires_at: claimedAt.add({ hours: 4 }).toString(),
      redeemed_at: redeemedAt?.toString() ?? null,
      returned_at: null,
    })),
  )
  const redeemed = claims.filter(({ redeemedAt }) => redeemedAt !== null)
  await insertRows(
    trx,
    'redemptions',
    redeemed.map(({ index, deal, redeemedAt, amountRappen }) => ({
      redemption_id: idOf('redemption', index),
      business_id: deal.business_id,
      deal_id: deal.deal_id,
      claim_id: idOf('claim', index),
      till_id: null,
      deal_name: deal.deal_name,
      state: 'redeemed',
      reason: null,
      amount_rappen: amountRappen,
      redeemed_at: redeemedAt!.toString(),
      recorded_at: redeemedAt!.toString(),
      undone_at: null,
      sent_as: null,
    })),
  )
  for (const [dealId, ofDeal] of Map.groupBy(redeemed, (claim) => claim.dealId))
    // `demo/deals.json` already has the count of deals with limited items
    if (deals.get(dealId)!.total_limit === null) await countRedemption(trx, dealId, ofDeal.length)
}

/**
 * A few claims per deal and day, more at weekends and towards the festival; three of four are redeemed. A deal with limited items gets
 * `redeemed_count` redemptions, so that all screens show the same number.
 */
export function demoClaims(festival: DemoSetting): DemoClaim[] {
  const { now, zone } = festival
  const deals = dealRows(festival).filter((deal) => deal.redemption_mode === 'code' && deal.state !== 'draft')
  return deals.flatMap((deal, index) => {
    const claims = claimsOf(deal, index)
    return deal.total_limit === null ? claims : Array.from({ length: deal.redeemed_count }, itemOf(deal, claims))
  })

  /** The n-th redemption of a deal with limited items: a little before one of `claims`, or somewhere since the deal was created. */
  function itemOf(deal: (typeof deals)[number], claims: DemoClaim[]) {
    return (_: unknown, n: number): DemoClaim => {
      const claim = claims[n % claims.length]
      const round = Math.floor(n / claims.length)
      const earlier = { minutes: round === 0 ? 0 : 17 * round + Math.floor(chance(n, round) * 13) }
      const at = claim?.claimedAt.subtract(earlier)
      if (claim && at && at.toString() > deal.created_at)
        return {
          dealId: deal.deal_id,
          claimedAt: at,
          redeemedAt: (claim.redeemedAt ?? claim.claimedAt.add({ minutes: 6 })).subtract(earlier),
          amountRappen: round === 0 ? claim.amountRappen : amountOf(deal.price_rappen, n, round),
        }
      const created = Temporal.Instant.from(deal.created_at)
      const lived = now.epochMilliseconds - created.epochMilliseconds
      const claimedAt = created.add({ milliseconds: Math.floor((lived * (n + 1)) / (deal.redeemed_count + 2)) })
      return { dealId: deal.deal_id, claimedAt, redeemedAt: claimedAt, amountRappen: amountOf(deal.price_rappen, n, 1) }
    }
  }

  function claimsOf(deal: (typeof deals)[number], index: number): DemoClaim[] {
    return pastDays(now, zone).flatMap((day, ago) => {
      const busy = day.dayOfWeek >= 5 ? 1.8 : 1
      const count = Math.floor(chance(index, ago) * 3.2 * busy * (1 - ago / 45))
      return Array.from({ length: count }, (_, number): DemoClaim[] => {
        const at = busyMoment(deal.category, day, zone, index * 31 + ago * 7 + number)
        const isPast = (instant: Temporal.Instant) =>
          instant.epochMilliseconds < now.epochMilliseconds &&
          instant.toString() > deal.created_at &&
          (deal.ends_at === null || instant.toString() < deal.ends_at)
        const redeemedAt = at.add({ minutes: 6 + Math.floor(chance(number, index) * 40) })
        if (!isPast(at) || !isPast(redeemedAt)) return []
        const amountRappen = amountOf(deal.price_rappen, ago * 31 + index, number)
        const isUsed = chance(index + number, ago + 5) < 0.75
        return [{ dealId: deal.deal_id, claimedAt: at, redeemedAt: isUsed ? redeemedAt : null, amountRappen }]
      }).flat()
    })
  }
}

/** One to three times the deal's price. A deal without a price gets an invented one. */
function amountOf(priceRappen: number | null, a: number, b: number): number {
  const price = priceRappen ?? 900 + 50 * Math.floor(chance(a, b + 1) * 36)
  return price * (1 + Math.floor(chance(b + 3, a) * 2.4))
}

/** Today and the 29 days before it, today first. */
export function pastDays(now: Temporal.Instant, zone: string): Temporal.PlainDate[] {
  const today = now.toZonedDateTimeISO(zone).toPlainDate()
  return Array.from({ length: 30 }, (_, ago) => today.subtract({ days: ago }))
}

/** Busy hours of a category, in the festival's time zone; 24 is midnight, 25 is 01:00. */
export const busyHours: Record<string, readonly number[]> = {
  food: [11, 12, 12, 13, 18, 19, 19, 20, 21],
  drinks: [17, 18, 19, 20, 21, 21, 22, 23],
  nightlife: [20, 21, 22, 23, 23, 24, 25],
}
export const otherHours = [10, 11, 12, 13, 14, 15, 16, 17, 18] as const

function busyMoment(category: string, day: Temporal.PlainDate, zone: string, seed: number): Temporal.Instant {
  const hours = busyHours[category] ?? otherHours
  const hour = hours[seed % hours.length]!
  return day
    .toZonedDateTime({ timeZone: zone })
    .add({ hours: hour, minutes: Math.floor(chance(seed, hour) * 60) })
    .toInstant()
}

/** Pseudo-random from 0 to 1: the same for the same numbers. */
export const chance = (a: number, b: number) => (a * 0.618034 + b * 0.754878 + ((a * b) % 7) * 0.131) % 1
