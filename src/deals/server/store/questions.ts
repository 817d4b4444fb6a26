import type { Category } from '../../../brand/categories.ts'
import type { Sql } from '../../../kit/server/database.ts'
import type { Area } from '../../../kit/server/nearby.ts'
import { query } from '../../../kit/server/statement.ts'
import type { Position } from '../../../kit/shared/geo.ts'
import type { DealPin } from '../../contract.ts'
import type { dealSorts } from '../../limits.ts'
import { termsWithSynonyms } from '../../synonyms.ts'
import { versionColumn, withDeals, type DealRow, type ByDealId } from './deal-rows.ts'

// Lists, searches and maps: each is a function of the database (migrations/0014_deals_questions.sql), called here.

/** The time of a search. */
export interface Moment {
  now: Date
  /** The order `best` is of this instant: the first page's, so that later pages neither miss nor repeat a deal. */
  asOf: Date
  /** Deals that begin before it are "later today": the end of the coming night, or in the small hours the next midnight. */
  tonight: Date
}

/** A search whose words and category are resolved. */
export interface DealFilter {
  moment: Moment
  /** Text-search query of `searchWords`; '' finds nothing; null: no words were typed. */
  words: string | null
  /** Few live deals have the words, so it is fastest to start with the words. */
  fewHaveThem: boolean
  /** The category that all typed words together name, or mean where no deal has them. */
  wordsCategory: Category | null
  /**
   * Deals of the category `key` (null: no category has that name) and deals of other categories with the folded `tag` (null: no
   * other deal has it). Null instead of both: every category.
   */
  category: { key: Category | null; tag: string | null } | null
  openNow: boolean
  /** Deals with an amount of at most so much; null: any price. */
  maxRappen: number | null
  premiumOnly: boolean
  /** Also deals that have not begun. */
  withScheduled?: boolean
}

type Arguments = Record<string, unknown>

/**
 * Named arguments as SQL. Nulls and booleans are written into the text, so that PostgreSQL plans without the parts they switch off;
 * everything else is a parameter.
 */
const named = (given: Arguments) =>
  Object.entries(given)
    .map(([name, value]) => `${name} => ${value === null || typeof value === 'boolean' ? value : `$${name}`}`)
    .join(', ')

function questionOf(filter: DealFilter, area: Area | null): Arguments {
  const { now, asOf, tonight } = filter.moment
  return {
    at_minute: now,
    order_minute: asOf,
    tonight,
    near_lat: area?.centre.latitude ?? null,
    near_lon: area?.centre.longitude ?? null,
    radius_km: area?.radiusKm ?? null,
    in_box: (area?.bbox ?? null) !== null,
    west: area?.bbox?.west ?? null,
    south: area?.bbox?.south ?? null,
    east: area?.bbox?.east ?? null,
    north: area?.bbox?.north ?? null,
    words: filter.words,
    rare_words: filter.words !== null && !filter.wordsCategory && filter.fewHaveThem,
    words_category: filter.words === null ? null : filter.wordsCategory,
    in_category: filter.category?.key ?? null,
    tagged: filter.category?.tag ?? null,
    any_category: filter.category === null,
    open_now: filter.openNow,
    max_rappen: filter.maxRappen,
    premium_only: filter.premiumOnly,
    with_scheduled: filter.withScheduled ?? false,
  }
}

function ask<Row>(db: Sql, columns: string, name: string, question: Arguments, more: string, values: Arguments) {
  return query<Row>(db, `select ${columns} from ${name}(deal_question(${named(question)}), ${more})`, {
    ...question,
    ...values,
  })
}

export type DealSort = (typeof dealSorts)[number] | 'soonest'

export interface SearchPage {
  sort: DealSort
  offset: number
  limit: number
  /** Paid places at the top: by the current rotation, or the ids of the first page; null: none. */
  paid: { turn: number } | { ids: string[] } | null
  /** Paid deals that earlier pages have shown: they are skipped. */
  excludedIds: string[]
  /** Where the page is full, count results up to this number; null: do not count. */
  cap: number | null
}

export interface FoundRow {
  deal: DealRow
  distance_km: number | null
  ending_soon: boolean
  /** 0: usable now, 1: within two hours, 2: later today, 3: another day. */
  phase: number
  matched: boolean
  sponsored: boolean
  /** Number of results; null where the page is not full, and without `cap`. */
  total: number | null
  /** Ids of all paid places, where the page may not have them all. */
  all_paid: string[] | null
}

/** One page of a search: paid places, then deals in the order of `sort`, then those without a location, newest first. */
export async function searchDeals(db: Sql, filter: DealFilter, area: Area, page: SearchPage): Promise<FoundRow[]> {
  const { paid, excludedIds } = page
  const values = {
    page_offset: page.offset,
    page_size: page.limit,
    paid_turn: paid && 'turn' in paid ? paid.turn : null,
    paid_ids: paid && 'ids' in paid ? paid.ids : null,
    without_ids: excludedIds.length > 0 ? excludedIds : null,
    count_to: page.cap,
  }
  const columns = `deal_id, ${versionColumn('version')}, distance_km, ending_soon, phase, matched, sponsored, total, all_paid`
  const more = `sorted_by => '${page.sort}', ${named(values)}`
  const found = await ask<ByDealId<FoundRow>>(db, columns, 'deals_search', questionOf(filter, area), more, values)
  return withDeals(db, filter.moment.now, found)
}

/** Number of deals that a search finds, at most `cap`. */
export async function countFound(db: Sql, filter: DealFilter, area: Area, cap: number): Promise<number> {
  const question = questionOf(filter, area)
  const rows = await ask<{ found: number }>(db, 'found', 'deals_search_count', question, '$cap', { cap })
  return rows[0]!.found
}

export type ListSort = 'new' | 'ending_soon' | 'rating' | 'price'

/** In the order by price, deals without an amount come last, as if they cost so much. */
export const rappenUnknown = 2_147_483_647

export interface ListedRow {
  deal: DealRow
  /** Length of the whole list; null where the page is not full. */
  total: number | null
}

/** Live deals after the keyset `after` (sort value and id); each row has the length of the list. */
export async function listDeals(
  db: Sql,
  filter: DealFilter,
  page: {
    sort: ListSort
    after: { value: string | number; id: string } | null
    offset: number
    limit: number
    cap: number
  },
): Promise<ListedRow[]> {
  const { sort, after } = page
  const values = {
    after_id: after && after.id,
    after_instant: after && (sort === 'new' || sort === 'ending_soon') ? after.value : null,
    after_rating: after && sort === 'rating' ? after.value : null,
    after_rappen: after && sort === 'price' ? after.value : null,
    page_offset: page.offset,
    page_size: page.limit,
    count_to: page.cap,
  }
  const columns = `deal_id, ${versionColumn('version')}, total`
  const more = `sorted_by => '${sort}', ${named(values)}`
  const listed = await ask<ByDealId<ListedRow>>(db, columns, 'deals_list', questionOf(filter, null), more, values)
  return withDeals(db, filter.moment.now, listed)
}

/** Length of a list, at most `cap`. */
export async function countDeals(db: Sql, filter: DealFilter, sort: ListSort, cap: number): Promise<number> {
  const more = `'${sort}', $cap`
  const rows = await ask<{ found: number }>(db, 'found', 'deals_list_count', questionOf(filter, null), more, { cap })
  return rows[0]!.found
}

/** The specified fields of a deal with a place. */
export type MapRow = Pick<DealRow, 'deal_id' | 'deal_name' | 'description' | 'price' | 'discount' | 'is_premium'> &
  Position

/** A single deal; or the number of deals in a square, at their mean position. */
export type MapPart =
  ((MapRow | DealPin) & { deals: null; premium: null }) | ({ deals: number; premium: number } & Position)

/** Rounded to about a metre, so that 2,000 deals stay below 60 kB. */
const roughPlace = 'round(latitude::numeric, 5)::float8 as latitude, round(longitude::numeric, 5)::float8 as longitude'
const squareColumns = 'square as deals, square_premium as premium'

/** Up to `most` single deals; if there are more, at most `mostPremium` premium ones and squares of `cell` degrees with the rest. */
export function dealsOnMap(
  db: Sql,
  filter: DealFilter,
  area: Area,
  { compact, ...values }: { compact: boolean; cell: number; most: number; mostPremium: number },
): Promise<MapPart[]> {
  const columns = compact
    ? `deal_id, ${roughPlace}, is_premium, category, use_time as time, ${squareColumns}`
    : `deal_id, deal_name, description, price, discount, latitude, longitude, is_premium, ${squareColumns}`
  return ask(db, columns, 'deals_map', questionOf(filter, area), '$cell, $most, $mostPremium', values)
}

/** A search for typed words. */
export interface Words {
  /** Text-search query; '' when nothing searchable was typed. */
  query: string
  /** No live deal has the typed words, so the query looks for similar ones. */
  guessed: boolean
  fewHaveThem: boolean
}

/**
 * The first of these that finds a live deal: whole words with their synonyms, beginnings of words, words that look similar. In this
 * order, so that correctly spelled words do not find similar ones.
 */
export async function searchWords(db: Sql, typed: string, now: Date): Promise<Words> {
  const meaning = async (words: string, values: Arguments) => {
    const rows = await query<{ words: string | null; found: number; are_few: boolean }>(
      db,
      `select words::text, found, are_few from ${words} words, deals_saying(words, $now)`,
      { ...values, now },
    )
    return rows[0]!
  }
  for (const loose of [false, true]) {
    const terms = JSON.stringify(termsWithSynonyms(typed, loose))
    const { words, found, are_few } = await meaning(`search_terms($terms::jsonb, ${loose})`, { terms })
    if (words === null || found > 0) return { query: words ?? '', guessed: false, fewHaveThem: are_few }
  }
  const { words, are_few } = await meaning('search_query($typed)', { typed })
  return { query: words ?? '', guessed: true, fewHaveThem: are_few }
}

/** Whether a deal of another category has the tag. */
export async function isTagElsewhere(db: Sql, category: Category, tag: string): Promise<boolean> {
  const rows = await query<{ found: boolean }>(
    db,
    `select exists(
      select from deals d
      where d.state = 'published' and not d.sold_out and d.facets @> array[$tag] and d.category <> $category
    ) as found`,
    { category, tag },
  )
  return rows[0]!.found
}
