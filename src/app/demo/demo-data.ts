import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Clock } from '../../kit/server/clock.ts'
import type { Database, Sql } from '../../kit/server/database.ts'
import { distanceKm, type Position } from '../../kit/shared/geo.ts'
import { rappenFromChf } from '../../kit/shared/money.ts'
import { slugOf } from '../../kit/shared/slug.ts'
import { demoBusinesses, type DemoBusiness } from './businesses.ts'
import { demoDeals, type DemoDeal } from './deals.ts'

interface Festival {
  /** The moment from which all times of the content are counted. */
  now: Temporal.Instant
  zone: string
  centre: Position
}

/**
 * Fills an empty database with the merchants and deals of `businesses.ts` and `deals.ts`. Does nothing once there is any
 * business; two instances that start together fill it once. The same clock gives the same rows, and ids depend on names
 * alone, so a link to a demo deal stays good from one data folder to the next.
 */
export async function fillDemoData({
  db,
  clock,
  zone,
  centre,
}: {
  db: Database
  clock: Clock
  zone: string
  centre: Position
}): Promise<void> {
  const festival = { now: clock.now(), zone, centre }
  await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtext('fill demo data'))`.execute(trx)
    const { rows } = await sql`select 1 from businesses limit 1`.execute(trx)
    if (rows.length > 0) return
    await insertRows(trx, 'businesses', businessRows(festival))
    await insertRows(trx, 'deals', dealRows(festival))
  })
}

/** Sends the rows as one JSON text, so that a statement of one parameter fills any number of columns. */
async function insertRows(db: Sql, table: 'businesses' | 'deals', rows: object[]): Promise<void> {
  const columns = sql.join(Object.keys(rows[0]!).map((column) => sql.ref(column)))
  await sql`
    insert into ${sql.table(table)} (${columns})
    select ${columns} from json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::json)`.execute(
    db,
  )
}

export function businessRows({ now, centre }: Pick<Festival, 'now' | 'centre'>) {
  return demoBusinesses.map((business, index) => {
    const position = business.at && positionNear(centre, business.at)
    const canton = business.canton ?? 'BS'
    const created = now.subtract({ hours: 24 * (45 + ((index * 37) % 300)) })
    return {
      business_id: businessId(business.name),
      business_name: business.name,
      slug: slugOf(business.name),
      email: `hello@${slugOf(business.name).slice(0, 40)}.example`,
      address: business.address,
      description: business.about ?? null,
      category: business.category,
      phone: business.phone ?? null,
      website: business.website ?? null,
      open_hours: business.hours,
      hours_known: business.hours !== null && !business.hoursUnclear,
      canton,
      latitude: position?.latitude ?? null,
      longitude: position?.longitude ?? null,
      subscription_tier: business.tier ?? 'FREE',
      featured_until: business.promoted ? now.add({ hours: 21 * 24 }).toString() : null,
      claimed: true,
      created_at: created.toString(),
      updated_at: now.subtract({ hours: 5 + ((index * 29) % 400) }).toString(),
    }
  })
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

export function businessId(name: string): string {
  return stableId(`business ${name}`)
}

/** A UUIDv7 made of a text: random bits and, within the year 2025, the time from its hash. */
function stableId(text: string): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16)
  const yearMs = 365 * 24 * 3_600_000
  bytes.writeUIntBE(Date.UTC(2025, 0) + Math.floor((bytes.readUInt32BE(0) / 2 ** 32) * yearMs), 0, 6)
  bytes[6] = 0x70 | (bytes[6]! & 0x0f)
  bytes[8] = 0x80 | (bytes[8]! & 0x3f)
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

const basel: Position = { latitude: 47.5596, longitude: 7.5886 }
const farKm = 20

/** Where the demo puts a place of Basel: there, or at the same spot seen from the centre of a festival elsewhere. */
function positionNear(centre: Position, [latitude, longitude]: [number, number]): Position {
  if (distanceKm(centre, basel) < farKm) return { latitude, longitude }
  const stretch =
    Math.cos((basel.latitude * Math.PI) / 180) / Math.max(0.1, Math.cos((centre.latitude * Math.PI) / 180))
  return {
    latitude: centre.latitude + latitude - basel.latitude,
    longitude: centre.longitude + (longitude - basel.longitude) * stretch,
  }
}
