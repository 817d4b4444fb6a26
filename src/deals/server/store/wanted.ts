import type { Sql } from '../../../kit/server/database.ts'
import { nearbyIn, type Area } from '../../../kit/server/nearby.ts'
import { query } from '../../../kit/server/statement.ts'
import type { Category } from '../../../brand/categories.ts'
import { endingSoonHours, startingSoonHours } from '../../contract.ts'
import { termsWithSynonyms } from '../synonyms.ts'

// What lists, searches and maps ask for, and the conditions that say it. A row of deals carries what a list says of its
// merchant, so nothing here joins.

/** When a search is asked. */
export interface Moment {
  now: Date
  /** By which `best` orders: that of the first page, so that who pages on neither misses nor repeats a deal. */
  asOf: Date
  /** What begins before is "later today": the end of the night that follows, or in the small hours midnight. */
  tonight: Date
}

// Statements are texts with `$name` for values (kit/server/statement.ts).

export const isPremium = 'coalesce(d.premium_until > $now, false)'

/** What every list shows: published, begun, not sold out, and still to be used (migration 0025). */
export const isLive = 'is_live(d.state, d.sold_out, d.starts_at, d.over_at, $now)'
/** The same with what has not begun. */
const isLiveOrScheduled = 'is_live(d.state, d.sold_out, null, d.over_at, $now)'
/** As much of it as the partial indexes know, for statements that must begin with one of them. */
export const isListed = `d.state = 'published' and not d.sold_out`

/** From, until, from … : when the deal can be used, where the merchant's hours are known. */
export const usableChanges = 'coalesce(d.usable_changes, d.opening_changes)'

/** It can be used now: the place is open and the deal's own days and hours hold. */
export const isUsable = `is_open($now, ${usableChanges})`
/** For the order of `best`. */
export const wasUsable = `is_open($asOf, ${usableChanges})`

/** It has days or hours of its own that leave out some of the week. */
export const hasOwnTimes = '(d.active_days <> 127 or d.end_time is not null)'
/** As `usableChanges`, by its own days and hours alone. */
export const ownChanges = (from: string, until: string) =>
  `usable_changes(array[${from}, ${until}]::timestamptz[], d.active_days, d.start_time, d.end_time)`
const isOfUnknownHours = 'coalesce(d.hours_filled_until <= $asOf, true)'
/** Where the hours of its merchant are unknown: its own days and hours leave a time before `until`. */
const mayBeUsed = (until: string) =>
  `case when ${hasOwnTimes} then cardinality(${ownChanges('$asOf', until)}) > 0 else true end`

/**
 * How near its time is: 0 it can be used now, 1 it begins within two hours, 2 later today, 3 another day. Where the hours of its
 * merchant are unknown, nobody knows whether it can be used: 2, or 3 where its own days and hours leave out the rest of today.
 */
export const phase = `case when ${wasUsable} then 0
  when ${isOfUnknownHours} then case when ${mayBeUsed('$tonight')} then 2 else 3 end
  when next_change($asOf, ${usableChanges}) <= $startsSoon then 1
  when next_change($asOf, ${usableChanges}) < $tonight then 2 else 3 end`

/** A paid place is no way past the clock: it shows what can be used within two hours, or may be where nobody knows the hours. */
export const isSoon = `(${phase} < 2 or ${isOfUnknownHours} and ${mayBeUsed('$startsSoon')})`

/** The last hours in which it can be used. */
export const endsSoon = 'd.over_at <= $soon'

function momentValues({ now, asOf, tonight }: Moment): Record<string, unknown> {
  const after = (from: Date, hours: number) => new Date(from.getTime() + hours * 3_600_000)
  return { now, asOf, tonight, startsSoon: after(asOf, startingSoonHours), soon: after(now, endingSoonHours) }
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
   * A category, or a tag asked for like one, folded; null: any. Deals of other categories may carry the
   * name of a category as a tag; a null tag says that none does.
   */
  category: { key: Category; tag: string | null } | { key: null; tag: string } | null
  openNow: boolean
  premiumOnly: boolean
  /** Also what has not begun. */
  withScheduled?: boolean
}

/** What of a search decides how its statements are written; all the rest are values. */
export interface Asked {
  words: 'none' | 'few' | 'text' | 'text or category'
  category: 'any' | 'category' | 'category or tag' | 'tag'
  openNow: boolean
  premiumOnly: boolean
  withScheduled: boolean
  /** The area is a box, not a circle. */
  box: boolean
}

export function askedBy(w: Wanted, area: Area): Asked {
  return {
    words: w.words === null ? 'none' : w.wordsCategory ? 'text or category' : w.fewHaveThem ? 'few' : 'text',
    category: !w.category ? 'any' : !w.category.key ? 'tag' : w.category.tag === null ? 'category' : 'category or tag',
    openNow: w.openNow,
    premiumOnly: w.premiumOnly,
    withScheduled: w.withScheduled ?? false,
    box: area.bbox !== null,
  }
}

export function wantedValues(w: Wanted): Record<string, unknown> {
  return {
    ...momentValues(w.moment),
    words: w.words,
    wordsCategory: w.wordsCategory,
    category: w.category?.key,
    tag: w.category?.tag,
  }
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
 * Fewer deals than this, one in fifty of all, are looked at one by one sooner than a neighbourhood is walked, which would see most deals before
 * it had a hundred. How many there are is what the last `analyze` counted.
 */
const fewDeals = `(select greatest(100, least(2000, reltuples / 50))::int from pg_class where oid = 'deals'::regclass)`

/**
 * Typed words, and what else they are called, as whole words when any live deal has them; else as beginnings of words;
 * else with what they may have been meant to be: whoever spells
 * a thing right does not want what merely looks like it.
 */
export async function searchWords(db: Sql, typed: string, now: Date): Promise<Words> {
  const values = { typed, now }
  // counted, not only looked for: to find just one, the planner would read the table from its beginning
  const found = (words: string) => `(
    select count(*) from (select from deals d where d.doc @@ ${words} and ${isLive} limit ${fewDeals}) live)::int`
  for (const loose of [false, true]) {
    const rows = await query<{ words: string | null; found: number; few: number }>(
      db,
      `select words::text as words, ${found('words')} as found, ${fewDeals} as few
      from (select search_terms($terms::jsonb, ${loose}) as words offset 0) asked`,
      { ...values, terms: JSON.stringify(termsWithSynonyms(typed, loose)) },
    )
    const { words, found: count, few } = rows[0]!
    if (words === null || count > 0) return { query: words ?? '', guessed: false, fewHaveThem: count < few }
  }
  const guesses = await query<{ words: string | null; found: number; few: number }>(
    db,
    `select words::text as words, ${found('words')} as found, ${fewDeals} as few
      from (select search_query($typed) as words offset 0) typed`,
    values,
  )
  const guess = guesses[0]!
  return { query: guess.words ?? '', guessed: true, fewHaveThem: guess.found < guess.few }
}

export const hasTag = 'd.facets @> array[$tag]'

/** Whether a deal of another category carries the tag. */
export async function isTagElsewhere(db: Sql, category: Category, tag: string): Promise<boolean> {
  const rows = await query<{ found: boolean }>(
    db,
    `select exists(
      select from deals d where ${isListed} and ${hasTag} and d.category <> $category
    ) as found`,
    { category, tag },
  )
  return rows[0]!.found
}

const wordConditions: Record<Asked['words'], string> = {
  none: '',
  few: 'and d.doc @@ $words::tsquery',
  text: 'and d.doc @@ $words::tsquery',
  'text or category': 'and (d.doc @@ $words::tsquery or d.category = $wordsCategory)',
}

/** Everything but the category. */
export function wantedOfAnyCategory({ words, openNow, premiumOnly, withScheduled }: Omit<Asked, 'box'>): string {
  return `${withScheduled ? isLiveOrScheduled : isLive} ${wordConditions[words]} ${openNow ? `and ${isUsable}` : ''} ${premiumOnly ? `and ${isPremium}` : ''}`
}

/**
 * The conditions of each way to belong to the asked-for category, free of overlap: deals of the category itself, and
 * deals of others that carry its name as a tag. Apart, so that each has an index; one condition with "or" has none. The
 * tagged ones are found by their tag, so the area must not offer its index: the planner would walk through the circle
 * and look at every tag.
 */
export function waysToBelong(
  { words, category, box }: Asked,
  near = inArea(box),
): { belongs: string; within: string }[] {
  if (words === 'few') return [{ belongs: belongsTo[category], within: near }]
  if (category === 'any') return [{ belongs: '', within: near }]
  const itself = { belongs: 'and d.category = $category', within: near }
  if (category === 'category') return [itself]
  const tagged = { belongs: `and ${hasTag}`, within: isInArea(box) }
  if (category === 'tag') return [tagged]
  return [itself, { belongs: `${tagged.belongs} and d.category <> $category`, within: tagged.within }]
}

export const belongsTo: Record<Asked['category'], string> = {
  any: '',
  category: 'and d.category = $category',
  'category or tag': `and (d.category = $category or ${hasTag})`,
  tag: `and ${hasTag}`,
}

export function wanted(asked: Asked): string {
  return `${wantedOfAnyCategory(asked)} ${belongsTo[asked.category]}`
}

/**
 * The deals that have the words, found by their index: walking outwards a search would look at every deal of the circle before
 * it had enough. The offset keeps the planner from doing so.
 */
export const dealsWithWords = `(select d.xmin, d.* from deals d where ${isListed} and d.doc @@ $words::tsquery offset 0) d`

/** Where a search looks for deals. */
export const dealsOf = ({ words }: Asked) => (words === 'few' ? dealsWithWords : 'deals d')

export const { kmAway, inArea, roughlyInArea, isInArea } = nearbyIn('d')
