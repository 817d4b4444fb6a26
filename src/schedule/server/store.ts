import { sql, type Selectable } from 'kysely'
import type { DB } from '../../database-types.ts'
import type { AnnouncedEvent } from '../../events/server/events.ts'
import type { Sql } from '../../kit/server/database.ts'
import { deleteInSteps } from '../../kit/server/delete-in-steps.ts'
import { query } from '../../kit/server/statement.ts'
import { columnsOf, type RowOf, type WrittenRow } from '../../kit/shared/thing.ts'
import { entryFields, type EntryFields } from '../entry.ts'

type EntriesTable = Selectable<DB['schedule_entries']>

export interface EntryRow extends RowOf<EntryFields, EntriesTable> {
  event_id: string
}
/** The columns that the owner sends. */
export type EntryContent = WrittenRow<EntryFields, EntriesTable>

const columns = [...columnsOf(entryFields), 'event_id'].join(', ')
const written = columnsOf(entryFields, 'written').join(', ')
/** Sets the sent fields of a row `entry`, each with the time of its tap. For fields that are sent late, the later tap wins. */
const setSent = [
  ...columnsOf(entryFields, 'written').flatMap((name) => {
    const wins = `$change::jsonb ? '${name}' and (not $isLate::boolean or coalesce(entry.${name}_at <= $tappedAt::timestamptz, true))`
    const sent = `(jsonb_populate_record(entry, $change::jsonb)).${name}`
    return [
      `${name} = case when ${wins} then ${sent} else entry.${name} end`,
      `${name}_at = case when ${wins} then $tappedAt::timestamptz else entry.${name}_at end`,
    ]
  }),
  'updated_at = greatest(entry.updated_at, $tappedAt::timestamptz)',
].join(', ')
const times = columnsOf(entryFields, 'written').map((name) => `${name}_at`)
const sentTimes = columnsOf(entryFields, 'written')
  .map((name) => `case when $change::jsonb ? '${name}' then $tappedAt::timestamptz end`)
  .join(', ')

/** When a change was tapped, and whether it is sent long after that. */
export interface Tap {
  tappedAt: Date
  isLate: boolean
}

export async function listEntries(db: Sql, accountId: string, limit: number): Promise<EntryRow[]> {
  return query<EntryRow>(
    db,
    `select ${columns} from schedule_entries where account_id = $accountId order by created_at, entry_id limit $limit`,
    { accountId, limit },
  )
}

/** Inserts or changes the account's one entry of the event. Undefined: the schedule is full, with `most` entries. */
export async function saveEntry(
  db: Sql,
  entry: Tap & { entryId: string; accountId: string; eventId: string; now: Date },
  { change, initial }: { change: Partial<EntryContent>; initial: EntryContent },
  most: number,
): Promise<EntryRow | undefined> {
  const rows = await query<EntryRow>(
    db,
    `insert into schedule_entries as entry (entry_id, account_id, event_id, ${written}, ${times.join(', ')}, created_at, updated_at)
     select $entryId::uuid, $accountId::uuid, $eventId::uuid, ${written}, ${sentTimes}, $now::timestamptz, $tappedAt::timestamptz
     from jsonb_populate_record(null::schedule_entries, $initial::jsonb)
     where exists (select from schedule_entries where account_id = $accountId::uuid and event_id = $eventId::uuid)
       or (select count(*) from schedule_entries where account_id = $accountId::uuid) < $most
     on conflict (account_id, event_id) do update set ${setSent}
     returning ${columns}`,
    { ...entry, change: JSON.stringify(change), initial: JSON.stringify(initial), most },
  )
  return rows[0]
}

/** Lets one transaction at a time add to the schedule, so that its limit holds. */
export async function lockSchedule(trx: Sql, accountId: string): Promise<void> {
  await query(trx, `select pg_advisory_xact_lock(hashtextextended('schedule ' || $accountId::text, 0))`, { accountId })
}

/**
 * A condition that is always true and locks the events of the entries, before the entries themselves. Staff and imports lock an event
 * and then its reminders; the other order would deadlock.
 */
const eventsAreLocked = (entries: string) =>
  `(select hold_events(array(select event_id from schedule_entries where ${entries})))`

/** Locks the event and the events of the entries, in one order, for transactions that change several entries. */
export async function lockEvents(trx: Sql, accountId: string, eventId: string, entryIds: string[]): Promise<void> {
  await query(
    trx,
    `select hold_events($eventId::uuid || array(select event_id from schedule_entries where ${chosenEntries}))`,
    { accountId, eventId, entryIds },
  )
}

const oneEntry = 'entry_id = $entryId::uuid and account_id = $accountId::uuid'
const chosenEntries = 'account_id = $accountId::uuid and entry_id = any($entryIds::uuid[])'
const allEntries = 'account_id = $accountId::uuid'

/** Adds entries; existing ones stay unchanged. @returns how many were added */
export async function insertEntries(
  db: Sql,
  entries: { entryIds: string[]; eventIds: string[]; accountId: string; reminders: number[]; now: Date },
): Promise<number> {
  const rows = await query(
    db,
    `insert into schedule_entries (entry_id, account_id, event_id, reminders, created_at, updated_at)
     select entry_id, $accountId::uuid, event_id, $reminders::smallint[], $now::timestamptz, $now::timestamptz
     from unnest($entryIds::uuid[], $eventIds::uuid[]) as wanted (entry_id, event_id) order by event_id
     on conflict (account_id, event_id) do nothing returning entry_id`,
    entries,
  )
  return rows.length
}

/** Undefined: the account has no such entry. */
export async function changeEntry(
  db: Sql,
  entry: { entryId: string; accountId: string; now: Date },
  change: Partial<EntryContent>,
): Promise<EntryRow | undefined> {
  const rows = await query<EntryRow>(
    db,
    `update schedule_entries entry set ${setSent} where ${oneEntry} and ${eventsAreLocked(oneEntry)} returning ${columns}`,
    { ...entry, change: JSON.stringify(change), tappedAt: entry.now, isLate: false },
  )
  return rows[0]
}

/** Deletes the account's entries with these ids and records the removals. @returns how many were deleted */
export async function deleteEntries(
  db: Sql,
  accountId: string,
  entryIds: string[],
  { tappedAt, isLate }: Tap,
): Promise<number> {
  const rows = await query(
    db,
    `with gone as (
       delete from schedule_entries where ${chosenEntries} and ${eventsAreLocked(chosenEntries)}
         and (updated_at <= $tappedAt::timestamptz or not $isLate::boolean)
       returning event_id)
     ${recordRemovals('gone')}`,
    { accountId, entryIds, tappedAt, isLate },
  )
  return rows.length
}

/**
 * Removes the event and records the removal, also without an entry, for additions that come late.
 * @returns the entry if it stays: it was changed after the removal was tapped
 */
export async function deleteEntryOf(
  db: Sql,
  accountId: string,
  eventId: string,
  { tappedAt, isLate }: Tap,
): Promise<EntryRow | undefined> {
  await query(
    db,
    `with gone as (
       delete from schedule_entries where ${ofEvent} and ${eventsAreLocked(ofEvent)}
         and (updated_at <= $tappedAt::timestamptz or not $isLate::boolean)),
     removed as (select $eventId::uuid as event_id)
     ${recordRemovals('removed')}`,
    { accountId, eventId, tappedAt, isLate },
  )
  const rows = await query<EntryRow>(db, `select ${columns} from schedule_entries where ${ofEvent}`, {
    accountId,
    eventId,
  })
  return rows[0]
}

const ofEvent = 'account_id = $accountId::uuid and event_id = $eventId::uuid'

/** The end of a statement that removes `events`: records the time of the removal. */
const recordRemovals = (events: string) => `
  insert into schedule_removals as r (account_id, event_id, removed_at)
  select $accountId::uuid, event_id, $tappedAt::timestamptz from ${events} order by event_id
  on conflict (account_id, event_id) do update set removed_at = greatest(r.removed_at, excluded.removed_at)
  returning event_id`

/** Whether the event was removed after that moment; it may have been added again. */
export async function isRemovedSince(db: Sql, accountId: string, eventId: string, moment: Date): Promise<boolean> {
  const rows = await query(
    db,
    `select from schedule_removals
     where account_id = $accountId::uuid and event_id = $eventId::uuid and removed_at > $moment::timestamptz`,
    { accountId, eventId, moment },
  )
  return rows.length > 0
}

export async function hasEntry(db: Sql, accountId: string, eventId: string): Promise<boolean> {
  const rows = await query(db, `select from schedule_entries where ${ofEvent}`, { accountId, eventId })
  return rows.length > 0
}

export async function listRemovals(
  db: Sql,
  accountId: string,
  limit: number,
): Promise<{ event_id: string; removed_at: string }[]> {
  return query(
    db,
    `select event_id, removed_at from schedule_removals where account_id = $accountId::uuid order by event_id limit $limit`,
    { accountId, limit },
  )
}

export const deleteRemovalsBefore = (db: Sql, before: Date): Promise<void> =>
  deleteInSteps(db, 'schedule_removals', sql`r.removed_at < ${before}`)

export async function deleteEverything(db: Sql, accountId: string): Promise<void> {
  await query(db, `delete from schedule_entries where ${allEntries} and ${eventsAreLocked(allEntries)}`, { accountId })
  await query(db, `delete from schedule_removals where account_id = $accountId::uuid`, { accountId })
  await query(db, `delete from schedule_links where account_id = $accountId::uuid`, { accountId })
}

/** feed: the calendar; share: the page for others. */
export type LinkKind = 'feed' | 'share'

export interface LinkRow {
  kind: LinkKind
  link_id: string
  token_hash: Buffer
  created_at: string
}

export async function listLinks(db: Sql, accountId: string): Promise<LinkRow[]> {
  return query<LinkRow>(
    db,
    `select kind, link_id, token_hash, created_at from schedule_links where account_id = $accountId::uuid limit 2`,
    { accountId },
  )
}

/** Reminders of an account, soonest first. `due_at` null: sent, or no longer due. */
export async function listReminders(
  db: Sql,
  accountId: string,
  limit: number,
): Promise<{ event_id: string; minutes: number; due_at: Date | null }[]> {
  return query(
    db,
    `select r.event_id, r.minutes, r.due_at
    from schedule_entries e join schedule_reminders r using (entry_id)
    where e.account_id = $accountId::uuid order by r.due_at, r.event_id, r.minutes limit $limit`,
    { accountId, limit },
  )
}

type NewLink = { accountId: string; kind: LinkKind; linkId: string; tokenHash: Buffer; now: Date }

/** Adds a link. If there is one, `ifThere` says whether it stays, or is replaced and no longer valid. */
export async function addLink(db: Sql, link: NewLink, ifThere: 'keep' | 'replace'): Promise<void> {
  const replace = `update set
    link_id = excluded.link_id, token_hash = excluded.token_hash, created_at = excluded.created_at`
  await query(
    db,
    `insert into schedule_links (account_id, kind, link_id, token_hash, created_at)
     values ($accountId::uuid, $kind, $linkId::uuid, $tokenHash, $now::timestamptz)
     on conflict (account_id, kind) do ${ifThere === 'keep' ? 'nothing' : replace}`,
    link,
  )
}

export async function deleteLink(db: Sql, accountId: string, kind: LinkKind): Promise<void> {
  await query(db, `delete from schedule_links where account_id = $accountId::uuid and kind = $kind`, {
    accountId,
    kind,
  })
}

export async function ownerOfLink(db: Sql, kind: LinkKind, tokenHash: Buffer): Promise<string | null> {
  const rows = await query<{ account_id: string }>(
    db,
    `select account_id from schedule_links where token_hash = $tokenHash and kind = $kind`,
    { tokenHash, kind },
  )
  return rows[0]?.account_id ?? null
}

export interface ReminderRow {
  entry_id: string
  minutes: number
  account_id: string
  event_id: string
  told_for: string | null
}

/** Locks due reminders until the transaction ends; skips those that another instance has locked. */
export async function takeDueReminders(trx: Sql, now: Date, limit: number): Promise<ReminderRow[]> {
  return query<ReminderRow>(
    trx,
    `select entry_id, minutes, account_id, event_id, told_for from schedule_reminders
     where due_at <= $now::timestamptz order by due_at, event_id, minutes limit $limit for update skip locked`,
    { now, limit },
  )
}

/** Marks the reminders as sent for the present start of their event. */
export async function settleReminders(
  trx: Sql,
  reminders: readonly { entry_id: string; minutes: number; starts_at: string | null }[],
): Promise<void> {
  await query(
    trx,
    `update schedule_reminders r set due_at = null, told_for = coalesce(done.starts_at, r.told_for)
     from jsonb_to_recordset($done::jsonb) as done (entry_id uuid, minutes smallint, starts_at timestamptz)
     where r.entry_id = done.entry_id and r.minutes = done.minutes`,
    {
      done: JSON.stringify(reminders.map(({ entry_id, minutes, starts_at }) => ({ entry_id, minutes, starts_at }))),
    },
  )
}

/** Merges changes of an event: `before` stays the state before the first one, in any order of arrival. The delay begins again. */
export async function saveEventChange(
  db: Sql,
  change: { eventId: string; before: AnnouncedEvent; sequence: number; dueAt: Date },
): Promise<void> {
  await query(
    db,
    `insert into schedule_event_changes as c (event_id, before, first_sequence, sequence, tell_at)
     values ($eventId::uuid, $before::jsonb, $sequence, $sequence, $dueAt::timestamptz)
     on conflict (event_id) do update set
       before = case when $sequence < coalesce(c.first_sequence, c.sequence) then excluded.before else c.before end,
       first_sequence = least(coalesce(c.first_sequence, c.sequence), $sequence),
       sequence = greatest(c.sequence, $sequence), tell_at = $dueAt::timestamptz`,
    { ...change, before: JSON.stringify(change.before) },
  )
}

export interface EventChangeRow {
  event_id: string
  before: AnnouncedEvent
  sequence: number
}

/** Removes and returns the next due change; skips those that another instance has locked. */
export async function takeDueEventChange(trx: Sql, now: Date): Promise<EventChangeRow | undefined> {
  const rows = await query<EventChangeRow>(
    trx,
    `delete from schedule_event_changes where event_id in (
       select event_id from schedule_event_changes where tell_at <= $now::timestamptz
       order by tell_at limit 1 for update skip locked)
     returning event_id, before, sequence`,
    { now },
  )
  return rows[0]
}

/** Accounts that have the event in their schedule, by id. */
export async function listSavers(
  db: Sql,
  eventId: string,
  page: { after: string | null; limit: number },
): Promise<string[]> {
  const rows = await query<{ account_id: string }>(
    db,
    `select account_id from schedule_entries
     where event_id = $eventId::uuid and ($after::uuid is null or account_id > $after::uuid)
     order by account_id limit $limit`,
    { eventId, ...page },
  )
  return rows.map(({ account_id }) => account_id)
}

/** How many people have any of these events in their schedule. */
export async function countSavers(db: Sql, eventIds: readonly string[]): Promise<number> {
  const rows = await query<{ people: number }>(
    db,
    `select count(distinct account_id)::int as people from schedule_entries where event_id = any($eventIds::uuid[])`,
    { eventIds: [...eventIds] },
  )
  return rows[0]!.people
}

/** The saved events of these accounts. */
export async function listEventsOf(
  db: Sql,
  accountIds: readonly string[],
): Promise<{ account_id: string; event_id: string }[]> {
  return query(
    db,
    `select account_id, event_id from schedule_entries where account_id = any($accountIds::uuid[]) limit 100000`,
    { accountIds: [...accountIds] },
  )
}
