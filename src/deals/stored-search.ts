import type { Category } from '../brand/categories.ts'
import { categoryLabelled, categoryNamed } from '../businesses/category-words.ts'
import { todayEnd } from '../kit/shared/calendar.ts'
import { distanceKm, type Position } from '../kit/shared/geo.ts'
import { fold } from '../kit/shared/search-fold.ts'
import type { ListedDeal } from './contract.ts'
import type { dealSorts } from './limits.ts'
import { dealTime } from './times.ts'
import { termsWithSynonyms } from './synonyms.ts'

/** Orders that a phone can make itself: it does not know when a deal was published. */
export type StoredSort = Exclude<(typeof dealSorts)[number], 'new'>
export const isStoredSort = (sort: string): sort is StoredSort => sort !== 'new'

export interface StoredQuestion {
  q?: string | undefined
  category?: string | undefined
  openNow: boolean
  /** CHF */
  maxPrice?: number | undefined
  sort: StoredSort
  /** null: everywhere, seen from `centre` in the order `best`. */
  around: (Position & { radiusKm: number }) | null
  /** Of the festival. */
  centre: Position
  zone: string
  /** ms since 1970 */
  now: number
}

export type StoredDeal = ListedDeal & { distance_km: number | null }

/**
 * Filters and sorts stored deals by the rules of the server's search (migrations/0014_deals_questions.sql), at `now`. Without paid
 * places and close matches of mistyped words; stored-search.api.test.ts compares the two.
 */
export function searchStored(deals: readonly ListedDeal[], asked: StoredQuestion): StoredDeal[] {
  const { around, now } = asked
  const live = deals.filter(
    ({ status, starts_at, over_at }) =>
      (status === 'active' || (status === 'scheduled' && starts_at !== null && Date.parse(starts_at) <= now)) &&
      (over_at === null || Date.parse(over_at) > now),
  )
  const says = wordsOf(live, asked.q)
  const belongs = categoryOf(asked.category)
  return live
    .filter(
      (deal) =>
        says(deal) &&
        belongs(deal) &&
        (!asked.openNow || dealTime(deal, now).is === 'now') &&
        (asked.maxPrice === undefined || (deal.price_chf !== null && deal.price_chf <= asked.maxPrice)) &&
        // a list in the order "ending soon" has what has an end
        (asked.sort !== 'ending_soon' || around !== null || deal.over_at !== null),
    )
    .map((deal) => ({ ...deal, distance_km: kmFrom(around ?? asked.centre, deal) }))
    .filter(({ distance_km }) => !around || distance_km === null || distance_km <= around.radiusKm)
    .toSorted(inOrder(asked))
}

type Says = (deal: ListedDeal) => boolean

/** The first of these that finds a live deal: whole words with their synonyms, beginnings of words, the category that they mean. */
function wordsOf(live: ListedDeal[], typed: string | undefined): Says {
  const q = typed?.trim()
  if (!q) return () => true
  const named = categoryLabelled(q)
  const texts = new Map(live.map((deal) => [deal, textOf(deal)]))
  for (const loose of [false, true]) {
    const terms = termsWithSynonyms(q, loose).slice(0, 8)
    const says: Says = (deal) =>
      terms.every((term) => term.some((words, at) => hasWords(texts.get(deal) ?? textOf(deal), words, at === 0, loose)))
    if (terms.length > 0 && live.some(says)) return (deal) => says(deal) || deal.category === named
  }
  const meant = named ?? categoryNamed(q)
  return (deal) => deal.category === meant
}

/** The folded words of a deal, each between spaces. */
const textOf = ({ deal_name, tags, business_name, description }: ListedDeal) =>
  ` ${fold([deal_name, ...tags, business_name, description ?? ''].join(' '))} `

/** Whether all words of a phrase are there, in any order; the typed one may also be the beginning of a word. */
function hasWords(text: string, phrase: string, isTyped: boolean, loose: boolean): boolean {
  const words = fold(phrase).split(' ').filter(Boolean)
  return (
    words.length > 0 &&
    words.every((word) => text.includes(isTyped && (loose || word.length > 4) ? ` ${word}` : ` ${word} `))
  )
}

function categoryOf(typed: string | undefined): Says {
  if (!typed?.trim()) return () => true
  const key = categoryNamed(typed) as Category | null
  const tag = fold(typed).trim()
  return ({ category, tags }) => category === key || tags.some((each) => fold(each).trim() === tag)
}

function kmFrom(from: Position, { latitude, longitude }: ListedDeal): number | null {
  return latitude === null || longitude === null ? null : distanceKm(from, { latitude, longitude })
}

function inOrder({ sort, around, now, zone }: StoredQuestion): (one: StoredDeal, other: StoredDeal) => number {
  const tonight = todayEnd(zone, now)
  const last = Number.POSITIVE_INFINITY
  const valueOf: Record<StoredSort, (deal: StoredDeal) => number> = {
    best: (deal) => phaseOf(deal, now, tonight) * 1e6 + (deal.distance_km ?? 0) * walkPerKm - bonusOf(deal, now),
    distance: ({ distance_km }) => distance_km ?? last,
    rating: (deal) => -bayesOf(deal),
    ending_soon: ({ over_at }) => (over_at === null ? last : Date.parse(over_at)),
    price: ({ price_chf }) => price_chf ?? last,
  }
  const value = valueOf[sort]
  const isPlacesFirst = around !== null || sort === 'best' || sort === 'distance'
  return (one, other) =>
    (isPlacesFirst ? Number(one.distance_km === null) - Number(other.distance_km === null) : 0) ||
    compare(value(one), value(other)) ||
    compare(one.deal_id, other.deal_id) * (sort === 'rating' ? -1 : 1)
}

// infinity less infinity would be no number
const compare = <T extends number | string>(one: T, other: T) => (one < other ? -1 : one > other ? 1 : 0)

/** Minutes on foot: straight line × 1.3 at 80 m a minute. */
const walkPerKm = 16.25

/** How near its time is: 0 usable now, 1 within two hours, 2 later today or perhaps, 3 another day. */
function phaseOf(deal: ListedDeal, now: number, tonight: number): number {
  const { is } = dealTime(deal, now)
  if (is === 'now') return 0
  if (is === 'soon') return 1
  if (is === 'unknown') return 2
  const from = deal.usable_from === null ? Number.POSITIVE_INFINITY : Date.parse(deal.usable_from)
  return from < tonight ? 2 : 3
}

/** Minutes on foot by which a deal counts as nearer: 2 in its last three hours, and 2 for each star above the mean of 3.8. */
const bonusOf = (deal: ListedDeal, now: number) =>
  (deal.over_at !== null && Date.parse(deal.over_at) <= now + 3 * 3_600_000 ? 2 : 0) + 2 * (bayesOf(deal) - 3.8)

/** The mean of an answer is rounded; the sum of the stars is whole. */
const bayesOf = ({ rating_mean, rating_count }: ListedDeal) =>
  (5 * 3.8 + Math.round((rating_mean ?? 0) * rating_count)) / (5 + rating_count)
