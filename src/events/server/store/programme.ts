import type { Sql } from '../../../kit/server/database.ts'
import type { Stretch } from '../../../kit/server/page.ts'
import { inShapes, query } from '../../../kit/server/statement.ts'
import type { Bounds } from '../../../kit/shared/geo.ts'
import type { EventCategory, Stage } from '../../contract.ts'
import {
  isDeletedPublicly,
  listed,
  venueJson,
  whole,
  withPlace,
  type EventRow,
  type ShownEventRow,
  type WholeEventRow,
} from './event-rows.ts'

/** What narrows a list of events; null: not narrowed. */
export interface Filters {
  day: string | null
  /** Festival days, both included. */
  dayFrom: string | null
  dayTo: string | null
  category: EventCategory | null
  stage: string | null
  venue: string | null
  /** Search words as typed. */
  q: string | null
  free: boolean
  family: boolean
  /** Without cancelled ones. */
  upcoming: boolean
  /** Events that begin after this moment. */
  beginsAfter: Date | null
  /** Events that end after this moment, and begin before `to`. */
  from: Date | null
  to: Date | null
  ids: readonly string[] | null
  /** true: drafts too, for staff. */
  drafts?: boolean
  /** true: only deleted events that were published. */
  deleted?: boolean
}

/** Which filters narrow the list. */
type Shape = Record<keyof Filters, boolean>

const shapeOf = (filters: Filters) =>
  Object.fromEntries(Object.entries(filters).map(([name, value]) => [name, value !== null && value !== false])) as Shape

const wanted = (shape: Shape) =>
  [
    // deleted events are drafts too
    shape.deleted ? isDeletedPublicly : shape.drafts ? 'e.deleted_at is null' : "e.state <> 'draft'",
    shape.day &&
      '(e.festival_day = $day::date or (e.last_day > e.festival_day and e.festival_day < $day::date and e.last_day >= $day::date))',
    shape.dayFrom &&
      '(e.festival_day >= $dayFrom::date or (e.last_day > e.festival_day and e.last_day >= $dayFrom::date))',
    shape.dayTo && 'e.festival_day <= $dayTo::date',
    shape.category && 'e.category = $category',
    shape.stage && 'e.stage_id = $stage::uuid',
    shape.venue && 'e.stage_id in (select stage_id from stages where venue_id = $venue::uuid)',
    shape.q && 'e.doc @@ event_query($q)',
    shape.free && 'e.price_rappen = 0',
    shape.family && 'e.family_friendly',
    shape.upcoming && "e.state <> 'cancelled'",
    shape.beginsAfter && 'e.starts_at > $beginsAfter::timestamptz',
    shape.from && 'e.over_at > $from::timestamptz',
    shape.to && 'e.starts_at < $to::timestamptz',
    shape.ids && 'e.event_id = any($ids::uuid[])',
  ]
    .filter(Boolean)
    .join(' and ')

/** Lists events in order of time, after the row `after`; published ones, unless the filters say otherwise. */
function listWith<Row>(columns: string) {
  const statement = inShapes(
    ({ after, ...shape }: Shape & { after: boolean }) => `
    select ${columns} from events e ${withPlace}
    where ${wanted(shape as Shape)} ${after ? 'and (e.starts_at, e.event_id) > ($at::timestamptz, $id::uuid)' : ''}
    order by e.starts_at, e.event_id limit $limit offset $offset`,
  )
  return (db: Sql, filters: Filters, { after, ...window }: Stretch): Promise<Row[]> =>
    query<Row>(db, statement({ ...shapeOf(filters), after: after !== null }), { ...filters, ...after, ...window })
}
export const listEvents = listWith<EventRow>(listed)
export const listWholeEvents = listWith<WholeEventRow>(whole)

const latestStatement = inShapes(
  (shape: Shape) => `
  select ${whole}, e.content from events e ${withPlace}
  where ${wanted(shape)} order by e.starts_at desc, e.event_id desc limit $limit`,
)
const countStatement = inShapes(
  (shape: Shape) => `select count(*) from (select from events e where ${wanted(shape)} limit $cap) counted`,
)
const firstDayStatement = inShapes(
  (shape: Shape) => `
  select case when is_left then greatest(festival_day, $today::date) else festival_day end as day
  from (select e.festival_day, e.over_at > $now::timestamptz as is_left from events e where ${wanted(shape)}) found
  order by is_left desc, case when is_left then festival_day end, festival_day desc limit 1`,
)

/** The latest `limit` events, in order of time; for feeds. */
export async function listLatestEvents(db: Sql, filters: Filters, limit: number): Promise<ShownEventRow[]> {
  const rows = await query<ShownEventRow>(db, latestStatement(shapeOf(filters)), { ...filters, limit })
  return rows.toReversed()
}

/** The first festival day on which an event that matches is not over, else the last day of one; null: nothing matches. */
export async function firstDayWith(
  db: Sql,
  filters: Filters,
  { now, today }: { now: Date; today: string },
): Promise<string | null> {
  const rows = await query<{ day: string }>(db, firstDayStatement(shapeOf(filters)), { ...filters, now, today })
  return rows[0]?.day ?? null
}

/** How many events match, at most `cap`. */
export async function countEvents(db: Sql, filters: Filters, cap: number): Promise<number> {
  const rows = await query<{ count: number }>(db, countStatement(shapeOf(filters)), { ...filters, cap })
  return rows[0]!.count
}

export interface DayWithEvents {
  day: string
  /** Those that go on count on each of their days. */
  events: number
  /** How many begin on this day. */
  begun: number
  /** ISO instant at which the last of them is over; null: all of them are cancelled, all day, or go on for days. */
  over_at: string | null
}

/** The latest `limit` days with events, in order. */
export async function listDays(db: Sql, limit: number): Promise<DayWithEvents[]> {
  const rows = await query<DayWithEvents>(
    db,
    // of events that go on, the number on each day is the sum of those begun less those ended
    `with many as (select festival_day, last_day from events where last_day > festival_day and state <> 'draft'),
     steps as (
       select day, sum(step) as step from (
         select festival_day + 1 as day, 1 as step from many union all select last_day + 1, -1 from many) each_step
       group by day),
     stretches as (
       select day, lead(day) over (order by day) as until, sum(step) over (order by day) as events from steps)
     select day, sum(events)::int as events, sum(begun)::int as begun, max(over_at) as over_at from (
       select festival_day as day, count(*) as events, count(*) as begun,
         max(over_at) filter (where state <> 'cancelled' and not all_day and last_day = festival_day) as over_at
       from events where state <> 'draft' group by festival_day
       union all
       select each_day::date, events, 0, null from stretches, generate_series(day, until - 1, interval '1 day') each_day
       where events > 0) days
     group by day order by day desc limit $limit`,
    { limit },
  )
  return rows.toReversed()
}

/** Stages in the order of the programme: those with published events, or `all`. */
export async function listStages(db: Sql, limit: number, which: 'used' | 'all' = 'used'): Promise<Stage[]> {
  const isUsed = `exists (select from events e where e.stage_id = s.stage_id and e.state <> 'draft')`
  return query(
    db,
    `select s.stage_id, s.stage_name as stage, ${venueJson} as venue
     from stages s join venues v using (venue_id) ${which === 'used' ? `where ${isUsed}` : ''}
     order by s.position, s.stage_name, s.stage_id limit $limit`,
    { limit },
  )
}

export async function listCategories(db: Sql): Promise<EventCategory[]> {
  const rows = await query<{ category: EventCategory }>(
    db,
    `select category from events where state <> 'draft' group by category order by count(*) desc, category limit 20`,
    {},
  )
  return rows.map(({ category }) => category)
}

/** The event that runs at a stage or venue, or comes next there. */
export interface NearEvent {
  place_id: string
  which: 'now' | 'next'
  event_id: string
}

/** At most one running event a place, the one that began last, and one that begins next; without cancelled and all-day ones. */
const nearEvents = (place: 'stage_id' | 'venue_id', from: string, only: string) => `
  select distinct on (place_id, which) place_id, which, event_id from (
    select ${place} as place_id, e.event_id, e.starts_at,
      case when e.starts_at <= $at::timestamptz then 'now' else 'next' end as which
    from ${from}
    where e.over_at > $at::timestamptz and e.starts_at < $until::timestamptz and e.state not in ('draft', 'cancelled')
      and not e.all_day and ${only}
  ) near
  order by place_id, which,
    case when which = 'now' then -extract(epoch from starts_at) else extract(epoch from starts_at) end limit 2000`

export async function listNowNext(db: Sql, at: Date, until: Date): Promise<NearEvent[]> {
  return query(db, nearEvents('stage_id', 'events e', 'e.stage_id is not null'), { at, until })
}

const venuesStatement = inShapes(({ q, category }: { q: boolean; category: boolean }) =>
  nearEvents(
    'venue_id',
    'events e join stages s using (stage_id) join venues v using (venue_id)',
    `v.latitude between $south and $north and v.longitude between $west and $east
      ${q ? 'and e.doc @@ event_query($q)' : ''} ${category ? 'and e.category = $category' : ''}`,
  ),
)

/** The same of the venues in the box. */
export async function listVenuesNow(
  db: Sql,
  at: Date,
  until: Date,
  { box, q, category }: { box: Bounds; q: string | null; category: string | null },
): Promise<NearEvent[]> {
  return query(db, venuesStatement({ q: q !== null, category: category !== null }), { at, until, ...box, q, category })
}

const changesStatement = inShapes(({ after }: { after: boolean }) => {
  const part = (table: string, at: string, only: string) => `
    (select ${at} as changed_at, event_id from ${table}
     where ${at} >= $since::timestamptz ${only}
       ${after ? `and (${at}, event_id) > ($at::timestamptz, $id::uuid)` : ''}
     order by ${at}, event_id limit $offset::int + $limit::int)`
  return `
  select changed_at, event_id from (
    ${part('events', 'updated_at', "and state <> 'draft'")} union all ${part('removed_events', 'removed_at', '')}
  ) changed order by changed_at, event_id limit $limit offset $offset`
})

/** Published events and removed ones that changed since, in order of their last change. */
export async function listChanged(
  db: Sql,
  since: Date,
  page: Stretch,
): Promise<{ changed_at: string; event_id: string }[]> {
  const { after, ...window } = page
  return query(db, changesStatement({ after: after !== null }), { since, ...after, ...window })
}

/** How many events changed since, at most `cap`. */
export async function countChanged(db: Sql, since: Date, cap: number): Promise<number> {
  const rows = await query<{ count: number }>(
    db,
    `select count(*)::int as count from (
       (select event_id from events where updated_at >= $since::timestamptz and state <> 'draft' limit $cap)
       union all (select event_id from removed_events where removed_at >= $since::timestamptz limit $cap)) changed`,
    { since, cap },
  )
  return Math.min(rows[0]!.count, cap)
}

/** The event before or after this one on its stage, on the same festival day. */
export async function findOnStage(db: Sql, of: EventRow, side: 'previous' | 'next'): Promise<EventRow | undefined> {
  const [compare, order] = side === 'previous' ? ['<', 'desc'] : ['>', 'asc']
  const rows = await query<EventRow>(
    db,
    `select ${listed} from events e ${withPlace}
     where e.stage_id = $stageId and e.state <> 'draft' and e.event_id <> $eventId
       and (e.starts_at, e.event_id) ${compare} ($startsAt::timestamptz, $eventId::uuid)
       and e.festival_day = $day::date and not e.all_day
     order by e.starts_at ${order}, e.event_id ${order} limit 1`,
    { stageId: of.stage_id, eventId: of.event_id, startsAt: of.starts_at, day: of.festival_day },
  )
  return rows[0]
}

/** Events that run at the same time, those that overlap most first; without all-day ones, which overlap everything. */
export async function listParallel(db: Sql, of: EventRow, limit: number): Promise<EventRow[]> {
  return query<EventRow>(
    db,
    `select ${listed} from events e ${withPlace}
     where e.over_at > $startsAt::timestamptz and e.starts_at < $overAt::timestamptz and e.event_id <> $eventId
       and e.state not in ('draft', 'cancelled') and not e.all_day
     order by least(e.over_at, $overAt::timestamptz) - greatest(e.starts_at, $startsAt::timestamptz) desc,
       e.starts_at, e.event_id limit $limit`,
    { startsAt: of.starts_at, overAt: of.over_at, eventId: of.event_id, limit },
  )
}

/** Other events of this event's performers. */
export async function listSets(db: Sql, of: EventRow, limit: number): Promise<EventRow[]> {
  return query<EventRow>(
    db,
    `select ${listed} from events e ${withPlace}
     where e.event_id in (
       select other.event_id from event_performers own join event_performers other using (performer_id)
       where own.event_id = $eventId and other.event_id <> $eventId)
       and e.state <> 'draft'
     order by e.starts_at, e.event_id limit $limit`,
    { eventId: of.event_id, limit },
  )
}

/** At most `limit` published events, the newest first; for the sitemap. */
export async function listEventPages(db: Sql, limit: number): Promise<{ id: string; updated_at: Date }[]> {
  return db
    .selectFrom('events')
    .select(['event_id as id', 'updated_at'])
    .where('state', '<>', 'draft')
    .orderBy('event_id', 'desc')
    .limit(limit)
    .execute()
}
