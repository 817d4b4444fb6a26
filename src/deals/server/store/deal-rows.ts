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

/** The columns that a merchant can change, and `lang`, which is guessed from them. */
export interface EditableDeal extends WrittenRow<DealFields, DealsTable> {
  lang: DealLanguage | null
}

/** A deal with its state at an instant (`$now`). */
export interface DealRow extends OpeningRow, RowOf<DealFields, DealsTable> {
  rating_sum: number
  rating_bayes: number
  created_at: string
  is_premium: boolean
  status: DealStatus
  /** The last moment at which it can be used; null: no end, or it never could be used. */
  over_at: string | null
  /** It expired before its end because the hours no longer allow its use. */
  over_by_hours: boolean
  /**
   * How often the deal changed between usable and not, up to now (or its start): odd while it can be used. Then the next two changes.
   * Where the hours of its merchant are unknown, by the deal's own days and hours; null where it has none.
   */
  usable_past: number | null
  usable_next: string | null
  usable_after: string | null
}

/** Now, or the start of a deal that has not begun. */
const usableAt = 'greatest($now, d.starts_at)'

/** The instants at which a deal becomes usable or stops being so, as far as its hours are known, and how far that is. */
const usableChanges = 'coalesce(d.usable_changes, d.opening_changes)'
const hasOwnTimes = '(d.active_days <> 127 or d.end_time is not null)'
const ownChanges = (from: string, until: string) =>
  `usable_changes(array[${from}, ${until}]::timestamptz[], d.active_days, d.start_time, d.end_time)`
const knowsHours = 'coalesce(d.hours_filled_until > $now, false)'
const [ownFrom, ownUntil] = [`${usableAt} - interval '2 days'`, `${usableAt} + interval '9 days'`]
const knownChanges = `(case when ${knowsHours} then ${usableChanges}
  when ${hasOwnTimes} then ${ownChanges(ownFrom, ownUntil)} end)`
const knownUntil = `case when ${knowsHours} then d.hours_filled_until else ${ownUntil} end`

/**
 * Deals as `d`, with `known.changes` computed once: repeated in each column it took a fifth of the statement's time. `offset 0`
 * keeps the planner from repeating it.
 */
export const dealsWithChanges = `deals d, lateral (select ${knownChanges} as changes offset 0) known`

/** For a row `d` of deals alone. */
export const columnsOfRow = columnsBy(knownChanges)
/** The same for `dealsWithChanges`. */
export const columns = columnsBy('known.changes')

function columnsBy(changes: string) {
  const stored = [...columnsOf(dealFields), 'rating_sum', 'rating_bayes', 'created_at']
  // typed so that a field without a column must have its SQL
  const computed: Record<
    Exclude<keyof DealRow, keyof RowOf<DealFields, DealsTable> | keyof OpeningRow | Stored>,
    string
  > = {
    is_premium: 'coalesce(d.premium_until > $now, false)',
    status: 'deal_status(d.state, d.sold_out, d.starts_at, d.over_at, $now)',
    over_at: 'case when isfinite(d.over_at) then d.over_at end',
    over_by_hours: 'd.over_at <= $now and coalesce(d.ends_at > $now, true)',
    usable_past: `width_bucket(${usableAt}, ${changes})`,
    usable_next: `nullif(next_change(${usableAt}, ${changes}), ${knownUntil})`,
    usable_after: `nullif(${changes}[width_bucket(${usableAt}, ${changes}) + 2], ${knownUntil})`,
  }
  return [
    ...stored.map((column) => `d.${column}`),
    ...Object.entries(computed).map(([name, sql]) => `${sql} as ${name}`),
    openingColumns('d'),
  ].join(', ')
}
type Stored = 'rating_sum' | 'rating_bayes' | 'created_at'

export async function findDeal(db: Sql, dealId: string, now: Date): Promise<DealRow | undefined> {
  const rows = await query<DealRow>(db, `select ${columns} from ${dealsWithChanges} where d.deal_id = $dealId`, {
    now,
    dealId,
  })
  return rows[0]
}

/** The deals that exist, in no order. */
export async function findDeals(db: Sql, dealIds: readonly string[], now: Date): Promise<DealRow[]> {
  return query<DealRow>(db, `select ${columns} from ${dealsWithChanges} where d.deal_id = any($dealIds::uuid[])`, {
    now,
    dealIds: [...dealIds],
  })
}

/** Version of the row `d`: the transaction that wrote it. */
export const version = 'd.xmin'

/**
 * Column with the version and the start time of the database server. After a failover or a restore another server may use the same
 * transaction numbers for other content; within one server they never repeat.
 */
export const versionColumn = (version: string) =>
  `${version}::text || ' ' || pg_postmaster_start_time()::text as version`

/** A row with the id and version of a deal instead of the deal. */
export type ByDealId<Row extends { deal: DealRow }> = Omit<Row, 'deal'> & { deal_id: string; version: string }

interface CachedDeal {
  version: string
  deal: DealRow
  /** Between these instants (ms since 1970) no field of `deal` changes with time alone. */
  from: number
  until: number
}

/** Key by deal and server: each replica has versions of its own, and requests alternate between them. */
const keyOf = ({ deal_id, version }: { deal_id: string; version: string }) =>
  deal_id + version.slice(version.indexOf(' '))

/** Each deal takes 1 to 2 kB. */
const dealCache = () => new BoundedCache<string, CachedDeal>('rows of deals by version', { most: 4000 })
const caches = new WeakMap<Sql, ReturnType<typeof dealCache>>()

/** The next instant at which a field changes with time alone. */
const changesAt = `least(
  case when d.premium_until > $now then d.premium_until end, case when d.starts_at > $now then d.starts_at end,
  case when d.over_at > $now and d.over_at < 'infinity' then d.over_at end, case when d.hours_filled_until > $now then d.hours_filled_until end,
  next_change($now, d.opening_changes), next_change($now, known.changes))`

/**
 * Puts the deals into rows that have their ids and versions. Deals are cached by version, so that under load their thirty columns
 * are not read again and again; missing ones are read in one more statement. A deal deleted in between is left out.
 *
 * Not inside a transaction that writes deals: all its changes have the same version.
 */
export async function withDeals<Row extends { deal: DealRow }>(
  db: Sql,
  now: Date,
  rows: ByDealId<Row>[],
): Promise<Row[]> {
  let cache = caches.get(db)
  if (!cache) caches.set(db, (cache = dealCache()))
  const at = now.getTime()
  const deals = new Map<string, DealRow>()
  const missing: string[] = []
  for (const { deal_id, version } of rows) {
    const found = cache.get(keyOf({ deal_id, version }))
    if (found?.version === version && found.from <= at && at < found.until) deals.set(deal_id, found.deal)
    else missing.push(deal_id)
  }
  if (missing.length > 0)
    for (const deal of await fetchDeals(db, now, missing)) {
      const until = Date.parse(deal.changes_at ?? 'never')
      deals.set(deal.deal_id, deal)
      cache.set(keyOf(deal), { version: deal.version, deal, from: at, until: Number.isNaN(until) ? Infinity : until })
    }
  return rows.flatMap((row) => {
    const deal = deals.get(row.deal_id)
    return deal ? [Object.assign(row, { deal }) as unknown as Row] : []
  })
}

function fetchDeals(db: Sql, now: Date, ids: string[]) {
  return query<DealRow & { version: string; changes_at: string | null }>(
    db,
    `select ${columns}, ${versionColumn(version)}, ${changesAt} as changes_at
    from ${dealsWithChanges} where d.deal_id = any($ids::uuid[])`,
    { now, ids },
  )
}
