import { sql } from 'kysely'
import type { Sql } from '../../kit/server/database.ts'
import { deleteInSteps } from '../../kit/server/delete-in-steps.ts'
import { query } from '../../kit/server/statement.ts'

/** The day's salt, the same for all instances: the first to ask sets it to `fresh`. */
export async function saltOfDay(db: Sql, day: string, fresh: Buffer): Promise<Buffer> {
  const { rows } = await sql<{ salt: Buffer }>`
    insert into view_salts (day, salt) values (${day}, ${fresh})
    on conflict (day) do update set day = excluded.day
    returning salt`.execute(db)
  return rows[0]!.salt
}

export interface GatheredView {
  kind: string
  subjectId: string
  visitor: Buffer
  /** Hash of the network address, for the limit of all visitors at this address together. */
  address: Buffer
  views: number
}

/**
 * Counts many views in one statement, so that the limit of a visitor holds over all instances. `given` has each pair of visitor and
 * subject once. Rows are locked in one order, so that two statements cannot deadlock.
 */
export async function countViews(
  db: Sql,
  given: readonly GatheredView[],
  now: Date,
  limits: { windowMinutes: number; countedPerWindow: number; countedPerAddress: number },
): Promise<void> {
  const isWindowOver = `v.window_began_at <= excluded.window_began_at - make_interval(mins => $windowMinutes::int)`
  /** Grants as many views as the limit still allows in the time window. At the limit no row is returned, so nothing is counted. */
  const granting = (limit: string) => `
    on conflict (kind, subject_id, visitor) do update set
      granted = least(excluded.granted, ${limit}::int - case when ${isWindowOver} then 0 else v.counted end),
      counted = least(${limit}::int, excluded.granted + case when ${isWindowOver} then 0 else v.counted end),
      window_began_at = case when ${isWindowOver} then excluded.window_began_at else v.window_began_at end
    where v.counted < ${limit}::int or ${isWindowOver}`
  await query(
    db,
    `with given as (
      select kind, subject_id, visitor, address, views, position
      from unnest($kinds::text[], $subjects::uuid[], $visitors::bytea[], $addresses::bytea[], $views::int[])
        with ordinality as g (kind, subject_id, visitor, address, views, position)
    ), place as (
      insert into view_visits as v (kind, subject_id, visitor, window_began_at, counted, granted)
      select kind, subject_id, address, $now::timestamptz, wanted, wanted from (
        select kind, subject_id, address, least(sum(views), $countedPerAddress::int)::int as wanted from given group by 1, 2, 3
      ) places
      order by kind, subject_id, address
      ${granting('$countedPerAddress')}
      returning kind, subject_id, visitor as address, granted
    ), shared as (
      select kind, subject_id, visitor,
        least(views, granted - coalesce(sum(views) over (
          partition by kind, subject_id, address order by position rows between unbounded preceding and 1 preceding
        ), 0))::int as wanted
      from given join place using (kind, subject_id, address)
    ), visit as (
      insert into view_visits as v (kind, subject_id, visitor, window_began_at, counted, granted)
      select kind, subject_id, visitor, $now::timestamptz, least(wanted, $countedPerWindow::int), least(wanted, $countedPerWindow::int)
      from shared where wanted > 0
      order by kind, subject_id, visitor
      ${granting('$countedPerWindow')}
      returning kind, subject_id, visitor, granted, (xmax = 0) as first
    )
    insert into view_hours as h (kind, subject_id, hour, views, visitors)
    select kind, subject_id, date_trunc('hour', $now::timestamptz, 'UTC'), sum(granted), count(*) filter (where first)
    from visit group by kind, subject_id order by kind, subject_id
    on conflict (kind, subject_id, hour) do update set
      views = h.views + excluded.views, visitors = h.visitors + excluded.visitors`,
    {
      kinds: given.map(({ kind }) => kind),
      subjects: given.map(({ subjectId }) => subjectId),
      visitors: given.map(({ visitor }) => visitor),
      addresses: given.map(({ address }) => address),
      views: given.map(({ views }) => views),
      now,
      ...limits,
    },
  )
}

export async function forgetVisitors(db: Sql, before: Date): Promise<void> {
  await deleteInSteps(db, 'view_visits', sql`r.window_began_at < ${before}`)
  await sql`delete from view_salts where day < ${before}::date`.execute(db)
}

/** Subjects with visits older than `before`, in steps: ordered by id, starting after the id `after`. */
export async function subjectsOfVisitors(
  db: Sql,
  kind: string,
  before: Date,
  after: string | null,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ subject_id: string }>`
    select distinct subject_id from view_visits
    where kind = ${kind} and window_began_at < ${before} and (${after}::uuid is null or subject_id > ${after}::uuid)
    order by subject_id limit ${limit}`.execute(db)
  return rows.map((row) => row.subject_id)
}

export async function forgetSubjects(db: Sql, kind: string, subjectIds: string[]): Promise<void> {
  await sql`delete from view_visits where kind = ${kind} and subject_id = any(${subjectIds}::uuid[])`.execute(db)
  await sql`delete from view_hours where kind = ${kind} and subject_id = any(${subjectIds}::uuid[])`.execute(db)
}

/** Views by subject and by each 24 h from `from` on; all views before it are day -1. */
export async function viewsByDay(
  db: Sql,
  kind: string,
  subjectIds: string[],
  from: Date,
): Promise<{ subject_id: string; day: number; views: number }[]> {
  const { rows } = await sql<{ subject_id: string; day: number; views: number }>`
    select subject_id,
      case when hour >= ${from} then floor(extract(epoch from hour - ${from}::timestamptz) / 86400)::int else -1 end as day,
      sum(views)::int as views
    from view_hours where kind = ${kind} and subject_id = any(${subjectIds}::uuid[])
    group by 1, 2`.execute(db)
  return rows
}

/** All views of these subjects together, ever. */
export async function totalViews(db: Sql, kind: string, subjectIds: string[]): Promise<number> {
  const { rows } = await sql<{ views: number }>`
    select coalesce(sum(views), 0) as views from view_hours
    where kind = ${kind} and subject_id = any(${subjectIds}::uuid[])`.execute(db)
  return rows[0]!.views
}

/** Views by the hour, for an export of personal data. */
export async function everyHourOf(db: Sql, kind: string, subjectIds: string[]): Promise<Record<string, unknown>[]> {
  const { rows } = await sql<Record<string, unknown>>`
    select kind, subject_id, hour, views, visitors from view_hours
    where kind = ${kind} and subject_id = any(${subjectIds}::uuid[]) order by hour limit 100000`.execute(db)
  return rows
}

interface Span {
  from: Date
  until: Date
}

const within = (kind: string, subjectIds: string[], { from, until }: Span) =>
  sql`kind = ${kind} and subject_id = any(${subjectIds}::uuid[]) and hour >= ${from} and hour < ${until}`
const sums = sql`coalesce(sum(views), 0)::int as views, coalesce(sum(visitors), 0)::int as visitors`

/** Sums by hour and sums by subject, from one read. `hour_s`: seconds since 1970. */
export async function viewsByHourAndSubject(db: Sql, kind: string, subjectIds: string[], span: Span) {
  const { rows } = await sql<{ hour_s: number | null; subject_id: string | null; views: number; visitors: number }>`
    select extract(epoch from hour)::float8 as hour_s, subject_id, ${sums}
    from view_hours where ${within(kind, subjectIds, span)}
    group by grouping sets ((hour), (subject_id))`.execute(db)
  return rows
}

/** Sums over all these subjects. */
export async function viewsIn(db: Sql, kind: string, subjectIds: string[], span: Span) {
  const { rows } = await sql<{ views: number; visitors: number }>`
    select ${sums} from view_hours where ${within(kind, subjectIds, span)}`.execute(db)
  return rows[0]!
}

/** Views and visitors by subject and day (`YYYY-MM-DD` in the time zone). */
export async function viewsBySubjectAndDay(
  db: Sql,
  kind: string,
  subjectIds: string[],
  { zone, ...span }: Span & { zone: string },
) {
  const { rows } = await sql<{ subject_id: string; day: string; views: number; visitors: number }>`
    select subject_id, (hour at time zone ${zone})::date::text as day, ${sums}
    from view_hours where ${within(kind, subjectIds, span)} group by 1, 2`.execute(db)
  return rows
}

/** Inserts past views for the demo. Hours that have views already stay as they are. */
export async function addViewHours(
  trx: Sql,
  rows: { kind: string; subject_id: string; hour: string; views: number; visitors: number }[],
): Promise<void> {
  await sql`
    insert into view_hours select * from json_populate_recordset(null::view_hours, ${JSON.stringify(rows)}::json)
    on conflict do nothing`.execute(trx)
}
