import { sql } from 'kysely'
import type { Database, Sql } from '../../kit/server/database.ts'
import { deleteInSteps } from '../../kit/server/delete-in-steps.ts'
import type { LiveEvent } from '../contract.ts'

const notifyOn = 'live_events'
/** The connection that runs this is notified of each commit with events. */
export const listenStatement = `listen ${notifyOn}`

export interface EventRow {
  event_id: number
  /** Number, transaction and instant: after a failover the new primary may reuse the number of an event that was lost. */
  identity: string
  channel: string
  /** `{ channel, kind, data }`. */
  json: string
}

/** PostgreSQL notifies all listening instances at the commit. */
export async function insertEvents(trx: Sql, events: readonly LiveEvent[], now: Date): Promise<void> {
  const rows = JSON.stringify(events)
  await sql`
    with inserted as (
      insert into live_events (channel, kind, data, created_at)
      select channel, kind, data, ${now}
      from jsonb_to_recordset(${rows}::jsonb) as t (channel text, kind text, data jsonb)
      returning 1)
    select pg_notify(${notifyOn}, '') from inserted limit 1`.execute(trx)
}

/** The current snapshot, `xmin:xmax:running`, and the timeline of the primary; null on a standby. */
export async function currentSnapshot(db: Sql): Promise<{ snapshot: string; timeline: number } | null> {
  // the first eight digits of a WAL file's name are the timeline
  const { rows } = await sql<{ snapshot: string; wal: string | null }>`
    select pg_current_snapshot()::text as snapshot,
      case when not pg_is_in_recovery() then pg_walfile_name(pg_current_wal_lsn()) end as wal`.execute(db)
  const { snapshot, wal } = rows[0]!
  return wal === null ? null : { snapshot, timeline: Number.parseInt(wal.slice(0, 8), 16) }
}

const columns = sql`
  event_id, channel, json_build_object('channel', channel, 'kind', kind, 'data', data)::text as json,
  concat_ws(' ', event_id, xid, extract(epoch from created_at)) as identity`

/** Events committed between two snapshots, of all channels or of these, by number. */
export async function eventsBetween(
  db: Sql,
  between: { before: string; now: string },
  { after = 0, limit, channels = null }: { after?: number; limit: number; channels?: readonly string[] | null },
): Promise<EventRow[]> {
  const { rows } = await sql<EventRow>`
    select ${columns} from live_events
    where xid >= pg_snapshot_xmin(${between.before}::pg_snapshot)
      and not pg_visible_in_snapshot(xid, ${between.before}::pg_snapshot)
      and pg_visible_in_snapshot(xid, ${between.now}::pg_snapshot)
      and event_id > ${after} ${channels ? sql`and channel = any(${[...channels]}::text[])` : sql``}
    order by event_id limit ${limit}`.execute(db)
  return rows
}

/** Events created since an instant and committed by now, by number: snapshots of two primaries cannot be compared. */
export async function eventsSince(
  db: Sql,
  { since, now }: { since: Date; now: string },
  page: { after: number; limit: number },
): Promise<EventRow[]> {
  const { rows } = await sql<EventRow>`
    select ${columns} from live_events
    where created_at >= ${since} and pg_visible_in_snapshot(xid, ${now}::pg_snapshot) and event_id > ${page.after}
    order by event_id limit ${page.limit}`.execute(db)
  return rows
}

export const deleteEventsBefore = (db: Database, before: Date): Promise<void> =>
  deleteInSteps(db, 'live_events', sql`created_at < ${before}`)
