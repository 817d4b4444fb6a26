import { sql } from 'kysely'
import type { Database, Sql } from '../../kit/server/database.ts'
import { deleteInSteps } from '../../kit/server/delete-in-steps.ts'

const notifyOn = 'live_events'
/** On a connection that shall hear of each commit with events. */
export const listenStatement = `listen ${notifyOn}`

export interface Told {
  /** `topic:<id>`, `programme`, `account:<id>` …; 80 characters at most. */
  channel: string
  kind: string
  /** 4,000 bytes of JSON at most: an id and what a list shows of it; the rest is asked for. */
  data: Record<string, unknown>
}

export interface Change {
  event_id: number
  /** Number, transaction and instant: what a primary lost with its death may leave its number to another. */
  identity: string
  channel: string
  /** `{ channel, kind, data }` as JSON. */
  told: string
}

/** Who listens hears of the commit by the database itself. */
export async function insertEvents(trx: Sql, told: readonly Told[], now: Date): Promise<void> {
  const rows = JSON.stringify(told)
  await sql`
    with told as (
      insert into live_events (channel, kind, data, created_at)
      select channel, kind, data, ${now}
      from jsonb_to_recordset(${rows}::jsonb) as t (channel text, kind text, data jsonb)
      returning 1)
    select pg_notify(${notifyOn}, '') from told limit 1`.execute(trx)
}

/** What can be seen now: a snapshot of PostgreSQL as text, `xmin:xmax:running`, of a timeline; null on a standby. */
export async function whatIsSeen(db: Sql): Promise<{ seen: string; timeline: number } | null> {
  // the name of a WAL file begins with the timeline
  const { rows } = await sql<{ seen: string; wal: string | null }>`
    select pg_current_snapshot()::text as seen,
      case when not pg_is_in_recovery() then pg_walfile_name(pg_current_wal_lsn()) end as wal`.execute(db)
  const { seen, wal } = rows[0]!
  return wal === null ? null : { seen, timeline: Number.parseInt(wal.slice(0, 8), 16) }
}

const change = sql`
  event_id, channel, json_build_object('channel', channel, 'kind', kind, 'data', data)::text as told,
  concat_ws(' ', event_id, xid, extract(epoch from created_at)) as identity`

/** Events between two snapshots, the oldest first. */
export async function seenSince(
  db: Sql,
  between: { before: string; now: string },
  page: { after: number; limit: number },
): Promise<Change[]> {
  const { rows } = await sql<Change>`
    select ${change} from live_events
    where xid >= pg_snapshot_xmin(${between.before}::pg_snapshot)
      and not pg_visible_in_snapshot(xid, ${between.before}::pg_snapshot)
      and pg_visible_in_snapshot(xid, ${between.now}::pg_snapshot)
      and event_id > ${page.after}
    order by event_id limit ${page.limit}`.execute(db)
  return rows
}

/** Events of the last while, whatever an earlier primary showed of them, the oldest first. */
export async function createdSince(
  db: Sql,
  { since, now }: { since: Date; now: string },
  page: { after: number; limit: number },
): Promise<Change[]> {
  const { rows } = await sql<Change>`
    select ${change} from live_events
    where created_at >= ${since} and pg_visible_in_snapshot(xid, ${now}::pg_snapshot) and event_id > ${page.after}
    order by event_id limit ${page.limit}`.execute(db)
  return rows
}

/** What was seen between two snapshots, for the channels of one stream. */
export async function missedIn(
  db: Sql,
  channels: string[],
  between: { before: string; now: string },
  limit: number,
): Promise<Change[]> {
  const { rows } = await sql<Change>`
    select ${change} from live_events
    where channel = any(${channels}::text[])
      and xid >= pg_snapshot_xmin(${between.before}::pg_snapshot)
      and not pg_visible_in_snapshot(xid, ${between.before}::pg_snapshot)
      and pg_visible_in_snapshot(xid, ${between.now}::pg_snapshot)
    order by event_id limit ${limit}`.execute(db)
  return rows
}

export const deleteEventsBefore = (db: Database, before: Date): Promise<void> =>
  deleteInSteps(db, 'live_events', sql`created_at < ${before}`)
