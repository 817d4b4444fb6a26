import { createHmac, randomBytes } from 'node:crypto'
import type { Clock } from '../../kit/server/clock.ts'
import { asDate } from '../../kit/server/clock.ts'
import type { Database, Sql } from '../../kit/server/database.ts'
import * as store from './store.ts'

export type Viewed = 'business' | 'deal'

/** A visitor's views of one page count at most this often … */
export const countedPerWindow = 10
/** All visitors of one address together: a crowd behind one address counts, one machine with many names does not. */
export const countedPerAddress = 200
/** … within this many minutes. */
export const windowMinutes = 30

/**
 * Counts a view, at most ten per visitor, subject and 30 minutes. The visitor is known only as a keyed hash of address
 * and user agent with a salt of the day; the address itself is stored nowhere.
 */
export async function countView(
  { db, clock }: { db: Database; clock: Clock },
  viewed: { kind: Viewed; subjectId: string; visitor: { address: string; userAgent: string } },
): Promise<void> {
  const now = clock.now()
  const day = now.toZonedDateTimeISO('UTC').toPlainDate().toString()
  const salt = await saltOf(db, day)
  const hash = (text: string) => createHmac('sha256', salt).update(text).digest().subarray(0, 16)
  await store.countView(db, {
    kind: viewed.kind,
    subjectId: viewed.subjectId,
    visitor: hash(`${viewed.visitor.address}\n${viewed.visitor.userAgent}`),
    address: hash(viewed.visitor.address),
    now: asDate(now),
    windowMinutes,
    countedPerWindow,
    countedPerAddress,
  })
}

// the salt of a day never changes once it is in the database, so remembering it is safe with several instances
let remembered: { db: Database; day: string; salt: Buffer } | null = null
async function saltOf(db: Database, day: string): Promise<Buffer> {
  if (remembered?.db !== db || remembered.day !== day) {
    remembered = { db, day, salt: await store.saltOfDay(db, day, randomBytes(32)) }
  }
  return remembered.salt
}

/** Forgets hashes and salts older than two days, so that no visitor can be recognised later. Run daily. */
export async function forgetVisitors({ db, clock }: { db: Database; clock: Clock }): Promise<void> {
  await store.forgetVisitors(db, asDate(clock.now().subtract({ hours: 48 })))
}

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

/** Counts of the past, for a demo. */
export const { addViewHours } = store
