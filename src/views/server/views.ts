import { asDate, type Clock } from '../../kit/server/clock.ts'
import type { Database, Sql } from '../../kit/server/database.ts'
import { inSteps } from '../../kit/server/in-steps.ts'
import type { Viewed } from './counter.ts'
import * as store from './store.ts'

export { ViewCounter, type Viewed } from './counter.ts'
export { addViewHours, everyHourOf, totalViews, viewsByHourAndSubject, viewsBySubjectAndDay, viewsIn } from './store.ts'

/** Pages of a room whose views are counted. */
export interface CountedPages {
  kind: Viewed
  /** Returns the given ids whose page still exists, hidden pages included. */
  existing: (db: Sql, ids: string[]) => Promise<string[]>
}

/** Subjects whose existence is checked in one statement. */
const checkedAtOnce = 1000

/**
 * Deletes visitor hashes and salts older than two days, so that no visitor can be recognised later. Also deletes counts of deleted
 * pages: views are written with a delay, so some are written after their page is deleted. Run daily.
 */
export async function forgetVisitors(
  { db, clock }: { db: Database; clock: Clock },
  pages: readonly CountedPages[],
): Promise<void> {
  const before = asDate(clock.now().subtract({ hours: 48 }))
  for (const each of pages) await deleteCountsOfDeletedPages(db, each, before)
  await store.forgetVisitors(db, before)
}

const deleteCountsOfDeletedPages = (db: Database, { kind, existing }: CountedPages, before: Date) =>
  inSteps(checkedAtOnce, async ({ after, limit }) => {
    const ids = await store.subjectsOfVisitors(db, kind, before, after, limit)
    if (ids.length === 0) return ids
    const existingIds = new Set(await existing(db, ids))
    await forgetSubjects(
      db,
      kind,
      ids.filter((id) => !existingIds.has(id)),
    )
    return ids
  })

/** Deletes all counts of these subjects. Rooms call it when they delete a page. */
export async function forgetSubjects(db: Sql, kind: Viewed, subjectIds: string[]): Promise<void> {
  if (subjectIds.length > 0) await store.forgetSubjects(db, kind, subjectIds)
}

/** Views by subject: all, and in each of the `days` × 24 h from `from` on. Subjects without views are left out. */
export async function viewsOf(
  db: Sql,
  kind: Viewed,
  subjectIds: string[],
  { from, days }: { from: Temporal.Instant; days: number },
): Promise<Map<string, { views: number; byDay: number[] }>> {
  const counted = new Map<string, { views: number; byDay: number[] }>()
  if (subjectIds.length === 0) return counted
  for (const { subject_id, day, views } of await store.viewsByDay(db, kind, subjectIds, asDate(from))) {
    const of = counted.get(subject_id) ?? { views: 0, byDay: Array<number>(days).fill(0) }
    counted.set(subject_id, of)
    of.views += views
    if (day >= 0 && day < days) of.byDay[day]! += views
  }
  return counted
}
