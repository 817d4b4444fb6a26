import type { Category } from '../../../brand/categories.ts'
import type { Sql } from '../../../kit/server/database.ts'
import type { Area } from '../../../kit/server/nearby.ts'
import { query } from '../../../kit/server/statement.ts'
import type { pinTimes } from '../../contract.ts'
import { termsWithSynonyms } from '../synonyms.ts'
import { versionTold, whole, type DealRow, type Placed } from './deal-rows.ts'

// Lists, searches and maps: each is a function of the database (migrations/0014_deals_questions.sql), called here.

/** When a search is asked. */
export interface Moment {
  now: Date
  /** By which `best` orders: that of the first page, so that who pages on neither misses nor repeats a deal. */
  asOf: Date
  /** What begins before is "later today": the end of the night that follows, or in the small hours midnight. */
  tonight: Date
}

/** What a search asks for, resolved: no spelling left to guess. */
export interface Wanted {
  moment: Moment
  /** The typed words as a text-search query, the query of `searchWords`; '' finds nothing; null: no words were typed. */
  words: string | null
  /** So few live deals have the words that a search best begins with them. */
  fewHaveThem: boolean
  /** Category that the typed words as a whole name, or mean where no deal has them. */
  wordsCategory: Category | null
  /**
   * The category that was asked for: deals of `key`, and deals of other categories with `tag` (folded) among their tags. A null key: no
   * category has that name; a null tag: no other deal has it. Null: every category.
   */
  category: { key: Category | null; tag: string | null } | null
  openNow: boolean
  premiumOnly: boolean
  /** Also what has not begun. */
  withScheduled?: boolean
}

type Arguments = Record<string, unknown>

/**
 * Arguments by their names. Nulls and choices stand in the text: PostgreSQL then leaves out of the plan what they do not need.
 * Everything else is a value.
 */
const named = (given: Arguments) =>
  Object.entries(given)
    .map(([name, value]) => `${name} => ${value === null || typeof value === 'boolean' ? value : `$${name}`}`)
    .join(', ')

function questionOf(w: Wanted, area: Area | null): Arguments {
  const { now, asOf, tonight } = w.moment
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
    words: w.words,
    rare_words: w.words !== null && !w.wordsCategory && w.fewHaveThem,
    words_category: w.words === null ? null : w.wordsCategory,
    in_category: w.category?.key ?? null,
    tagged: w.category?.tag ?? null,
    any_category: w.category === null,
    open_now: w.openNow,
    premium_only: w.premiumOnly,
    with_scheduled: w.withScheduled ?? false,
  }
}

function ask<Row>(db: Sql, columns: string, name: string, question: Arguments, more: string, values: Arguments) {
  return query<Row>(db, `select ${columns} from ${name}(deal_question(${named(question)}), ${more})`, {
    ...question,
    ...values,
  })
}

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
  /** How near its time is: 0 it can be used now, 1 within two hours, 2 later today, 3 another day. */
  phase: number
  matched: boolean
  sponsored: boolean
  /** What the search finds in all, null where the page ends before `limit` and without `cap`. */
  total: number | null
  /** All paid places, where the page may not show them all. */
  all_paid: string[] | null
}

/** One page of a search: paid places, then located deals in the order asked for, then those without a place, newest first. */
export async function searchDeals(db: Sql, w: Wanted, area: Area, page: SearchPage): Promise<FoundRow[]> {
  const { paid, excludedIds } = page
  const values = {
    page_offset: page.offset,
    page_size: page.limit,
    paid_turn: paid && 'turn' in paid ? paid.turn : null,
    paid_ids: paid && 'ids' in paid ? paid.ids : null,
    without_ids: excludedIds.length > 0 ? excludedIds : null,
    count_to: page.cap,
  }
  const columns = `deal_id, ${versionTold('version')}, distance_km, ending_soon, phase, matched, sponsored, total, all_paid`
  const more = `sorted_by => '${page.sort}', ${named(values)}`
  const found = await ask<Placed<FoundRow>>(db, columns, 'deals_search', questionOf(w, area), more, values)
  return whole(db, w.moment.now, found)
}

/** How many deals a search finds, counted no further than `cap`. */
export async function countFound(db: Sql, w: Wanted, area: Area, cap: number): Promise<number> {
  const rows = await ask<{ found: number }>(db, 'found', 'deals_search_count', questionOf(w, area), '$cap', { cap })
  return rows[0]!.found
}

export type ListSort = 'new' | 'ending_soon' | 'rating'

export interface ListedRow {
  deal: DealRow
  /** Of the whole list; null where the first pages end before `limit` and so tell it themselves. */
  total: number | null
}

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
  const { sort, after } = page
  const values = {
    after_id: after && after.id,
    after_instant: after && sort !== 'rating' ? after.value : null,
    after_rating: after && sort === 'rating' ? after.value : null,
    page_offset: page.offset,
    page_size: page.limit,
    count_to: page.cap,
  }
  const columns = `deal_id, ${versionTold('version')}, total`
  const more = `sorted_by => '${sort}', ${named(values)}`
  const listed = await ask<Placed<ListedRow>>(db, columns, 'deals_list', questionOf(w, null), more, values)
  return whole(db, w.moment.now, listed)
}

/** How many deals a list has, counted no further than `cap`. */
export async function countDeals(db: Sql, w: Wanted, sort: ListSort, cap: number): Promise<number> {
  const rows = await ask<{ found: number }>(db, 'found', 'deals_list_count', questionOf(w, null), `'${sort}', $cap`, {
    cap,
  })
  return rows[0]!.found
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

export interface PinRow extends Pick<MapRow, 'deal_id' | 'latitude' | 'longitude' | 'is_premium'> {
  category: Category
  time: (typeof pinTimes)[number]
}

/** A single deal, or so many of a square, at their mean place. */
export type MapPart<Single> =
  (Single & { deals: null; premium: null }) | { deals: number; premium: number; latitude: number; longitude: number }

/** To about a metre: a view of 2,000 stays below 60 kB. */
const roughPlace = 'round(latitude::numeric, 5)::float8 as latitude, round(longitude::numeric, 5)::float8 as longitude'
const squareColumns = 'square as deals, square_premium as premium'

/** Single deals up to `most` in the area; beyond, at most `mostPremium` premium ones, and squares of `cell` degrees with the rest. */
export function dealsOnMap(
  db: Sql,
  w: Wanted,
  area: Area,
  { compact, ...values }: { compact: boolean; cell: number; most: number; mostPremium: number },
): Promise<MapPart<MapRow | PinRow>[]> {
  const columns = compact
    ? `deal_id, ${roughPlace}, is_premium, category, use_time as time, ${squareColumns}`
    : `deal_id, deal_name, description, price, discount, latitude, longitude, is_premium, ${squareColumns}`
  return ask(db, columns, 'deals_map', questionOf(w, area), '$cell, $most, $mostPremium', values)
}

/** What typed words ask for. */
export interface Words {
  /** A text-search query; '' when nothing searchable was typed. */
  query: string
  /** No live deal has the words as they were typed, so the query looks for those that look like them. */
  guessed: boolean
  fewHaveThem: boolean
}

/**
 * Typed words, and what else they are called, as whole words when any live deal has them; else as beginnings of words;
 * else with what they may have been meant to be: whoever spells
 * a thing right does not want what merely looks like it.
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

/** Whether a deal of another category carries the tag. */
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
