import { sql } from 'kysely'
import type { Sql } from '../../kit/server/database.ts'
import { deleteInSteps } from '../../kit/server/delete-in-steps.ts'
import type { Stretch } from '../../kit/server/page.ts'
import { query } from '../../kit/server/statement.ts'

export interface EntryRow {
  entry_id: string
  at: string
  account_id: string | null
  actor: string
  action: string
  object_kind: string
  object_id: string | null
  object_name: string
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
  reason: string | null
  undoes: string | null
  undone_by: string | null
  /** The entry is undone, and the undo was not itself undone. */
  is_undone: boolean
  /** For an undo (or an undo of an undo): action of the original entry. Else the own action. */
  first_action: string
  /** Number of undos between the original entry and this one: 1 undoes it, 2 undoes that undo. 0: this is no undo. */
  undos: number
  undid_action: string | null
  undid_at: string | null
}

type NewEntry = Omit<
  EntryRow,
  'at' | 'undone_by' | 'is_undone' | 'first_action' | 'undos' | 'undid_action' | 'undid_at'
>

export async function insertEntry(trx: Sql, entry: NewEntry & { at: Date }): Promise<void> {
  const { before, after, ...rest } = entry
  await trx
    .insertInto('audit_entries')
    .values({ ...rest, before: before && JSON.stringify(before), after: after && JSON.stringify(after) })
    .execute()
}

const columns = `a.entry_id, a.at, a.account_id, a.actor, a.action, a.object_kind, a.object_id, a.object_name, a.before,
  a.after, a.reason, a.undoes, (select u.entry_id from audit_entries u where u.undoes = a.entry_id) as undone_by,
  is_undone(a.entry_id) as is_undone, f.action as first_action, c.undos, o.action as undid_action, o.at as undid_at`
const entries = `audit_entries a left join audit_entries o on o.entry_id = a.undoes
  cross join lateral undo_chain(a.entry_id) c join audit_entries f on f.entry_id = c.first_id`

export interface LogFilter {
  person: string | null
  action: string | null
  from: Date | null
  to: Date | null
}

const matchesFilter = `($person::uuid is null or a.account_id = $person::uuid) and ($action::text is null or a.action = $action)
  and ($from::timestamptz is null or a.at >= $from::timestamptz) and ($to::timestamptz is null or a.at < $to::timestamptz)`

export async function listEntries(db: Sql, filter: LogFilter, page: Stretch): Promise<EntryRow[]> {
  return query<EntryRow>(
    db,
    `select ${columns} from ${entries}
     where ${matchesFilter} and ($afterAt::timestamptz is null or (a.at, a.entry_id) < ($afterAt::timestamptz, $afterId::uuid))
     order by a.at desc, a.entry_id desc limit $limit offset $offset`,
    {
      ...filter,
      afterAt: page.after?.at ?? null,
      afterId: page.after?.id ?? null,
      limit: page.limit,
      offset: page.offset,
    },
  )
}

export async function countEntries(db: Sql, filter: LogFilter, cap: number): Promise<number> {
  const rows = await query<{ count: number }>(
    db,
    `select count(*) from (select from audit_entries a where ${matchesFilter} limit $cap) counted`,
    { ...filter, cap },
  )
  return rows[0]!.count
}

/** Locks an entry until the end of the transaction, so that two requests cannot both undo it. */
export async function lockEntry(trx: Sql, entryId: string): Promise<EntryRow | undefined> {
  await sql`select from audit_entries where entry_id = ${entryId}::uuid for no key update`.execute(trx)
  const rows = await query<EntryRow>(trx, `select ${columns} from ${entries} where a.entry_id = $entryId`, {
    entryId,
  })
  return rows[0]
}

/** Entries in the order of `ids`. */
export const entriesByIds = (db: Sql, ids: string[]): Promise<EntryRow[]> =>
  query<EntryRow>(
    db,
    `select ${columns} from ${entries} where a.entry_id = any($ids::uuid[])
     order by array_position($ids::uuid[], a.entry_id)`,
    { ids },
  )

/** An entry about an object that an earlier entry changed too. */
export type LaterEntry = Pick<EntryRow, 'entry_id' | 'at' | 'actor' | 'action'>

/** The change that an audit entry made to its object. */
export interface ObjectChange extends LaterEntry {
  before: Record<string, unknown>
  after: Record<string, unknown>
}

/** An object, and a point in the log from which its changes are wanted: an entry, or any instant. */
export type AboutObject = Pick<EntryRow, 'entry_id' | 'at' | 'object_kind' | 'object_id'>

/** Entries about the object after that point, with one of these actions and not undone, newest first. */
export async function changesSince(
  trx: Sql,
  { entry_id, at, object_kind, object_id }: AboutObject,
  actions: string[],
  limit: number,
): Promise<ObjectChange[]> {
  return query<ObjectChange>(
    trx,
    `select a.entry_id, a.at, a.actor, a.action, coalesce(a.before, '{}') as before, coalesce(a.after, '{}') as after
     from audit_entries a
     where a.object_kind = $object_kind and a.object_id = $object_id and a.action = any($actions::text[])
       and (a.at, a.entry_id) > ($at::timestamptz, $entry_id::uuid) and not is_undone(a.entry_id)
     order by a.at desc, a.entry_id desc limit $limit`,
    { entry_id, at, actions, object_kind, object_id, limit },
  )
}

/** Those of `entryIds` that were made after `entryId`, without undos and without undone ones. */
export const entriesSince = (trx: Sql, entryId: string, entryIds: readonly string[]): Promise<LaterEntry[]> =>
  query(
    trx,
    `select a.entry_id, a.at, a.actor, a.action from audit_entries e
     join audit_entries a on a.entry_id = any($entryIds::uuid[]) and (a.at, a.entry_id) > (e.at, e.entry_id)
     where e.entry_id = $entryId::uuid and a.undoes is null
       and not is_undone(a.entry_id) limit 50000`,
    { entryId, entryIds: [...new Set(entryIds)] },
  )

/** Sets the object's name in all entries about these objects. */
export async function renameObjects(trx: Sql, kind: string, ids: string[], name: string): Promise<void> {
  if (ids.length === 0) return
  await trx
    .updateTable('audit_entries')
    .set({ object_name: name })
    .where('object_kind', '=', kind)
    .where('object_id', 'in', ids)
    .execute()
}

/**
 * Stores a staff request under its `Idempotency-Key`. Of two requests with one key, the second waits for the transaction of the first.
 * @returns undefined: the key is new; else the earlier request and its answer
 */
export async function takeKey(
  trx: Sql,
  request: { accountId: string; key: string; operation: string; input: Buffer; at: Date },
): Promise<{ operation: string; input: Buffer; answer: unknown } | undefined> {
  const { accountId: account_id, ...rest } = request
  const inserted = await trx
    .insertInto('staff_requests')
    .values({ account_id, ...rest })
    .onConflict((same) => same.columns(['account_id', 'key']).doNothing())
    .returning('key')
    .executeTakeFirst()
  if (inserted) return undefined
  return trx
    .selectFrom('staff_requests')
    .select(['operation', 'input', 'answer'])
    .where('account_id', '=', account_id)
    .where('key', '=', request.key)
    .executeTakeFirstOrThrow()
}

export async function storeAnswer(trx: Sql, accountId: string, key: string, answer: unknown): Promise<void> {
  await trx
    .updateTable('staff_requests')
    .set({ answer: JSON.stringify(answer) })
    .where('account_id', '=', accountId)
    .where('key', '=', key)
    .execute()
}

export async function forgetRequests(db: Sql, before: Date): Promise<void> {
  await db.deleteFrom('staff_requests').where('at', '<', before).execute()
}

/** Staff requests of an account, for its export. */
export async function requestsOf(db: Sql, accountId: string): Promise<Record<string, unknown>[]> {
  return db
    .selectFrom('staff_requests')
    .select(['at', 'operation'])
    .where('account_id', '=', accountId)
    .orderBy('at')
    .limit(100_000)
    .execute()
}

/** Audit entries that an account made, for its export. */
export async function entriesOf(db: Sql, accountId: string): Promise<Record<string, unknown>[]> {
  return db
    .selectFrom('audit_entries')
    .select(['at', 'action', 'object_kind', 'object_name', 'reason'])
    .where('account_id', '=', accountId)
    .orderBy('at')
    .limit(100_000)
    .execute()
}

/** Entries about these members, topics and posts, for the export of their owner. */
export const entriesAbout = (db: Sql, objectIds: string[]): Promise<EntryRow[]> =>
  query<EntryRow>(
    db,
    `select ${columns} from ${entries}
     where a.object_kind in ('member', 'topic', 'post') and a.object_id = any($objectIds::text[]) and a.undoes is null
     order by a.at, a.entry_id limit 10000`,
    { objectIds },
  )

/** Values of a row by column, as JSON has them. */
export type StoredRow = Record<string, string | number | boolean | null>

/** What an import changed in one row. */
export interface RowChange {
  object_id: string
  /** null: the import made the row. */
  before: StoredRow | null
  /** null: an undo removed the row. */
  after: StoredRow | null
}

export async function insertImportChanges(trx: Sql, entryId: string, changes: readonly RowChange[]): Promise<void> {
  await sql`
    insert into import_changes (entry_id, object_id, before, after)
    select ${entryId}::uuid, object_id, before, after
    from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) c (object_id uuid, before jsonb, after jsonb)`.execute(
    trx,
  )
}

export async function importChangesOf(trx: Sql, entryId: string): Promise<RowChange[]> {
  const { rows } = await sql<RowChange>`
    select object_id, before, after from import_changes where entry_id = ${entryId}::uuid
    order by object_id limit 1200000`.execute(trx)
  return rows
}

/** Those of imports and undos from before a moment. */
export async function deleteImportChanges(db: Sql, before: Date): Promise<void> {
  const isOld = sql`exists (select from audit_entries a where a.entry_id = r.entry_id and a.at < ${before})`
  await deleteInSteps(db, 'import_changes', isOld)
}

/** The entries of imports and undos that changed any of these rows. */
export async function importEntriesOf(trx: Sql, objectIds: string[]): Promise<string[]> {
  const { rows } = await sql<{ entry_id: string }>`
    select distinct entry_id from import_changes where object_id = any(${objectIds}::uuid[])`.execute(trx)
  return rows.map(({ entry_id }) => entry_id)
}
