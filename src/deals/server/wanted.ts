import { categoryLabelled, categoryNamed } from '../../businesses/server/category-words.ts'
import { asDate, type Clock } from '../../kit/server/clock.ts'
import type { Database } from '../../kit/server/database.ts'
import { remembered } from '../../kit/server/remembered.ts'
import { nightEndsMinute } from '../../kit/shared/calendar.ts'
import { fold } from './fold.ts'
import * as store from './store.ts'

/** What a query asks for, as the stores take it. `guessed`: nothing has its words, so it asks for what they may mean. */
export async function wantedBy(
  room: { db: Database; clock: Clock; zone: string },
  query: { q?: string | undefined; category?: string | undefined },
  openNow: boolean,
  premiumOnly: boolean,
  asOf = room.clock.now(),
): Promise<store.Wanted & { guessed: boolean }> {
  const now = room.clock.now()
  const q = query.q?.trim() || undefined
  const category = query.category?.trim() || undefined
  const label = q ? categoryLabelled(q) : null
  const words = q ? await meaningOf(room)(q) : null
  return {
    moment: { now: asDate(now), asOf: asDate(asOf), tonight: endOfToday(asOf, room.zone) },
    words: words && words.query,
    fewHaveThem: words !== null && words.fewHaveThem,
    guessed: words !== null && words.guessed && !label,
    wordsCategory: label ?? (q && words?.guessed ? categoryNamed(q) : null),
    // deals of other categories may carry the name of one as a tag
    category: category ? { key: categoryNamed(category), tag: fold(category).trim() } : null,
    openNow,
    premiumOnly,
  }
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
 * What typed words mean to the database. A word that is new in the town is still found as it is typed; only its misspellings may take
 * a second to be known.
 */
function meaningOf({ db, clock }: { db: Database; clock: Clock }) {
  let found = meanings.get(db)
  if (!found) {
    const meaning = (typed: string) => store.searchWords(db, typed, asDate(clock.now()))
    meanings.set(db, (found = remembered(meaning, { name: 'similar words', keptMs: 1000, most: 1000 })))
  }
  return found
}
const meanings = new WeakMap<Database, (typed: string) => Promise<store.Words>>()
