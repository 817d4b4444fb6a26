import { sql } from 'kysely'
import type { Sql } from '../../kit/server/database.ts'
import { deleteInSteps } from '../../kit/server/delete-in-steps.ts'
import { query } from '../../kit/server/statement.ts'

export interface Shown {
  beaconId: string
  dealId: string
  hour: Date
}

/**
 * Counts what was shown, in one statement; a beacon that is there already counts nothing. The rows are taken in the order
 * of their deals, so that no two statements wait for each other.
 */
export async function countShown(db: Sql, shown: readonly Shown[], now: Date): Promise<void> {
  await query(
    db,
    `with given as (
      select * from unnest($beacons::uuid[], $deals::uuid[], $hours::timestamptz[]) g (beacon_id, deal_id, hour)
    ), fresh as (
      insert into analytics_beacons (beacon_id, at) select distinct beacon_id, $now::timestamptz from given
      on conflict do nothing returning beacon_id
    )
    insert into analytics_hours as h (deal_id, hour, impressions)
    select deal_id, hour, count(distinct beacon_id) from given join fresh using (beacon_id)
    group by deal_id, hour order by deal_id, hour
    on conflict (deal_id, hour) do update set impressions = h.impressions + excluded.impressions`,
    {
      beacons: shown.map(({ beaconId }) => beaconId),
      deals: shown.map(({ dealId }) => dealId),
      hours: shown.map(({ hour }) => hour.toISOString()),
      now,
    },
  )
}

export interface Change {
  dealId: string
  hour: Date
  /** The sums of its day may be made already. */
  isLate: boolean
  saves: number
  claims: number
  redemptions: number
  salesRappen: number
}

/** Counts up, or down what was taken back, which never goes below nothing. */
export async function count(
  trx: Sql,
  { dealId, hour, isLate, saves, claims, redemptions, salesRappen }: Change,
): Promise<void> {
  await query(
    trx,
    `with late as (
      insert into analytics_late (deal_id, day)
      select $dealId::uuid, ($hour::timestamptz at time zone 'UTC')::date where $isLate::bool
      on conflict do nothing
    )
    insert into analytics_hours as h (deal_id, hour, saves, claims, redemptions, sales_rappen)
    values ($dealId::uuid, $hour::timestamptz, greatest(0, $saves::int), greatest(0, $claims::int),
      greatest(0, $redemptions::int), greatest(0, $sales::bigint))
    on conflict (deal_id, hour) do update set
      saves = greatest(0, h.saves + $saves::int), claims = greatest(0, h.claims + $claims::int),
      redemptions = greatest(0, h.redemptions + $redemptions::int),
      sales_rappen = greatest(0, h.sales_rappen + $sales::bigint)`,
    { dealId, hour, isLate, saves, claims, redemptions, sales: salesRappen },
  )
}

export interface CountedRow {
  impressions: number
  saves: number
  claims: number
  redemptions: number
  sales_rappen: number
}

export interface Span {
  from: Date
  until: Date
}

const sums = `coalesce(sum(impressions), 0)::int as impressions, coalesce(sum(saves), 0)::int as saves,
  coalesce(sum(claims), 0)::int as claims, coalesce(sum(redemptions), 0)::int as redemptions,
  coalesce(sum(sales_rappen), 0)::float8 as sales_rappen`
const within = 'deal_id = any($dealIds::uuid[]) and hour >= $from::timestamptz and hour < $until::timestamptz'

/** Read once, added up by hour and by deal. `hour_s`: seconds since 1970. */
export async function countedBy(
  db: Sql,
  dealIds: string[],
  span: Span,
): Promise<(CountedRow & { hour_s: number | null; deal_id: string | null })[]> {
  return query(
    db,
    `select extract(epoch from hour)::float8 as hour_s, deal_id, ${sums}
    from analytics_hours where ${within} group by grouping sets ((hour), (deal_id))`,
    { dealIds, ...span },
  )
}

export async function countedIn(db: Sql, dealIds: string[], span: Span): Promise<CountedRow> {
  const rows = await query<CountedRow>(db, `select ${sums} from analytics_hours where ${within}`, { dealIds, ...span })
  return rows[0]!
}

/** What was added up of past days, opens included. */
export interface SummedRow extends CountedRow {
  opens: number
  visitors: number
}

const summed = `${sums}, coalesce(sum(opens), 0)::int as opens, coalesce(sum(visitors), 0)::int as visitors`

/** Before when the sums of these deals are right from `since` on. */
export async function summedUntil(db: Sql, dealIds: string[], since: Date): Promise<Date> {
  const rows = await query<{ until_s: number }>(
    db,
    `select extract(epoch from least(
      (select until from analytics_summed),
      (select min(day) from analytics_late
        where deal_id = any($dealIds::uuid[]) and day >= ($since::timestamptz at time zone 'UTC')::date)
    )::timestamp)::float8 as until_s`,
    { dealIds, since },
  )
  return new Date(rows[0]!.until_s * 1000)
}

export async function summedHours(
  db: Sql,
  businessId: string,
  span: Span,
): Promise<(SummedRow & { hour_s: number })[]> {
  return query(
    db,
    `select extract(epoch from hour)::float8 as hour_s, impressions, opens, visitors, saves, claims, redemptions,
      sales_rappen::float8 as sales_rappen
    from analytics_business_hours
    where business_id = $businessId::uuid and hour >= $from::timestamptz and hour < $until::timestamptz`,
    { businessId, ...span },
  )
}

export async function summedIn(db: Sql, businessId: string, span: Span): Promise<SummedRow> {
  const rows = await query<SummedRow>(
    db,
    `select ${summed} from analytics_business_hours
    where business_id = $businessId::uuid and hour >= $from::timestamptz and hour < $until::timestamptz`,
    { businessId, ...span },
  )
  return rows[0]!
}

/** By deal; the span begins and ends with days of UTC. */
export async function summedDeals(
  db: Sql,
  dealIds: string[],
  span: Span,
): Promise<(SummedRow & { deal_id: string })[]> {
  return query(
    db,
    `select deal_id, ${summed} from analytics_days
    where deal_id = any($dealIds::uuid[]) and day >= ($from::timestamptz at time zone 'UTC')::date
      and day < ($until::timestamptz at time zone 'UTC')::date
    group by deal_id`,
    { dealIds, ...span },
  )
}

/** Adds up at most a month of the days before `until`; false: there are none left. */
export async function sumNextDays(trx: Sql, until: string): Promise<boolean> {
  const { rows } = await sql<{ first: string; next: string }>`
    select first::text, least(first + 31, ${until}::date)::text as next from (
      select case when s.until > '2000-01-01' then s.until else coalesce(analytics_first_day(), ${until}::date) end as first
      from (select until from analytics_summed for update) s) known
    where first < ${until}::date`.execute(trx)
  const [days] = rows
  if (!days) return false
  await sql`select analytics_sum(${days.first}::date, ${days.next}::date, null)`.execute(trx)
  await sql`update analytics_summed set until = ${days.next}::date`.execute(trx)
  return true
}

/** Adds up one day anew that was changed late; false: there is none. What changes meanwhile is late once more. */
export async function sumLateDay(trx: Sql): Promise<boolean> {
  const { rows } = await sql<{ deal_id: string; day: string }>`
    delete from analytics_late where day = (select min(day) from analytics_late) returning deal_id, day::text`.execute(
    trx,
  )
  if (rows.length === 0) return false
  const dealIds = rows.map(({ deal_id }) => deal_id)
  await sql`
    select analytics_sum(${rows[0]!.day}::date, ${rows[0]!.day}::date + 1, ${dealIds}::uuid[])`.execute(trx)
  return true
}

/** By deal and day of a zone, `YYYY-MM-DD`. */
export async function countedByDealAndDay(
  db: Sql,
  dealIds: string[],
  { zone, ...span }: Span & { zone: string },
): Promise<(CountedRow & { deal_id: string; day: string })[]> {
  return query(
    db,
    `select deal_id, (hour at time zone $zone)::date::text as day, ${sums}
    from analytics_hours where ${within} group by 1, 2`,
    { dealIds, zone, ...span },
  )
}

export async function forgetBeacons(db: Sql, before: Date): Promise<void> {
  await deleteInSteps(db, 'analytics_beacons', sql`r.at < ${before}`)
}

/** Everything that is kept of some deals. */
export async function everythingOf(db: Sql, dealIds: string[]): Promise<Record<string, unknown>[]> {
  const { rows } = await sql<Record<string, unknown>>`
    select deal_id, hour, impressions, saves, claims, redemptions, sales_rappen from analytics_hours
    where deal_id = any(${dealIds}::uuid[]) order by hour limit 100000`.execute(db)
  return rows
}

/** The same, added up by day. */
export async function daysOf(db: Sql, dealIds: string[]): Promise<Record<string, unknown>[]> {
  const { rows } = await sql<Record<string, unknown>>`
    select deal_id, day, impressions, opens, visitors, saves, claims, redemptions, sales_rappen from analytics_days
    where deal_id = any(${dealIds}::uuid[]) order by day limit 100000`.execute(db)
  return rows
}

/** The same of past days, of all deals of a business together. */
export async function sumsOf(db: Sql, businessId: string): Promise<Record<string, unknown>[]> {
  const { rows } = await sql<Record<string, unknown>>`
    select hour, impressions, opens, visitors, saves, claims, redemptions, sales_rappen from analytics_business_hours
    where business_id = ${businessId} order by hour limit 100000`.execute(db)
  return rows
}
