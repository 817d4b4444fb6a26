import { demoBusinesses, type DemoBusiness } from '../../businesses/demo/businesses.ts'
import { businessId } from '../../businesses/demo/demo-businesses.ts'
import type { Sql } from '../../kit/server/database.ts'
import { insertRows, stableId } from '../../kit/server/demo-rows.ts'
import type { Position } from '../../kit/shared/geo.ts'
import { rappenFromChf } from '../../kit/shared/money.ts'
import { positionNear } from '../../map/demo/position-near.ts'
import { demoDeals, demoLanguages, type DemoDeal } from './deals.ts'

/** The moment from which all times of the demo are counted, and where it takes place. */
interface Festival {
  now: Temporal.Instant
  zone: string
  centre: Position
}

/** Fills the deals of `deals.ts` in; their merchants must be there. */
export async function fillDemoDeals(trx: Sql, festival: Festival): Promise<void> {
  await insertRows(trx, 'deals', dealRows(festival))
}

export function dealRows(festival: Festival) {
  const businesses = new Map(demoBusinesses.map((business) => [business.name, business]))
  return Object.entries(demoDeals)
    .flatMap(([merchant, deals]) => deals.map((deal) => ({ deal, business: businesses.get(merchant)! })))
    .map(({ deal, business }, index) => dealRow(deal, business, index, festival))
}

function dealRow(deal: DemoDeal, business: DemoBusiness, index: number, { now, zone, centre }: Festival) {
  const starts = deal.from === undefined ? null : momentOf(deal.from, 'start', now, zone)
  const ends = deal.until === undefined ? null : momentOf(deal.until, 'end', now, zone)
  const written = now.subtract({ minutes: minutesAgo(index) })
  const created = starts && Temporal.Instant.compare(starts, written) < 0 ? starts.subtract({ hours: 20 }) : written
  const at = deal.at === undefined ? business.at : deal.at
  const position = at && positionNear(centre, at)
  const [startTime, endTime] = deal.hours?.split('-') ?? []
  return {
    deal_id: stableId(`deal ${business.name} ${deal.name}`),
    business_id: businessId(business.name),
    deal_name: deal.name,
    lang: demoLanguages[business.name] ?? 'de',
    description: deal.about ?? null,
    price: deal.price ?? null,
    discount: deal.discount ?? null,
    category: deal.category ?? business.category,
    tags: deal.tags ?? [],
    terms: deal.terms ?? null,
    state: deal.state ?? 'published',
    starts_at: starts?.toString() ?? null,
    ends_at: ends?.toString() ?? null,
    active_days: deal.days === undefined ? null : daysMask(deal.days),
    start_time: startTime ?? null,
    end_time: endTime ?? null,
    price_rappen: deal.chf === undefined ? null : rappenFromChf(deal.chf),
    regular_price_rappen: deal.usual === undefined ? null : rappenFromChf(deal.usual),
    regular_price_since: deal.usual === undefined ? null : regularSince(starts ?? created, index, zone),
    total_limit: deal.limit ?? null,
    redeemed_count: deal.gone ?? 0,
    per_user_limit: 1,
    redemption_mode: deal.code ? 'code' : 'none',
    latitude: position?.latitude ?? null,
    longitude: position?.longitude ?? null,
    created_at: created.toString(),
    updated_at: created.toString(),
    // the table's defaults, said here because a record set knows none
    facets: [],
    doc: '',
    rating_count: 0,
    rating_sum: 0,
  }
}

/** Spread over the last 30 days without a pattern that anybody sees: multiples of the golden ratio. */
function minutesAgo(index: number): number {
  return 20 + Math.floor(((index * 0.618034) % 1) * 30 * 24 * 60)
}

/** Asked for 60 to 250 days before the deal began: longer than the 30 days that the price ordinance demands. */
function regularSince(begin: Temporal.Instant, index: number, zone: string): string {
  return begin
    .toZonedDateTimeISO(zone)
    .toPlainDate()
    .subtract({ days: 60 + ((index * 41) % 190) })
    .toString()
}

/** The moment that `text` means, in the words of `DemoDeal.from`. A day without a time is its start or its end. */
export function momentOf(text: string, edge: 'start' | 'end', now: Temporal.Instant, zone: string): Temporal.Instant {
  const [, sign, amount, unit, time] = /^([+-])(\d+) (min|h|d)(?: (\d\d:\d\d))?$/.exec(text) ?? []
  if (!amount) throw new Error(`"${text}" is no moment of the demo data.`)
  const count = Number(`${sign}${amount}`)
  if (unit !== 'd')
    return now
      .add(unit === 'h' ? { hours: count } : { minutes: count })
      .round({ smallestUnit: 'minute', roundingIncrement: 15, roundingMode: 'ceil' })
  const day = now.toZonedDateTimeISO(zone).toPlainDate().add({ days: count })
  return day.toZonedDateTime({ timeZone: zone, plainTime: time ?? (edge === 'start' ? '00:00' : '23:59') }).toInstant()
}

const weekdays = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su']

/** "Fr-Su" or "Mo,We" as bits, Monday the lowest; a range may run over Sunday ("Su-We"). */
export function daysMask(text: string): number {
  let mask = 0
  for (const part of text.split(',')) {
    const [first, last = first] = part.split('-').map((day) => weekdays.indexOf(day))
    if (first === undefined || last === undefined || first < 0 || last < 0) throw new Error(`"${text}" are no days.`)
    for (let day = first; ; day = (day + 1) % 7) {
      mask |= 1 << day
      if (day === last) break
    }
  }
  return mask
}
