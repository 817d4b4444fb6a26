import { sql } from 'kysely'
import type { Sql } from '../../kit/server/database.ts'
import { deleteInSteps } from '../../kit/server/delete-in-steps.ts'
import { query } from '../../kit/server/statement.ts'

export interface ShownDeal {
  beaconId: string
  dealId: string
  hour: Date
}

/**
 * Counts impressions in one statement. Beacons that were counted before are ignored. Rows are locked in the order of their deals, so
 * that two statements cannot deadlock.
 */
export async function countShown(db: Sql, shown: readonly ShownDeal[], now: Date): Promise<void> {
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

/** Adds to the counts of a deal and hour. Negative numbers subtract, after an undo; no count goes below 0. */
export async function count(
  trx: Sql,
  change: { dealId: string; hour: Date; saves: number; claims: number; redemptions: number; sales: number },
): Promise<void> {
  await query(
    trx,
    `insert into analytics_hours as h (deal_id, hour, saves, claims, redemptions, sales_rappen)
    values ($dealId::uuid, $hour::timestamptz, greatest(0, $saves::int), greatest(0, $claims::int),
      greatest(0, $redemptions::int), greatest(0, $sales::bigint))
    on conflict (deal_id, hour) do update set
      saves = greatest(0, h.saves + $saves::int), claims = greatest(0, h.claims + $claims::int),
      redemptions = greatest(0, h.redemptions + $redemptions::int),
      sales_rappen = greatest(0, h.sales_rappen + $sales::bigint)`,
    change,
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

/** Sums by hour and sums by deal, from one read. `hour_s`: seconds since 1970. */
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

/** Sums by deal and day (`YYYY-MM-DD` in the time zone). */
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

/** All stored figures of some deals, for an export of personal data. */
export async function exportOf(db: Sql, dealIds: string[]): Promise<Record<string, unknown>[]> {
  const { rows } = await sql<Record<string, unknown>>`
    select deal_id, hour, impressions, saves, claims, redemptions, sales_rappen from analytics_hours
    where deal_id = any(${dealIds}::uuid[]) order by hour limit 100000`.execute(db)
  return rows
}
