import { asDate, type Clock } from '../../kit/server/clock.ts'
import type { Database } from '../../kit/server/database.ts'
import { viewsByHourAndSubject, viewsIn } from '../../views/server/views.ts'
import type { Figures } from '../contract.ts'
import { addCounted, addViews, nothing } from './figures.ts'
import * as store from './store.ts'

/** Figures by hour (ms since 1970) and by deal. */
export interface Read {
  hours: Map<number, Figures>
  byDeal: Map<string, Figures>
}

const dayMs = 86_400_000
/** A change that is younger than this meets no sum: those are made of days that ended a day ago at least. */
const lateAfterMs = 12 * 3_600_000

/** Whether a day that somebody changes may have been added up already. */
export const isLate = ({ clock }: { clock: Clock }, hour: Date): boolean =>
  clock.now().epochMilliseconds - hour.getTime() > lateAfterMs

/** Adds up the days that are over, and anew those that were changed late. An hourly job; run twice it does the same again. */
export async function sumDays({ db, clock }: { db: Database; clock: Clock }): Promise<void> {
  const until = asDate(clock.now().subtract({ hours: 36 }))
    .toISOString()
    .slice(0, 10)
  while (await db.transaction().execute((trx) => store.sumNextDays(trx, until))) {
    // a month at a time
  }
  while (await db.transaction().execute((trx) => store.sumLateDay(trx))) {
    // a day at a time
  }
}

/**
 * What was counted of some deals within a span. Of all deals of one business, past days come from their sums: whole days of UTC
 * by deal, hours for the business; what is newer, and the hours beside whole days, come as they were counted.
 */
export async function readFigures(
  { db }: { db: Database },
  dealIds: string[],
  span: store.Span,
  businessId: string | null,
): Promise<Read> {
  const read: Read = { hours: new Map(), byDeal: new Map() }
  const until = businessId === null ? null : await store.summedUntil(db, dealIds, span.from)
  const firstDay = Math.ceil(span.from.getTime() / dayMs) * dayMs
  const lastDay = Math.floor(Math.min(span.until.getTime(), until?.getTime() ?? 0) / dayMs) * dayMs
  if (businessId === null || lastDay <= firstDay) {
    await addHours(read, db, dealIds, span, true)
    return read
  }
  const [first, last] = [new Date(firstDay), new Date(lastDay)]
  const [byHour, byDeal] = await Promise.all([
    store.summedHours(db, businessId, { from: span.from, until: last }),
    store.summedDeals(db, dealIds, { from: first, until: last }),
    addHours(read, db, dealIds, { from: span.from, until: first }, false),
    addHours(read, db, dealIds, { from: last, until: span.until }, true),
  ])
  for (const row of byHour) addSummed(of(read.hours, row.hour_s * 1000), row)
  for (const row of byDeal) addSummed(of(read.byDeal, row.deal_id), row)
  return read
}

/** The same, all together. */
export async function readTotal(
  { db }: { db: Database },
  dealIds: string[],
  span: store.Span,
  businessId: string | null,
): Promise<Figures> {
  const total = nothing()
  const until = businessId === null ? null : await store.summedUntil(db, dealIds, span.from)
  const cut = new Date(Math.min(span.until.getTime(), Math.max(span.from.getTime(), until?.getTime() ?? 0)))
  const rest = { from: cut, until: span.until }
  const [summed, counted, views] = await Promise.all([
    businessId === null ? null : store.summedIn(db, businessId, { from: span.from, until: cut }),
    store.countedIn(db, dealIds, rest),
    viewsIn(db, 'deal', dealIds, rest.from, rest.until),
  ])
  if (summed) addSummed(total, summed)
  addCounted(total, counted)
  addViews(total, views)
  return total
}

/** Adds what was counted hour by hour; `withHours` false: to the deals alone. */
async function addHours(
  { hours, byDeal }: Read,
  db: Database,
  dealIds: string[],
  span: store.Span,
  withHours: boolean,
): Promise<void> {
  if (span.from >= span.until) return
  const [counted, views] = await Promise.all([
    store.countedBy(db, dealIds, span),
    viewsByHourAndSubject(db, 'deal', dealIds, span.from, span.until),
  ])
  for (const row of counted)
    if (row.hour_s === null) addCounted(of(byDeal, row.deal_id!), row)
    else if (withHours) addCounted(of(hours, row.hour_s * 1000), row)
  for (const row of views)
    if (row.hour_s === null) addViews(of(byDeal, row.subject_id!), row)
    else if (withHours) addViews(of(hours, row.hour_s * 1000), row)
}

function of<Key>(all: Map<Key, Figures>, key: Key): Figures {
  const found = all.get(key) ?? nothing()
  all.set(key, found)
  return found
}

function addSummed(to: Figures, row: store.SummedRow): void {
  addCounted(to, row)
  addViews(to, { views: row.opens, visitors: row.visitors })
}
