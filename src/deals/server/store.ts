import { isOpenNow } from '../../businesses/server/businesses.ts'
import type { Sql } from '../../kit/server/database.ts'
import { areaValues, nearbyIn, scaleWithin, tolerance, type Area } from '../../kit/server/nearby.ts'
import { inShare, mostLookedAt, type Share } from '../../kit/server/share.ts'
import { inShapes, query } from '../../kit/server/statement.ts'
import type { DealCategory } from '../contract.ts'
import { endingSoonHours } from '../contract.ts'
import { columns, version, whole, type DealRow, type Placed } from './deal-rows.ts'
import { sponsoredPlaces } from './sponsored-places.ts'

export { findDeal, type DealRow } from './deal-rows.ts'
export type { Area } from '../../kit/server/nearby.ts'

export interface ListedRow {
  deal: DealRow
  /** Of the whole list. */
  total: number
}

/** When a search is asked: the instant, and what the festival's clocks show. */
export interface Moment {
  now: Date
  /** 0 = Monday. */
  weekday: number
  /** `HH:MM` */
  time: string
}

// Statements are texts with `$name` for values (kit/server/statement.ts). A row of deals carries what a list says of its
// merchant, so nothing here joins.

type Values = Record<string, unknown>

const isPremium = 'coalesce(d.premium_until > $now, false)'

/** What every list shows: published, begun, not over, not sold out. */
const isLive = `
  d.state = 'published' and not d.sold_out
  and (d.starts_at is null or d.starts_at <= $now) and (d.ends_at is null or d.ends_at > $now)`

const holdsNow = 'in_own_hours(d.active_days, d.start_time, d.end_time, $time, $today, $yesterday)'

/** The place is open and the deal's own days and hours hold now. */
const isOpen = `${isOpenNow('d')} and ${holdsNow}`

const endsSoon = 'coalesce(d.ends_at <= $soon, false)'

function momentValues({ now, weekday, time }: Moment): Values {
  return {
    now,
    time,
    today: 1 << weekday,
    yesterday: 1 << ((weekday + 6) % 7),
    soon: new Date(now.getTime() + endingSoonHours * 3_600_000),
  }
}

/** What a search asks for, resolved: no spelling left to guess. */
export interface Wanted {
  moment: Moment
  /** The typed words as a text-search query, made by `searchWords`; '' finds nothing; null: no words were typed. */
  words: string | null
  /** Category that the typed words as a whole name. */
  wordsCategory: DealCategory | null
  /**
   * A category, or a tag asked for like one, folded by `foldedTag`; null: any. Deals of other categories may carry the
   * name of a category as a tag; a null tag says that none does.
   */
  category: { key: DealCategory; tag: string | null } | { key: null; tag: string } | null
  openNow: boolean
  premiumOnly: boolean
}

/** What of a search decides how its statements are written; all the rest are values. */
interface Asked {
  words: 'none' | 'text' | 'text or category'
  category: 'any' | 'category' | 'category or tag' | 'tag'
  openNow: boolean
  premiumOnly: boolean
  /** The area is a box, not a circle. */
  box: boolean
}

function askedBy(w: Wanted, area: Area): Asked {
  return {
    words: w.words === null ? 'none' : w.wordsCategory ? 'text or category' : 'text',
    category: !w.category ? 'any' : !w.category.key ? 'tag' : w.category.tag === null ? 'category' : 'category or tag',
    openNow: w.openNow,
    premiumOnly: w.premiumOnly,
    box: area.bbox !== null,
  }
}

function wantedValues(w: Wanted): Values {
  return {
    ...momentValues(w.moment),
    words: w.words,
    wordsCategory: w.wordsCategory,
    category: w.category?.key,
    tag: w.category?.tag,
  }
}

/** Typed words as a text-search query, misspellings included; '' when nothing searchable was typed. */
export async function searchWords(db: Sql, typed: string): Promise<string> {
  const rows = await query<{ words: string | null }>(db, 'select search_query($typed)::text as words', { typed })
  return rows[0]?.words ?? ''
}

/** A tag as it stands in `facets`. */
export async function foldedTag(db: Sql, typed: string): Promise<string> {
  const rows = await query<{ tag: string }>(db, 'select trim(search_fold($typed)) as tag', { typed })
  return rows[0]!.tag
}

const hasTag = 'd.facets @> array[$tag]'

/** Whether a deal of another category carries the tag. */
export async function isTagElsewhere(db: Sql, category: DealCategory, tag: string): Promise<boolean> {
  const rows = await query<{ found: boolean }>(
    db,
    `select exists(
      select from deals d where d.state = 'published' and not d.sold_out and ${hasTag} and d.category <> $category
    ) as found`,
    { category, tag },
  )
  return rows[0]!.found
}

const wordConditions: Record<Asked['words'], string> = {
  none: '',
  text: 'and d.doc @@ $words::tsquery',
  'text or category': 'and (d.doc @@ $words::tsquery or d.category = $wordsCategory)',
}

/** Everything but the category. */
function wantedOfAnyCategory({ words, openNow, premiumOnly }: Omit<Asked, 'box'>): string {
  return `${isLive} ${wordConditions[words]} ${openNow ? `and ${isOpen}` : ''} ${premiumOnly ? `and ${isPremium}` : ''}`
}

/**
 * The conditions of each way to belong to the asked-for category, free of overlap: deals of the category itself, and
 * deals of others that carry its name as a tag. Apart, so that each has an index; one condition with "or" has none. The
 * tagged ones are found by their tag, so the area must not offer its index: the planner would walk through the circle
 * and look at every tag.
 */
function waysToBelong({ category, box }: Asked, near = inArea(box)): { belongs: string; within: string }[] {
  if (category === 'any') return [{ belongs: '', within: near }]
  const itself = { belongs: 'and d.category = $category', within: near }
  if (category === 'category') return [itself]
  const tagged = { belongs: `and ${hasTag}`, within: isInArea(box) }
  if (category === 'tag') return [tagged]
  return [itself, { belongs: `${tagged.belongs} and d.category <> $category`, within: tagged.within }]
}

function wanted(asked: Asked): string {
  const all = wantedOfAnyCategory(asked)
  const belongs = {
    any: '',
    category: 'and d.category = $category',
    'category or tag': `and (d.category = $category or ${hasTag})`,
    tag: `and ${hasTag}`,
  }[asked.category]
  return `${all} ${belongs}`
}

const { kmAway, inArea, roughlyInArea, isInArea } = nearbyIn('d')

/** `best` ranks deals nearest first in groups of this many, and inside a group by score. */
export const groupSize = 100

/**
 * The formula of `best`, in walking minutes, smaller is better: the walk (straight line × 1.3 at 80 m a minute), less
 * 6 when the deal can be had now, 2 when it ends within three hours, 2 for each star above the mean of 3.8, and up to
 * 30 for how well the words match.
 */
const score = `
  distance_km * 16.25 - case when available then 6 else 0 end - case when ending_soon then 2 else 0 end
  - 2 * (rating_bayes - 3.8) - 30 * relevance`
const minutesPerKm = 16.25

/** By how many minutes the scores of two deals at one distance may differ, words aside. */
function scoreSpread(w: Wanted): number {
  const ratings = 2 * (5 - 1)
  return (w.openNow ? 0 : 6) + 2 + ratings
}

export type DealSort = 'best' | 'distance' | 'rating' | 'ending_soon' | 'new'

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
  /** The deal's own days and hours hold. */
  in_own_hours: boolean
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
export async function searchDeals(db: Sql, w: Wanted, area: Area, page: SearchPage): Promise<FoundRow[]> {
  const { sort, paid, excludedIds } = page
  const needed = page.offset + page.limit + excludedIds.length + (paid ? sponsoredPlaces : 0)
  const margin = marginOf(w, area, sort === 'best')
  const statement = searchStatement({
    ...askedBy(w, area),
    sort,
    endsEarly: margin !== null,
    oneGroup: needed <= groupSize,
    paid: !paid ? 'none' : 'turn' in paid ? 'now' : 'before',
    tellsPaid: paid !== null && (page.offset > 0 || page.limit < sponsoredPlaces),
    excludes: excludedIds.length > 0,
    counts: page.cap !== null,
  })
  const found = await query<Placed<Told>>(db, statement, {
    ...wantedValues(w),
    ...areaValues(area),
    needed,
    candidates: Math.ceil(needed / groupSize) * groupSize,
    margin,
    limit: page.limit,
    offset: page.offset,
    excluded: excludedIds,
    turn: paid && 'turn' in paid ? paid.turn : null,
    paid: paid && 'ids' in paid ? paid.ids : null,
    cap: page.cap,
  })
  const rows = await whole(db, w.moment.now, found)
  const same = { in_own_hours: true, matched: w.words !== null }
  return rows.map((row) => ({ ...same, ...row }))
}

/** Without what is the same for all rows. */
type Told = Omit<FoundRow, 'in_own_hours' | 'matched'> & Partial<Pick<FoundRow, 'in_own_hours' | 'matched'>>

interface SearchShape extends Asked {
  sort: DealSort
  /** The walk outwards may end before its group does, see `marginOf`. */
  endsEarly: boolean
  oneGroup: boolean
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
  const located = sort === 'best' || sort === 'distance' ? nearestFirst(shape) : sorted(shape, sort)
  const without = `
    union all
    (select d.deal_id, null, ${toldOf(shape)}, ${withoutPlace}, -extract(epoch from d.created_at)::float8
    from deals d where ${wanted(shape)} and d.latitude is null
    order by d.created_at desc, d.deal_id desc limit $needed)`
  const unpaid = `
    select * from (${located} ${shape.box ? '' : without}) p (deal_id, distance_km, ${told}, part, key)
    where ${hasPaid ? 'deal_id not in (select deal_id from paid)' : excludes ? 'deal_id <> all($excluded::uuid[])' : 'true'}`
  const paged = `
    ${hasPaid ? `select deal_id, distance_km, ${told}, ${paidPart} as part, place::float8 as key from paid union all` : ''}
    ${unpaid} order by part, key, deal_id limit $limit offset $offset`
  const parts = [
    ...(hasPaid ? [`paid as (${shape.paid === 'now' ? paidNow(shape) : paidBefore(shape)})`] : []),
    ...(counts ? [`page as materialized (${paged})`] : []),
  ]
  return `
    ${parts.length > 0 ? `with ${parts.join(', ')}` : ''}
    select deal_id, distance_km, ${told}, part < 0 as sponsored
      ${counts ? `, case when (select count(*) from page) = $limit then (${countedFound(shape)}) end as total` : ''}
      ${shape.tellsPaid ? `, (select string_agg(deal_id::text, ' ' order by place) from paid) as paid_ids` : ''}
    from ${counts ? 'page' : `(${paged}) page`} order by part, key, deal_id`
})

/** The part of paid places, before every group. */
const paidPart = '-1::int8'

/**
 * The nearest deal that the search finds of each business promoted now, in a fixed order in which the turn moves on by
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
        where ${wanted(asked)} and ${isInArea(asked.box)}
        order by distance_km, d.deal_id limit 1
      ) p
    ) p
  ) p where place < ${sponsoredPlaces}`

/** Those of the first page, as long as the search finds them. */
const paidBefore = (asked: Asked) => `
  select d.deal_id, ${kmAway} as distance_km, ${toldOf(asked)}, place
  from unnest($paid::uuid[]) with ordinality p (id, place) join deals d on d.deal_id = p.id
  where ${wanted(asked)} and ${isInArea(asked.box)}`

/** The part of deals without a place, after every group of 100. */
const withoutPlace = '1000000::int8'

/** What a narrow row tells of its deal; the names of these columns. Nothing that is the same for all. */
const toldOf = ({ openNow, words }: Asked) => `
  ${version} as version, ${endsSoon} as ending_soon ${openNow ? '' : `, ${holdsNow} as in_own_hours`}
  ${words === 'text or category' ? ', d.doc @@ $words::tsquery as matched' : ''}`
const toldNames = ({ openNow, words }: Asked) =>
  `version, ending_soon ${openNow ? '' : ', in_own_hours'} ${words === 'text or category' ? ', matched' : ''}`

/**
 * The index hands out deals nearest first (those of one place by their id). They are taken in groups of 100 in this order,
 * and sorted only within a group (by score or true distance, then id): so pages neither repeat nor skip, also where many
 * deals share one place, and a search never sorts more than the groups it shows.
 *
 * The walk ends before its group does as soon as `needed` deals lie nearer by more than any bonus is worth: no later one
 * can come before them. The window's condition is what stops it.
 * @returns rows of (id, distance, what is told, group, key within the group)
 */
function nearestFirst(shape: SearchShape): string {
  const { sort, endsEarly, oneGroup } = shape
  const key =
    sort === 'best'
      ? `, ${shape.openNow ? 'true' : isOpen} as available, d.rating_bayes,
      ${shape.words === 'none' ? '0' : 'coalesce(ts_rank(d.doc, $words::tsquery), 0)'} as relevance`
      : ''
  // the rim is left out by the distance that is told anyway: no deal there comes before one inside
  const inside = [...(shape.box ? [] : ['distance_km <= $radius']), ...(endsEarly ? ['nearer < $needed'] : [])]
  const ways = waysToBelong(shape, roughlyInArea(shape.box)).map(
    ({ belongs, within }) => `
      (select * from (
        select d.deal_id, ${kmAway} as distance_km, ${toldOf(shape)}, d.xy <-> $here as steps ${key}
          ${endsEarly ? ', count(*) over (order by d.xy <-> $here range between unbounded preceding and $margin preceding) as nearer' : ''}
        from deals d where ${wantedOfAnyCategory(shape)} ${belongs} and ${within}
      ) d ${inside.length > 0 ? `where ${inside.join(' and ')}` : ''} order by steps, deal_id limit $candidates)`,
  )
  const nearest =
    ways.length === 1 ? ways[0] : `(${ways.join(' union all ')} order by steps, deal_id limit $candidates)`
  return `
    select deal_id, distance_km, ${toldNames(shape)}, ${oneGroup ? '0::int8' : `(rank - 1) / ${groupSize}`},
      ${sort === 'best' ? score : 'distance_km'}
    from ${oneGroup ? nearest : `(select *, row_number() over (order by steps, deal_id) as rank from ${nearest} d)`} d`
}

/**
 * How much farther on the plane, in its degrees, a deal must lie than another to come after it whatever their bonuses;
 * null where that says nothing.
 */
function marginOf(w: Wanted, area: Area, byScore: boolean): number | null {
  const { least, most, nearPole } = scaleWithin(area)
  if (area.bbox || nearPole || (byScore && w.words !== null)) return null
  const km = byScore ? scoreSpread(w) / minutesPerKm : 0
  // the same step is longer towards the equator
  return ((km + area.radiusKm * (most / least - 1)) / least) * tolerance
}

/** @returns rows as those of `nearestFirst` */
function sorted(asked: Asked, sort: 'rating' | 'ending_soon' | 'new'): string {
  const order = {
    rating: 'd.rating_bayes desc, d.rating_count desc, d.deal_id desc',
    ending_soon: 'd.ends_at asc nulls last, d.deal_id',
    new: 'd.created_at desc, d.deal_id desc',
  }[sort]
  return `
    (select d.deal_id, ${kmAway}, ${toldOf(asked)}, 0::int8, row_number() over (order by ${order})::float8
    from deals d where ${wanted(asked)} and ${inArea(asked.box)} order by ${order} limit $needed)`
}

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
  const ways = waysToBelong(asked).map(
    ({ belongs, within }) =>
      `(select from deals d where ${wantedOfAnyCategory(asked)} ${belongs} and ${within} limit $cap)`,
  )
  if (!asked.box) ways.push(`(select from deals d where ${wanted(asked)} and d.latitude is null limit $cap)`)
  return `select count(*) from (${ways.join(' union all ')}) counted`
}

export interface MapRow {
  deal_id: string
  deal_name: string
  description: string | null
  price: string | null
  discount: string | null
  latitude: number
  longitude: number
  is_premium: boolean
}

function wantedIn(w: Wanted, area: Area, share: Share): string {
  const asked = askedBy(w, area)
  return `${wanted(asked)} and ${inArea(asked.box)} ${inShare('d', share)}`
}

/** How many deals of a share an area has, counted no further than `cap`. */
export async function countOnMap(db: Sql, w: Wanted, area: Area, share: Share, cap: number): Promise<number> {
  const rows = await query<{ count: number }>(
    db,
    `select count(*) from (select from deals d where ${wantedIn(w, area, share)} limit $cap) counted`,
    { ...wantedValues(w), ...areaValues(area), cap },
  )
  return rows[0]!.count
}

/** Of which deals a map shows single ones: of a share, of the first `found`, those of the smallest ids. */
export interface OnMap {
  share: Share
  found: number
  limit: number
}

/** The specified fields only, premium first. */
export function findForMap(db: Sql, w: Wanted, area: Area, on: OnMap): Promise<MapRow[]> {
  const columns = 'd.deal_id, d.deal_name, d.description, d.price, d.discount, d.latitude, d.longitude'
  return findOnMap<MapRow>(db, columns, w, area, on)
}

/** What a pin needs, to about a metre: a view of 2,000 stays below 60 kB. */
export function findPins(
  db: Sql,
  w: Wanted,
  area: Area,
  on: OnMap,
): Promise<Pick<MapRow, 'deal_id' | 'latitude' | 'longitude' | 'is_premium'>[]> {
  const columns = `d.deal_id, round(d.latitude::numeric, 5)::float8 as latitude,
    round(d.longitude::numeric, 5)::float8 as longitude`
  return findOnMap<Pick<MapRow, 'deal_id' | 'latitude' | 'longitude' | 'is_premium'>>(db, columns, w, area, on)
}

function findOnMap<Row>(db: Sql, columns: string, w: Wanted, area: Area, { share, ...on }: OnMap): Promise<Row[]> {
  return query<Row>(
    db,
    `select ${columns}, ${isPremium} as is_premium
    from (select * from deals d where ${wantedIn(w, area, share)} limit $found) d
    order by is_premium desc, d.deal_id limit $limit`,
    { ...wantedValues(w), ...areaValues(area), ...on },
  )
}

export interface ClusterRow {
  /** Deals of the share. */
  count: number
  latitude: number
  longitude: number
  premium: number
  /** Those that are shown single. */
  single: number
  /** One that is not: that of a square with one alone. */
  first: string
}

/** Deals of a share, gathered in the squares of a grid; the position is the mean of those that are not shown single. */
export async function clusterForMap(
  db: Sql,
  w: Wanted,
  area: Area,
  share: Share,
  cellDegrees: number,
  singleIds: string[],
): Promise<ClusterRow[]> {
  return query<ClusterRow>(
    db,
    `select count(*)::int as count, count(*) filter (where is_premium)::int as premium,
      count(*) filter (where is_single)::int as single, min(deal_id::text) filter (where not is_single) as first,
      round(coalesce(avg(latitude) filter (where not is_single), avg(latitude))::numeric, 5)::float8 as latitude,
      round(coalesce(avg(longitude) filter (where not is_single), avg(longitude))::numeric, 5)::float8 as longitude
    from (
      select d.deal_id, d.latitude, d.longitude, d.xy, ${isPremium} as is_premium,
        d.deal_id = any($single::uuid[]) as is_single
      from deals d where ${wantedIn(w, area, share)} limit $found
    ) d
    group by floor(xy[0] / $cell::float8), floor(xy[1] / $cell::float8)
    order by count desc limit 2000`,
    { ...wantedValues(w), ...areaValues(area), cell: cellDegrees, single: singleIds, found: 2 * mostLookedAt },
  )
}

export type ListSort = 'new' | 'ending_soon' | 'rating'

const listOrders = {
  new: {
    order: 'd.created_at desc, d.deal_id desc',
    beyond: '(d.created_at, d.deal_id) < ($value::timestamptz, $id::uuid)',
  },
  ending_soon: { order: 'd.ends_at, d.deal_id', beyond: '(d.ends_at, d.deal_id) > ($value::timestamptz, $id::uuid)' },
  rating: {
    order: 'd.rating_bayes desc, d.deal_id desc',
    beyond: '(d.rating_bayes, d.deal_id) < ($value::float8, $id::uuid)',
  },
} as const

/** Live deals after the keyset `after`, whose parts are the sort value and the id; each row carries the list's total. */
export async function listDeals(
  db: Sql,
  w: Wanted,
  page: {
    sort: ListSort
    after: { value: string | number; id: string } | null
    offset: number
    limit: number
    cap: number
  },
): Promise<ListedRow[]> {
  const statement = listStatement({ ...listAskedBy(w), sort: page.sort, after: page.after !== null })
  const listed = await query<Placed<ListedRow>>(db, statement, {
    ...wantedValues(w),
    ...page.after,
    reach: page.offset + page.limit,
    limit: page.limit,
    offset: page.offset,
    cap: page.cap,
  })
  return whole(db, w.moment.now, listed)
}

type ListAsked = Omit<Asked, 'box'>

function listAskedBy(w: Wanted): ListAsked {
  const { box: _, ...asked } = askedBy(w, anywhere)
  return asked
}
const anywhere: Area = { centre: { latitude: 0, longitude: 0 }, radiusKm: 0, bbox: null }

const listStatement = inShapes((shape: ListAsked & { sort: ListSort; after: boolean }) => {
  const { order, beyond } = listOrders[shape.sort]
  const ways = listWays(shape).map(
    ({ deals, belongs }) => `
      (select d.deal_id, ${version} as version, d.created_at, d.ends_at, d.rating_bayes from ${deals} where ${wantedOfAnyCategory(shape)} ${belongs} ${withEnd(shape.sort)}
        ${shape.after ? `and ${beyond}` : ''} order by ${order} limit $reach)`,
  )
  return `select deal_id, version, (${countOfList(shape, shape.sort)}) as total
    from (${ways.join(' union all ')}) d order by ${order} limit $limit offset $offset`
})

/** As `waysToBelong`, for lists. The offset keeps the tag's own index in charge: the planner would walk the whole list. */
function listWays({ category }: ListAsked): { deals: string; belongs: string }[] {
  if (category === 'any') return [{ deals: 'deals d', belongs: '' }]
  const itself = { deals: 'deals d', belongs: 'and d.category = $category' }
  if (category === 'category') return [itself]
  const tagged = `(select d.xmin, d.* from deals d where d.state = 'published' and not d.sold_out and ${hasTag} offset 0) d`
  if (category === 'tag') return [{ deals: tagged, belongs: '' }]
  return [itself, { deals: tagged, belongs: 'and d.category <> $category' }]
}

const withEnd = (sort: ListSort) => (sort === 'ending_soon' ? 'and d.ends_at is not null' : '')

/** How many deals a list has, counted no further than `cap`. */
export async function countDeals(db: Sql, w: Wanted, sort: ListSort, cap: number): Promise<number> {
  const rows = await query<{ count: number }>(db, countOfList(listAskedBy(w), sort), { ...wantedValues(w), cap })
  return rows[0]!.count
}

/** In the order of an index that holds all that is asked, so that counting reads no rows. */
function countOfList(asked: ListAsked, sort: ListSort): string {
  const order = listOrders[sort === 'ending_soon' ? sort : 'new'].order
  const ways = listWays(asked).map(
    ({ deals, belongs }) =>
      `(select from ${deals} where ${wantedOfAnyCategory(asked)} ${belongs} ${withEnd(sort)} order by ${order} limit $cap)`,
  )
  return `select count(*) from (${ways.join(' union all ')}) counted`
}

export async function listDealsOfBusiness(db: Sql, businessId: string, now: Date, limit: number): Promise<DealRow[]> {
  return query<DealRow>(
    db,
    `select ${columns} from deals d where d.business_id = $businessId and ${isLive}
    order by d.created_at desc, d.deal_id desc limit $limit`,
    { now, businessId, limit },
  )
}

/** At most `limit` live deals from the id `from` on, in the order of their ids. */
export async function listDealPages(
  db: Sql,
  now: Date,
  from: string,
  limit: number,
): Promise<{ id: string; updated_at: string }[]> {
  return query<{ id: string; updated_at: string }>(
    db,
    `select d.deal_id as id, d.updated_at from deals d
    where d.deal_id >= $from::uuid and ${isLive} order by d.deal_id limit $limit`,
    { now, from, limit },
  )
}

/** The id `steps` live deals after `from` (itself 0, or the next one), in the order of ids; null beyond the last. */
export async function stepToDeal(db: Sql, now: Date, from: string, steps: number): Promise<string | null> {
  const rows = await query<{ deal_id: string }>(
    db,
    `select d.deal_id from deals d where d.deal_id >= $from::uuid and ${isLive} order by d.deal_id offset $steps limit 1`,
    { now, from, steps },
  )
  return rows[0]?.deal_id ?? null
}

export async function dealIdsOf(db: Sql, businessId: string, limit: number): Promise<string[]> {
  const rows = await query<{ deal_id: string }>(
    db,
    `select deal_id from deals where business_id = $businessId::uuid limit $limit`,
    { businessId, limit },
  )
  return rows.map((row) => row.deal_id)
}

/** Everything that is kept of a merchant's deals, for the merchant. */
export async function everyDealOf(db: Sql, businessId: string): Promise<Record<string, unknown>[]> {
  const rows = await query<{ deal: Record<string, unknown> }>(
    db,
    `select to_jsonb(d) - 'doc' - 'xy' - 'lot' - 'facets' as deal from deals d
    where business_id = $businessId::uuid order by created_at limit 10000`,
    { businessId },
  )
  return rows.map((row) => row.deal)
}
