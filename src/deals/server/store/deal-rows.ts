import type { Selectable } from 'kysely'
import type { DB } from '../../../database-types.ts'
import { openingColumns, type OpeningRow } from '../../../businesses/server/businesses.ts'
import type { Sql } from '../../../kit/server/database.ts'
import { BoundedCache } from '../../../kit/server/bounded-cache.ts'
import { query } from '../../../kit/server/statement.ts'
import { columnsOf, type RowOf, type WrittenRow } from '../../../kit/shared/thing.ts'
import type { DealLanguage, DealStatus } from '../../contract.ts'
import { dealFields, type DealFields } from '../../deal.ts'

export type DealsTable = Selectable<DB['deals']>

/** The columns that a merchant can change, and the language that is guessed from them. */
export interface EditableDeal extends WrittenRow<DealFields, DealsTable> {
  lang: DealLanguage | null
}

/** A deal with its state at a moment. */
export interface DealRow extends OpeningRow, RowOf<DealFields, DealsTable> {
  rating_sum: number
  rating_bayes: number
  created_at: string
  is_premium: boolean
  status: DealStatus
  /** Null without an end, and where it could never be used. */
  over_at: string | null
  /** It has expired before its end, as it cannot be used any more. */
  over_by_hours: boolean
  /**
   * Changes of usable and not, before now or before its start: odd while it can be used; then the next two. Where the hours of its
   * merchant are unknown, by its own days and hours; null where it has none.
   */
  usable_past: number | null
  usable_next: string | null
  usable_after: string | null
}

/** From when on it may be used at all. */
const usableAt = 'greatest($now, d.starts_at)'

/** When it can be used, as far as anybody knows, and until when that is told. */
const usableChanges = 'coalesce(d.usable_changes, d.opening_changes)'
const hasOwnTimes = '(d.active_days <> 127 or d.end_time is not null)'
const ownChanges = (from: string, until: string) =>
  `usable_changes(array[${from}, ${until}]::timestamptz[], d.active_days, d.start_time, d.end_time)`
const knowsHours = 'coalesce(d.hours_filled_until > $now, false)'
const [toldFrom, toldUntil] = [`${usableAt} - interval '2 days'`, `${usableAt} + interval '9 days'`]
const toldChanges = `(case when ${knowsHours} then ${usableChanges}
  when ${hasOwnTimes} then ${ownChanges(toldFrom, toldUntil)} end)`
const toldEnd = `case when ${knowsHours} then d.hours_filled_until else ${toldUntil} end`

/**
 * Deals as `d` with what `columns` reads again and again: written out at each place it made the longest part of the
 * statement, a fifth of its time. The offset keeps the planner from writing it out itself.
 */
export const dealsAsTold = `deals d, lateral (select ${toldChanges} as changes offset 0) told`

/** Of the row `d` of deals alone, at `$now`; `columns` reads the same of `dealsAsTold`. */
export const columnsOfRow = columnsBy(toldChanges)
export const columns = columnsBy('told.changes')

function columnsBy(changes: string) {
  const stored = [...columnsOf(dealFields), 'rating_sum', 'rating_bayes', 'created_at']
  // each name of a row that no column holds needs its SQL
  const worked: Record<
    Exclude<keyof DealRow, keyof RowOf<DealFields, DealsTable> | keyof OpeningRow | Stored>,
    string
  > = {
    is_premium: 'coalesce(d.premium_until > $now, false)',
    status: 'deal_status(d.state, d.sold_out, d.starts_at, d.over_at, $now)',
    over_at: 'case when isfinite(d.over_at) then d.over_at end',
    over_by_hours: 'd.over_at <= $now and coalesce(d.ends_at > $now, true)',
    usable_past: `width_bucket(${usableAt}, ${changes})`,
    usable_next: `nullif(next_change(${usableAt}, ${changes}), ${toldEnd})`,
    usable_after: `nullif(${changes}[width_bucket(${usableAt}, ${changes}) + 2], ${toldEnd})`,
  }
  return [
    ...stored.map((column) => `d.${column}`),
    ...Object.entries(worked).map(([name, sql]) => `${sql} as ${name}`),
    openingColumns('d'),
  ].join(', ')
}
type Stored = 'rating_sum' | 'rating_bayes' | 'created_at'

export async function findDeal(db: Sql, dealId: string, now: Date): Promise<DealRow | undefined> {
  const rows = await query<DealRow>(db, `select ${columns} from ${dealsAsTold} where d.deal_id = $dealId`, {
    now,
    dealId,
  })
  return rows[0]
}

/** Those of the ids that are there, in no order. */
export async function findDeals(db: Sql, dealIds: readonly string[], now: Date): Promise<DealRow[]> {
  return query<DealRow>(db, `select ${columns} from ${dealsAsTold} where d.deal_id = any($dealIds::uuid[])`, {
    now,
    dealIds: [...dealIds],
  })
}

/** Of the row `d`, within a statement: the transaction that wrote it, so another one after each change. */
export const version = 'd.xmin'

/**
 * What a statement tells as the version. A number of a transaction is given again by a server that has taken over from
 * another or was restored: what the first wrote last is lost, and the next to be written gets its numbers. So the server
 * is part of it, told by its start: a server's own numbers never come back.
 */
export const versionTold = (version: string) => `${version}::text || ' ' || pg_postmaster_start_time()::text as version`

/** A row that names a deal instead of holding it. */
export type Placed<Row extends { deal: DealRow }> = Omit<Row, 'deal'> & { deal_id: string; version: string }

interface KeptDeal {
  version: string
  deal: DealRow
  /** Nothing in `deal` changes by itself between these, ms since 1970. */
  from: number
  until: number
}

/** By deal and server: replicas are asked by turns, and each has versions of its own. */
const keyOf = ({ deal_id, version }: { deal_id: string; version: string }) =>
  deal_id + version.slice(version.indexOf(' '))

/** 1 to 2 kB each. */
const keptDeals = () => new BoundedCache<string, KeptDeal>('rows of deals by version', { most: 4000 })
const keptOf = new WeakMap<Sql, ReturnType<typeof keptDeals>>()

/** From when on a row of `columns` is another one without having been written. */
const changesAt = `least(
  case when d.premium_until > $now then d.premium_until end, case when d.starts_at > $now then d.starts_at end,
  case when d.over_at > $now and d.over_at < 'infinity' then d.over_at end, case when d.hours_filled_until > $now then d.hours_filled_until end,
  next_change($now, d.opening_changes), next_change($now, told.changes))`

/**
 * Puts the deals into rows that name them. Which deals and which version of each the database has just decided; what such
 * a version holds is remembered, so that under load the same thirty columns are not handed out, sent and read again and
 * again. The rest comes in one further statement. A deal that was deleted in between is left out.
 *
 * Not for rows read inside a transaction that writes deals: two of its changes are one version.
 */
export async function whole<Row extends { deal: DealRow }>(db: Sql, now: Date, placed: Placed<Row>[]): Promise<Row[]> {
  let kept = keptOf.get(db)
  if (!kept) keptOf.set(db, (kept = keptDeals()))
  const at = now.getTime()
  const deals = new Map<string, DealRow>()
  const missing: string[] = []
  for (const { deal_id, version } of placed) {
    const found = kept.get(keyOf({ deal_id, version }))
    if (found?.version === version && found.from <= at && at < found.until) deals.set(deal_id, found.deal)
    else missing.push(deal_id)
  }
  if (missing.length > 0)
    for (const deal of await fetchDeals(db, now, missing)) {
      const until = Date.parse(deal.changes_at ?? 'never')
      deals.set(deal.deal_id, deal)
      kept.set(keyOf(deal), { version: deal.version, deal, from: at, until: Number.isNaN(until) ? Infinity : until })
    }
  return placed.flatMap((row) => {
    const deal = deals.get(row.deal_id)
    return deal ? [Object.assign(row, { deal }) as unknown as Row] : []
  })
}

function fetchDeals(db: Sql, now: Date, ids: string[]) {
  return query<DealRow & { version: string; changes_at: string | null }>(
    db,
    `select ${columns}, ${versionTold(version)}, ${changesAt} as changes_at
    from ${dealsAsTold} where d.deal_id = any($ids::uuid[])`,
    { now, ids },
  )
}
