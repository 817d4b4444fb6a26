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
  channel: string
  /** `{ channel, kind, data }` as JSON. */
  told: string
}

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

/** What can be seen now: a snapshot of PostgreSQL as text, `xmin:xmax:running`. */
export async function whatIsSeen(db: Sql): Promise<string> {
  const { rows } = await sql<{ seen: string }>`select pg_current_snapshot()::text as seen`.execute(db)
  return rows[0]!.seen
}

const told = sql<string>`json_build_object('channel', channel, 'kind', kind, 'data', data)::text`

/** Events between two snapshots, the oldest first. */
export async function seenSince(
  db: Sql,
  between: { before: string; now: string },
  page: { after: number; limit: number },
): Promise<Change[]> {
  const { rows } = await sql<Change>`
    select event_id, channel, ${told} as told from live_events
    where xid >= pg_snapshot_xmin(${between.before}::pg_snapshot)
      and not pg_visible_in_snapshot(xid, ${between.before}::pg_snapshot)
      and pg_visible_in_snapshot(xid, ${between.now}::pg_snapshot)
      and event_id > ${page.after}
    order by event_id limit ${page.limit}`.execute(db)
  return rows
}

/** The same for the channels of one stream. */
export async function missedIn(
  db: Sql,
  channels: string[],
  between: { before: string; now: string },
  limit: number,
): Promise<Change[]> {
  const { rows } = await sql<Change>`
    select event_id, channel, ${told} as told from live_events
    where channel = any(${channels}::text[])
      and xid >= pg_snapshot_xmin(${between.before}::pg_snapshot)
      and not pg_visible_in_snapshot(xid, ${between.before}::pg_snapshot)
      and pg_visible_in_snapshot(xid, ${between.now}::pg_snapshot)
    order by event_id limit ${limit}`.execute(db)
  return rows
}

export const deleteEventsBefore = (db: Database, before: Date): Promise<void> =>
  deleteInSteps(db, 'live_events', sql`created_at < ${before}`)
