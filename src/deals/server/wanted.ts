import type { Category } from '../../brand/categories.ts'
import { categoryLabelled, categoryNamed } from '../../businesses/server/category-words.ts'
import { asDate, type Clock } from '../../kit/server/clock.ts'
import type { Database } from '../../kit/server/database.ts'
import { remembered } from '../../kit/server/remembered.ts'
import { nightEndsMinute } from '../../kit/shared/calendar.ts'
import { fold } from './fold.ts'
import * as store from './store.ts'

/** What a query asks for, as the stores take it. `guessed`: nothing has its words, so it asks for what they may mean. */
export async function wantedBy(
  { db, clock, zone }: { db: Database; clock: Clock; zone: string },
  query: { q?: string | undefined; category?: string | undefined },
  openNow: boolean,
  premiumOnly: boolean,
  asOf = clock.now(),
): Promise<store.Wanted & { guessed: boolean }> {
  const now = clock.now()
  const q = query.q?.trim() || undefined
  const category = query.category?.trim() || undefined
  const label = q ? categoryLabelled(q) : null
  const [words, asked] = await Promise.all([
    q ? lookedUp(db).words(`${Math.floor(now.epochMilliseconds / 60_000)} ${q}`) : null,
    category ? categoryBy(db, category) : null,
  ])
  return {
    moment: { now: asDate(now), asOf: asDate(asOf), tonight: endOfToday(asOf, zone) },
    words: words && words.query,
    fewHaveThem: words !== null && words.fewHaveThem,
    guessed: words !== null && words.guessed && !label,
    wordsCategory: label ?? (q && words?.guessed ? categoryNamed(q) : null),
    category: asked,
    openNow,
    premiumOnly,
  }
}

async function categoryBy(db: Database, typed: string): Promise<store.Wanted['category']> {
  const folded = fold(typed).trim()
  const key = categoryNamed(typed)
  if (key === null) return { key, tag: folded }
  return { key, tag: (await lookedUp(db).elsewhere(`${key} ${folded}`)) ? folded : null }
}

/** `todayEnd` of calendar.ts, on days when clocks change too. */
function endOfToday(now: Temporal.Instant, zone: string): Date {
  const here = now.toZonedDateTimeISO(zone)
  const hour = here.hour < nightEndsHour ? 0 : nightEndsHour
  const end = here.toPlainDate().add({ days: 1 }).toZonedDateTime({ timeZone: zone, plainTime: { hour } })
  return new Date(end.epochMilliseconds)
}
const nightEndsHour = nightEndsMinute / 60

/**
 * What typed words and categories mean to the database. A word that is new in the
 * town is still found as it is typed; only its misspellings, and that a category's name has become a tag elsewhere, may
 * take a second to be known.
 */
function lookedUp(db: Database) {
  let found = lookUps.get(db)
  if (!found) {
    found = {
      words: remembered(
        (asked) => {
          const [, minute = '', typed = ''] = /^(\d+) (.*)$/s.exec(asked)!
          return store.searchWords(db, typed, new Date(Number(minute) * 60_000))
        },
        { name: 'similar words', keptMs: 1000, most: 1000 },
      ),
      elsewhere: remembered(
        (asked) => {
          const [key, ...tag] = asked.split(' ')
          return store.isTagElsewhere(db, key as Category, tag.join(' '))
        },
        { name: 'categories used as tags', keptMs: 1000, most: 1000 },
      ),
    }
    lookUps.set(db, found)
  }
  return found
}
interface LookUps {
  /** Asked as "minute typed", the minute since 1970. */
  words: (asked: string) => Promise<store.Words>
  /** Whether deals of other categories carry the tag; asked as "category tag". */
  elsewhere: (asked: string) => Promise<boolean>
}
const lookUps = new WeakMap<Database, LookUps>()
