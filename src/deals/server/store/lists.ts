import type { Sql } from '../../../kit/server/database.ts'
import type { Area } from '../../../kit/server/nearby.ts'
import { inShapes, query } from '../../../kit/server/statement.ts'
import { version, versionTold, whole, type DealRow, type Placed } from './deal-rows.ts'
import {
  askedBy,
  belongsTo,
  dealsWithWords,
  hasTag,
  isListed,
  wantedOfAnyCategory,
  wantedValues,
  type Asked,
  type Wanted,
} from './wanted.ts'

export interface ListedRow {
  deal: DealRow
  /** Of the whole list; null where the first pages end before `limit` and so tell it themselves. */
  total: number | null
}

export type ListSort = 'new' | 'ending_soon' | 'rating'

const listOrders = {
  new: {
    order: 'd.created_at desc, d.deal_id desc',
    beyond: '(d.created_at, d.deal_id) < ($value::timestamptz, $id::uuid)',
  },
  // the last use, which may be long before the end that is printed
  ending_soon: { order: 'd.over_at, d.deal_id', beyond: '(d.over_at, d.deal_id) > ($value::timestamptz, $id::uuid)' },
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
      (select d.deal_id, ${version} as version, d.created_at, d.over_at, d.rating_bayes from ${deals} where ${wantedOfAnyCategory(shape)} ${belongs} ${withEnd(shape.sort)}
        ${shape.after ? `and ${beyond}` : ''} order by ${order} limit $reach)`,
  )
  // behind a keyset nobody knows how many came before
  const tellsTotal = shape.after ? 'false' : '(select count(*) from page) < $limit'
  return `with page as materialized (
      select * from (${ways.join(' union all ')}) d order by ${order} limit $limit offset $offset)
    select deal_id, ${versionTold('version')}, case when ${tellsTotal} then null else (${countOfList(shape, shape.sort)}) end as total
    from page d order by ${order}`
})

/**
 * As `waysToBelong`, for lists. Deals with rare words are found by them. The offset keeps their index, and the one of tags, in charge:
 * the planner would walk the whole list.
 */
function listWays({ words, category }: ListAsked): { deals: string; belongs: string }[] {
  if (words === 'few') return [{ deals: dealsWithWords, belongs: belongsTo[category] }]
  if (category === 'any') return [{ deals: 'deals d', belongs: '' }]
  const itself = { deals: 'deals d', belongs: 'and d.category = $category' }
  if (category === 'category') return [itself]
  const tagged = `(select d.xmin, d.* from deals d where ${isListed} and ${hasTag} offset 0) d`
  if (category === 'tag') return [{ deals: tagged, belongs: '' }]
  return [itself, { deals: tagged, belongs: 'and d.category <> $category' }]
}

const withEnd = (sort: ListSort) => (sort === 'ending_soon' ? "and d.over_at < 'infinity'" : '')

/** How many deals a list has, counted no further than `cap`. */
export async function countDeals(db: Sql, w: Wanted, sort: ListSort, cap: number): Promise<number> {
  const rows = await query<{ count: number }>(db, countOfList(listAskedBy(w), sort), { ...wantedValues(w), cap })
  return rows[0]!.count
}

/** In the order of an index that holds all that is asked, so that counting reads no rows; words have an index of their own. */
function countOfList(asked: ListAsked, sort: ListSort): string {
  if (asked.words === 'few' || asked.words === 'text')
    return `select count(*) from (select from ${dealsWithWords}
      where ${wantedOfAnyCategory(asked)} ${belongsTo[asked.category]} ${withEnd(sort)} limit $cap) counted`
  const order = listOrders[sort === 'ending_soon' ? sort : 'new'].order
  const ways = listWays(asked).map(
    ({ deals, belongs }) =>
      `(select from ${deals} where ${wantedOfAnyCategory(asked)} ${belongs} ${withEnd(sort)} order by ${order} limit $cap)`,
  )
  return `select count(*) from (${ways.join(' union all ')}) counted`
}
