import type { Clock } from '../../kit/server/clock.ts'
import { asDate } from '../../kit/server/clock.ts'
import type { Database, Sql } from '../../kit/server/database.ts'
import { inSteps } from '../../kit/server/in-steps.ts'
import type { Viewed } from './counter.ts'
import * as store from './store.ts'

export { ViewCounter, type Viewed } from './counter.ts'

/** Pages of one kind, of the room that has them. */
export interface CountedPages {
  kind: Viewed
  /** Those of the given ones that are there, hidden ones included. */
  existing: (db: Sql, ids: string[]) => Promise<string[]>
}

/** Subjects whose pages are looked for in one statement. */
const lookedForAtOnce = 1000

/**
 * Forgets hashes and salts older than two days, so that no visitor can be recognised later, and what was counted of pages that
 * are gone: views are counted a moment after they happen, so some may be counted after the deletion. Run daily.
 */
export async function forgetVisitors(
  { db, clock }: { db: Database; clock: Clock },
  pages: readonly CountedPages[],
): Promise<void> {
  const before = asDate(clock.now().subtract({ hours: 48 }))
  for (const each of pages) await forgetGone(db, each, before)
  await store.forgetVisitors(db, before)
}

const forgetGone = (db: Database, { kind, existing }: CountedPages, before: Date) =>
  inSteps(lookedForAtOnce, async ({ after, limit }) => {
    const ids = await store.subjectsOfVisitors(db, kind, before, after, limit)
    if (ids.length === 0) return ids
    const there = new Set(await existing(db, ids))
    await forgetSubjects(
      db,
      kind,
      ids.filter((id) => !there.has(id)),
    )
    return ids
  })

/** Forgets what was counted of subjects that are gone. */
export async function forgetSubjects(db: Sql, kind: Viewed, subjectIds: string[]): Promise<void> {
  if (subjectIds.length > 0) await store.forgetSubjects(db, kind, subjectIds)
}

/** Views of some subjects: since they began, and on each of the 24 h from `from` on. Subjects without any are left out. */
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

/** Counted views of a subject, by the hours in which they fell. */
export async function viewsBetween(
  db: Sql,
  kind: Viewed,
  subjectId: string,
  { from, until }: { from: Date; until: Date },
): Promise<number> {
  return store.viewsBetween(db, kind, subjectId, from, until)
}

/** Counted views and visitors of some subjects: by hour and subject, by subject and day, or all together. */
export const { viewsByHourAndSubject, viewsBySubjectAndDay, viewsIn } = store

/** All views of some subjects together, and all that is kept of one for an export. */
export const { totalViews, everyHourOf } = store

/** Counts of the past, for a demo. */
export const { addViewHours } = store
