import type { Sql } from '../../../kit/server/database.ts'
import { areaValues, scaleWithin, tolerance, type Area } from '../../../kit/server/nearby.ts'
import { inShapes, query } from '../../../kit/server/statement.ts'
import { sponsoredPlaces } from '../sponsored-places.ts'
import { usableAt, version, versionTold, whole, type DealRow, type Placed } from './deal-rows.ts'
import {
  askedBy,
  dealsOf,
  dealsWithWords,
  endsSoon,
  inArea,
  isInArea,
  isListed,
  isSoon,
  isUsable,
  kmAway,
  phase,
  roughlyInArea,
  usableChanges,
  wanted,
  wantedOfAnyCategory,
  wantedValues,
  wasUsable,
  waysToBelong,
  type Asked,
  type Wanted,
} from './wanted.ts'

/** `best` ranks deals nearest first in groups of this many, and inside a group by score. */
export const groupSize = 100
/** The same for those that cannot be used now: larger groups, as what begins soon comes first in each. */
export const laterGroupSize = 300

/**
 * The formula of `best`. What can be used now comes first; then, of the nearest 300 others, what begins within two hours,
 * what begins later today (or may be used today, where nobody knows the hours), and the rest. Within these by score in walking minutes, smaller is better: the
 * walk (straight line × 1.3 at 80 m a minute), less 2 in the last three hours of a deal, 2 for each star above the mean of
 * 3.8, and up to 30 for how well the words match.
 */
const score = `
  distance_km * 16.25 - case when ending_soon then 2 else 0 end - 2 * (rating_bayes - 3.8) - 30 * relevance`
const minutesPerKm = 16.25
/** More than any score is worth. */
const perPhase = 1e6

/** By how many minutes the scores of two deals at one distance may differ, words aside. */
const scoreSpread = 2 + 2 * (5 - 1)

export type DealSort = 'best' | 'distance' | 'rating' | 'ending_soon' | 'new' | 'soonest'

export interface SearchPage {
  sort: DealSort
  offset: number
  limit: number
  /** Paid places at the head: whose turn it is, or those that a first page had; null: none. */
  paid: { turn: number } | { ids: string[] } | null
  /** Of paid places on pages before: they keep their place in the order but are not handed out. */
  excludedIds: string[]
  /** How far to count what is found, where the page is full; null: not at all. */
  cap: number | null
}

export interface FoundRow {
  deal: DealRow
  distance_km: number | null
  ending_soon: boolean
  /** How near its time is, see `phase` in wanted.ts. */
  phase: number
  matched: boolean
  sponsored: boolean
  /** What the search finds in all, null where the page ends before `limit`; absent without `cap`. */
  total?: number | null
  /** All paid places, where the page may not show them all. */
  paid_ids?: string | null
}

/**
 * One page of a search: paid places, then located deals in the order asked for, then those without a place, newest first.
 */
export async function searchDeals(
  db: Sql,
  w: Wanted,
  area: Area,
  page: SearchPage,
  /** For tests in small towns. */
  { many, mostRead } = usualReading,
): Promise<FoundRow[]> {
  const { sort, paid, excludedIds } = page
  const needed = page.offset + page.limit + excludedIds.length + (paid ? sponsoredPlaces : 0)
  const margin = marginOf(w, area, sort === 'best')
  const inGroupsOf = (size: number) => Math.ceil(needed / size) * size
  const statement = searchStatement({
    ...askedBy(w, area),
    sort,
    endsEarly: margin !== null,
    oneGroup: needed <= groupSize,
    oneLaterGroup: needed <= laterGroupSize,
    paid: !paid ? 'none' : 'turn' in paid ? 'now' : 'before',
    tellsPaid: paid !== null && (page.offset > 0 || page.limit < sponsoredPlaces),
    excludes: excludedIds.length > 0,
    counts: page.cap !== null,
  })
  const found = await query<Placed<Told>>(db, statement, {
    ...wantedValues(w),
    ...areaValues(area),
    needed,
    candidates: inGroupsOf(groupSize),
    laterCandidates: inGroupsOf(laterGroupSize),
    margin,
    limit: page.limit,
    offset: page.offset,
    excluded: excludedIds,
    turn: paid && 'turn' in paid ? paid.turn : null,
    paid: paid && 'ids' in paid ? paid.ids : null,
    cap: page.cap,
    many,
    mostRead,
  })
  const rows = await whole(db, w.moment.now, found)
  const same = { phase: 0, matched: w.words !== null }
  return rows.map((row) => ({ ...same, ...row }))
}

/** Without what is the same for all rows. */
type Told = Omit<FoundRow, 'phase' | 'matched'> & Partial<Pick<FoundRow, 'phase' | 'matched'>>

interface SearchShape extends Asked {
  sort: DealSort
  /** The walk outwards may end before its group does, see `marginOf`. */
  endsEarly: boolean
  oneGroup: boolean
  oneLaterGroup: boolean
  paid: 'none' | 'now' | 'before'
  tellsPaid: boolean
  excludes: boolean
  counts: boolean
}

/** Everything is decided and answered on narrow rows; the deals themselves are known by their versions or fetched. */
const searchStatement = inShapes((shape: SearchShape) => {
  const { sort, counts, excludes } = shape
  const told = toldNames(shape)
  const hasPaid = shape.paid !== 'none'
  const isSplit = sort === 'best' && !shape.openNow
  const located =
    sort === 'best'
      ? isSplit
        ? nowThenLater(shape)
        : nearestFirst(shape, 'any')
      : sort === 'distance'
        ? nearestFirst(shape, 'any')
        : sorted(shape, sort)
  const without = `
    union all
    (select d.deal_id, null, ${toldOf(shape)}, ${withoutPlace}, -extract(epoch from d.created_at)::float8
    from ${dealsOf(shape)} where ${wanted(shape)} and d.latitude is null
    order by d.created_at desc, d.deal_id desc limit $needed)`
  const unpaid = `
    select * from (${located} ${shape.box ? '' : without}) p (deal_id, distance_km, ${told}, part, key)
    where ${hasPaid ? 'deal_id not in (select deal_id from paid)' : excludes ? 'deal_id <> all($excluded::uuid[])' : 'true'}`
  const paged = `
    ${hasPaid ? `select deal_id, distance_km, ${told}, ${paidPart} as part, place::float8 as key from paid union all` : ''}
    ${unpaid} order by part, key, deal_id limit $limit offset $offset`
  const parts = [
    ...(hasPaid ? [`paid as (${shape.paid === 'now' ? paidNow(shape) : paidBefore(shape)})`] : []),
    ...(isSplit ? [`usable as materialized (${nearestFirst(shape, 'usable')})`] : []),
    ...(isReadInOrder(shape, sort) ? [`first as materialized (${firstInOrder(shape, sort)})`] : []),
    ...(counts ? [`page as materialized (${paged})`] : []),
  ]
  return `
    ${parts.length > 0 ? `with ${parts.join(', ')}` : ''}
    select deal_id, distance_km, ${told.replace('version', versionTold('version'))}, part < 0 as sponsored
      ${counts ? `, case when (select count(*) from page) = $limit then (${countedFound(shape)}) end as total` : ''}
      ${shape.tellsPaid ? `, (select string_agg(deal_id::text, ' ' order by place) from paid) as paid_ids` : ''}
    from ${counts ? 'page' : `(${paged}) page`} order by part, key, deal_id`
})

/** The part of paid places, before every group. */
const paidPart = '-1::int8'

/**
 * The nearest deal that the search finds of each business promoted now, what can be used now before others, in a fixed order in which the turn moves on by
 * one: three of them have the paid places.
 * @returns rows of (id, distance, what is told, place from 0)
 */
const paidNow = (asked: Asked) => `
  select * from (
    select deal_id, distance_km, ${toldNames(asked)},
      (row_number() over (order by business_id) - 1 + count(*) over () - $turn % count(*) over ()) % count(*) over () as place
    from (
      select p.*, b.business_id
      -- first the few that are promoted, by their own index, then their order
      from (select business_id from businesses where featured_until > $now offset 0) b
      cross join lateral (
        select d.deal_id, ${kmAway} as distance_km, ${toldOf(asked)}
        -- the few deals of the business: the planner would look up the words for each business anew
        from (select d.xmin, d.* from deals d where d.business_id = b.business_id offset 0) d
        where ${wanted(asked)} and ${isInArea(asked.box)} ${asked.openNow ? '' : `and ${isSoon}`}
        order by ${asked.openNow ? '' : 'phase, '}distance_km, d.deal_id limit 1
      ) p
    ) p
  ) p where place < ${sponsoredPlaces}`

/** Those of the first page, as long as the search finds them. */
const paidBefore = (asked: Asked) => `
  select d.deal_id, ${kmAway} as distance_km, ${toldOf(asked)}, place
  from unnest($paid::uuid[]) with ordinality p (id, place) join deals d on d.deal_id = p.id
  where ${wanted(asked)} and ${isInArea(asked.box)}`

/** The first part of those that cannot be used now, after every group of those that can. */
const laterPart = '1000::int8'

/** The part of deals without a place, after every group. */
const withoutPlace = '1000000::int8'

/** What a narrow row tells of its deal; the names of these columns. Nothing that is the same for all. */
const toldOf = ({ openNow, words }: Asked) => `
  ${version} as version, ${endsSoon} as ending_soon ${openNow ? '' : `, ${phase} as phase`}
  ${words === 'text or category' ? ', d.doc @@ $words::tsquery as matched' : ''}`
const toldNames = ({ openNow, words }: Asked) =>
  `version, ending_soon ${openNow ? '' : ', phase'} ${words === 'text or category' ? ', matched' : ''}`

/**
 * The index hands out deals nearest first (those of one place by their id). They are taken in groups of 100 in this order,
 * and sorted only within a group (by score or true distance, then id): so pages neither repeat nor skip, also where many
 * deals share one place, and a search never sorts more than the groups it shows.
 *
 * The walk ends before its group does as soon as `needed` deals lie nearer by more than any bonus is worth: no later one
 * can come before them. The window's condition is what stops it.
 * @returns rows of (id, distance, what is told, group, key within the group)
 */
function nearestFirst(shape: SearchShape, which: 'any' | 'usable' | 'later'): string {
  const { sort } = shape
  const isLater = which === 'later'
  const oneGroup = isLater ? shape.oneLaterGroup : shape.oneGroup
  const candidates = isLater ? '$laterCandidates' : '$candidates'
  // among the later ones the farthest may begin first
  const endsEarly = shape.endsEarly && !isLater
  const key =
    sort === 'best'
      ? `, d.rating_bayes, ${shape.words === 'none' ? '0' : 'coalesce(ts_rank(d.doc, $words::tsquery), 0)'} as relevance`
      : ''
  const time = which === 'any' ? '' : `and ${isLater ? 'not' : ''} ${wasUsable}`
  // the rim is left out by the distance that is told anyway: no deal there comes before one inside
  const inside = [...(shape.box ? [] : ['distance_km <= $radius']), ...(endsEarly ? ['nearer < $needed'] : [])]
  const ways = waysToBelong(shape, roughlyInArea(shape.box)).map(
    ({ belongs, within }) => `
      (select * from (
        select d.deal_id, ${kmAway} as distance_km, ${toldOf(shape)}, d.xy <-> $here as steps ${key}
          ${endsEarly ? ', count(*) over (order by d.xy <-> $here range between unbounded preceding and $margin preceding) as nearer' : ''}
        from ${dealsOf(shape)} where ${wantedOfAnyCategory(shape)} ${belongs} and ${within} ${time}
      ) d ${inside.length > 0 ? `where ${inside.join(' and ')}` : ''} order by steps, deal_id limit ${candidates})`,
  )
  const nearest =
    ways.length === 1 ? ways[0] : `(${ways.join(' union all ')} order by steps, deal_id limit ${candidates})`
  const group = oneGroup ? '0::int8' : `(rank - 1) / ${isLater ? laterGroupSize : groupSize}`
  return `
    select deal_id, distance_km, ${toldNames(shape)}, ${group} ${isLater ? `+ ${laterPart}` : ''} as part,
      ${sort !== 'best' ? 'distance_km' : isLater ? `phase * ${perPhase} + ${score}` : score} as key
    from ${oneGroup ? nearest : `(select *, row_number() over (order by steps, deal_id) as rank from ${nearest} d)`} d`
}

/** The later ones are looked for only where those that can be used now do not fill the page. */
const nowThenLater = (shape: SearchShape) => `
  select * from usable
  union all select * from (${nearestFirst(shape, 'later')}) later where (select count(*) from usable) < $needed`

/**
 * How much farther on the plane, in its degrees, a deal must lie than another to come after it whatever their bonuses;
 * null where that says nothing.
 */
function marginOf(w: Wanted, area: Area, byScore: boolean): number | null {
  const { least, most, nearPole } = scaleWithin(area)
  if (area.bbox || nearPole || (byScore && w.words !== null)) return null
  const km = byScore ? scoreSpread / minutesPerKm : 0
  // the same step is longer towards the equator
  return ((km + area.radiusKm * (most / least - 1)) / least) * tolerance
}

/** When it can be used first, from now or its start on; null where nobody knows. */
const nextUse = `case when d.hours_filled_until > ${usableAt} then
  case when is_open(${usableAt}, ${usableChanges}) then ${usableAt}
  else nullif(next_change(${usableAt}, ${usableChanges}), d.hours_filled_until) end end`

type SortedBy = Exclude<DealSort, 'best' | 'distance'>

/** All but `soonest` are orders of an index each. */
const orders: Record<SortedBy, string> = {
  rating: 'd.rating_bayes desc, d.deal_id desc',
  ending_soon: 'd.over_at, d.deal_id',
  new: 'd.created_at desc, d.deal_id desc',
  soonest: `${nextUse} nulls last, d.xy <-> $here, d.deal_id`,
}

const usualReading = {
  /** An area of fewer deals is read whole and sorted. */
  many: 2000,
  /** Rows that are read in their order before the whole area is read all the same. */
  mostRead: 5000,
}

/** The few deals with rare words, and those with a tag, have indexes of their own. */
const isReadInOrder = ({ words, category }: Asked, sort: DealSort): sort is SortedBy =>
  sort !== 'best' && sort !== 'distance' && words !== 'few' && category !== 'tag'

/**
 * The first deals of an area with very many: read from the index of the order, for `soonest` outwards among what can be used now. They are
 * all that a page needs, or too few, as where the area is small or little of what is read is wanted.
 */
function firstInOrder(asked: Asked, sort: SortedBy): string {
  const isSoonest = sort === 'soonest'
  const order = isSoonest ? 'steps, d.deal_id' : orders[sort]
  const read = `
    select d.xmin, d.* ${isSoonest ? ', d.xy <-> $here as steps' : ''} from deals d
    where ${isListed} and d.over_at > $now ${isSoonest ? `and ${inArea(asked.box)}` : ''}
    order by ${order} limit $mostRead`
  const isFirst = isSoonest
    ? `(d.starts_at is null or d.starts_at <= $now) and d.hours_filled_until > $now and ${isUsable}`
    : isInArea(asked.box)
  return `
    ${numbered(`select * from (${read}) d where ${wanted(asked)} and ${isFirst} order by ${order} limit $needed`, asked, order)}
    where (select count(*) from (
      select from deals d where ${isListed} and ${roughlyInArea(asked.box)} limit $many) d) = $many`
}

/** @returns rows as those of `nearestFirst` */
function sorted(asked: Asked, sort: SortedBy): string {
  const order = orders[sort]
  const columns = asked.words === 'few' ? 'd.*' : 'd.xmin, d.*'
  const whole = numbered(
    `select ${columns} from ${dealsOf(asked)} where ${wanted(asked)} and ${inArea(asked.box)} order by ${order} limit $needed`,
    asked,
    order,
  )
  if (!isReadInOrder(asked, sort)) return whole
  return `
    select * from first where (select count(*) from first) = $needed
    union all select * from (${whole}) d where (select count(*) from first) < $needed`
}

/** Numbers deals that are sorted already. Their wide columns are added after the sort, which then moves narrow rows. */
const numbered = (deals: string, asked: Asked, order: string) => `
  select d.deal_id, ${kmAway}, ${toldOf(asked)}, 0::int8, row_number() over (order by ${order})::float8 from (${deals}) d`

/** How many deals a search finds, counted no further than `cap`. */
export async function countFound(db: Sql, w: Wanted, area: Area, cap: number): Promise<number> {
  const rows = await query<{ count: number }>(db, countedFound(askedBy(w, area)), {
    ...wantedValues(w),
    ...areaValues(area),
    cap,
  })
  return rows[0]!.count
}

function countedFound(asked: Asked): string {
  // not only few: to find two hundred that are open, and here, a walk would see the whole area
  if (asked.words === 'few' || asked.words === 'text')
    return `select count(*) from (select from ${dealsWithWords} where ${wanted(asked)}
      and ${asked.box ? isInArea(true) : `(${isInArea(false)} or d.latitude is null)`} limit $cap) counted`
  const ways = waysToBelong(asked).map(
    ({ belongs, within }) =>
      `(select from ${dealsOf(asked)} where ${wantedOfAnyCategory(asked)} ${belongs} and ${within} limit $cap)`,
  )
  if (!asked.box) ways.push(`(select from ${dealsOf(asked)} where ${wanted(asked)} and d.latitude is null limit $cap)`)
  return `select count(*) from (${ways.join(' union all ')}) counted`
}
