import { categoryLabelled, categoryNamed } from '../../businesses/category-words.ts'
import { asDate, type Clock } from '../../kit/server/clock.ts'
import type { Database } from '../../kit/server/database.ts'
import { cachedAnswers } from '../../kit/server/timed-cache.ts'
import { rappenFromChf } from '../../kit/shared/money.ts'
import { nightEndsMinute } from '../../kit/shared/calendar.ts'
import { fold } from '../../kit/shared/search-fold.ts'
import * as store from './store.ts'

/** Resolves the words and the category of a query. `guessed`: no deal has the words, so similar ones are searched for. */
export async function resolveFilter(
  room: { db: Database; clock: Clock; zone: string },
  query: { q?: string | undefined; category?: string | undefined; max_price?: number | undefined },
  openNow: boolean,
  premiumOnly: boolean,
  asOf = room.clock.now(),
): Promise<store.DealFilter & { guessed: boolean }> {
  const now = room.clock.now()
  const q = query.q?.trim() || undefined
  const category = query.category?.trim() || undefined
  const label = q ? categoryLabelled(q) : null
  const [words, resolved] = await Promise.all([
    q ? store.searchWords(room.db, q, asDate(now)) : null,
    category ? categoryOf(room, category) : null,
  ])
  return {
    moment: { now: asDate(now), asOf: asDate(asOf), tonight: endOfToday(asOf, room.zone) },
    words: words && words.query,
    fewHaveThem: words !== null && words.fewHaveThem,
    guessed: words !== null && words.guessed && !label,
    wordsCategory: label ?? (q && words?.guessed ? categoryNamed(q) : null),
    category: resolved,
    openNow,
    maxRappen: query.max_price === undefined ? null : rappenFromChf(query.max_price),
    premiumOnly,
  }
}

/** As `todayEnd` of calendar.ts, but right also when clocks change. */
function endOfToday(now: Temporal.Instant, zone: string): Date {
  const here = now.toZonedDateTimeISO(zone)
  const hour = here.hour < nightEndsHour ? 0 : nightEndsHour
  const end = here.toPlainDate().add({ days: 1 }).toZonedDateTime({ timeZone: zone, plainTime: { hour } })
  return new Date(end.epochMilliseconds)
}
const nightEndsHour = nightEndsMinute / 60

/** Resolves a typed category. Cached for a second, so a new tag with the name of a category may take so long. */
function categoryOf({ db }: { db: Database }, typed: string) {
  let ask = categories.get(db)
  if (!ask) {
    ask = cachedAnswers((typed) => categoryBy(db, typed), { name: 'categories used as tags', ttlMs: 1000, most: 1000 })
    categories.set(db, ask)
  }
  return ask(typed)
}
const categories = new WeakMap<Database, (typed: string) => Promise<store.DealFilter['category']>>()

async function categoryBy(db: Database, typed: string): Promise<store.DealFilter['category']> {
  const tag = fold(typed).trim()
  const key = categoryNamed(typed)
  if (key === null) return { key, tag }
  return { key, tag: (await store.isTagElsewhere(db, key, tag)) ? tag : null }
}
