import { createHash } from 'node:crypto'
import { findPerson } from '../../accounts/server/accounts.ts'
import { asDate, type Clock } from '../../kit/server/clock.ts'
import type { Database, Sql } from '../../kit/server/database.ts'
import { newId } from '../../kit/server/ids.ts'
import { emptyPage, pageByTime, type Page } from '../../kit/server/page.ts'
import { knownWho, type Asking } from '../../kit/server/serve-endpoint.ts'
import type { AnswerBody, CheckedInput } from '../../kit/shared/endpoint.ts'
import { isDay, isUuid } from '../../kit/shared/input.ts'
import { invalidInput, Refusal } from '../../kit/shared/refusal.ts'
import {
  alreadyUndone,
  cannotUndo,
  changedLater,
  entryNotFound,
  keyUsed,
  nothingToUndo,
  unconfirmed,
  type AuditEntry,
  type listLog as listLogEndpoint,
  type Reach,
  type undo as undoEndpoint,
} from '../contract.ts'
import * as store from './store.ts'

/**
 * Takes back what an entry did, in the transaction of the undo: the whole version before comes back. `entryId` is that of the undo;
 * null: a dry run, whose transaction is rolled back, so that what takes long need not be written. Refuses by `refuseUndo` where the
 * thing was changed later.
 */
export type Undo = (trx: Sql, entry: store.EntryRow, entryId: string | null) => Promise<Undone | null>

interface Undone {
  /** Of an entry that did several things: names of those that stay because they were changed later. */
  kept: string[]
  /** Left out by an undo that concerns one public thing. */
  reach?: Reach
  /** What the redo needs to know: it finds this as `after.noted` of the entry of the undo. */
  noted?: Record<string, unknown>
}

/**
 * An action whose undo can be undone as well. `redo` gets the entry of the undo, whose `before` and `after` are those of the
 * action in reverse, and answers like an undo.
 */
export interface UndoAndRedo {
  undo: Undo
  redo: Undo
}
export type Undos = Record<string, Undo | UndoAndRedo>

const oneThing: Reach = { kind: 'other', hidden: 0, shown: 0, changed: 1, people: 0 }

/** Throws `unconfirmed` for an action that concerns more than one public thing, unless its number was confirmed. */
export function expectConfirmed({ kind, hidden, shown, changed, people }: Reach, confirmed: number | undefined): void {
  const things = hidden + shown + changed
  if (things <= 1 || confirmed === things) return
  throw new Refusal(unconfirmed, { values: { kind, hidden, shown, changed, people, things } })
}

/** Does the work in a transaction that is then rolled back, and answers what the work answered. */
export async function dryRun<Result>(db: Database, work: (trx: Sql) => Promise<Result>): Promise<Result> {
  const trx = await db.startTransaction().execute()
  try {
    return await work(trx)
  } finally {
    await trx.rollback().execute()
  }
}

/**
 * What entries with these actions have made of the same object after this one, without those that were undone, the latest first. An
 * undo asks for them once its object is locked: what somebody has decided since stays, also where it is the same.
 */
export const changesSince = (
  trx: Sql,
  about: store.AboutObject & Pick<store.EntryRow, 'action'>,
  actions = [about.action],
): Promise<store.Change[]> => store.changesSince(trx, about, actions, 1000)

/** An entry about something that an earlier one has changed as well. */
export type LaterEntry = Pick<store.EntryRow, 'entry_id' | 'at' | 'actor' | 'action'>

/** Which of these entries were made after this one, and are no undo and not undone. */
export const entriesSince = (trx: Sql, entryId: string, entryIds: readonly string[]): Promise<LaterEntry[]> =>
  store.entriesSince(trx, entryId, [...new Set(entryIds)])

/**
 * Ends an undo of something that was changed later: throws `changed_later` naming that change, or answers that nothing could be
 * undone where the log has no entry of it.
 */
export function refuseUndo(entry: store.EntryRow, later: LaterEntry | null, zone: string): null {
  if (!later) return null
  const { actor } = later
  // of "delete-event"
  const [verb] = later.action.split('-') as [string]
  const at = Temporal.Instant.from(later.at).toZonedDateTimeISO(zone)
  const two = (n: number) => String(n).padStart(2, '0')
  const [day, time] = [`${two(at.day)}.${two(at.month)}.`, `${two(at.hour)}:${two(at.minute)}`]
  throw new Refusal(changedLater, { values: { name: entry.object_name, actor, verb, day, time } })
}

/** A page for staff, as the manifest of its room declares it; texts under `staff.desks.<key>`. */
export interface Desk {
  key: string
  path: string
  roles: readonly string[]
  /** How many things wait there to be decided or ended, counted no further than `cap`; null: nothing ever does. */
  open: ((db: Sql, cap: number) => Promise<number>) | null
}

export interface StaffRoom {
  db: Database
  clock: Clock
  zone: string
  /** By action; an action without one is final. */
  undos: () => Undos
  desks: () => Desk[]
}

/** Who did it; null: a command of the operator. */
export interface Actor {
  accountId: string | null
  name: string
}
export const command: Actor = { accountId: null, name: 'command' }

export interface NewAuditEntry {
  action: string
  object: { kind: string; id: string | null; name: string }
  before?: Record<string, unknown> | null
  after?: Record<string, unknown> | null
  reason?: string | null
  undoes?: string
}

/** The one way into the log: one entry, in the transaction of the action. */
export async function record(
  trx: Sql,
  { clock }: Pick<StaffRoom, 'clock'>,
  actor: Actor,
  entryId: string,
  done: NewAuditEntry,
): Promise<void> {
  await store.insertEntry(trx, {
    entry_id: entryId,
    at: asDate(clock.now()),
    account_id: actor.accountId,
    actor: [...actor.name].slice(0, 200).join('') || 'staff',
    action: done.action,
    object_kind: done.object.kind,
    object_id: done.object.id,
    object_name: [...done.object.name].slice(0, 300).join(''),
    before: done.before ?? null,
    after: done.after ?? null,
    reason: done.reason ?? null,
    undoes: done.undoes ?? null,
  })
}

/**
 * An action of staff: the work and its entry in one transaction, once for each `Idempotency-Key`. What `work` answers is
 * kept for the key. Throws `key_used` for another request with the same key.
 */
export function act<Result>(
  room: Pick<StaffRoom, 'db' | 'clock'>,
  asking: Asking,
  request: { operation: string; input: unknown },
  work: (trx: Sql, entryId: string) => Promise<{ answer: Result; done: NewAuditEntry }>,
): Promise<Result> {
  return once(room, asking, request, async (trx, actor) => {
    const entryId = newId()
    const { answer, done } = await work(trx, entryId)
    await record(trx, room, actor, entryId, done)
    return answer
  })
}

/** The same for work that writes its entry itself, or none where nothing was to be done. */
export async function once<Result>(
  room: Pick<StaffRoom, 'db' | 'clock'>,
  asking: Asking,
  request: { operation: string; input: unknown },
  work: (trx: Sql, actor: Actor) => Promise<Result>,
): Promise<Result> {
  const who = knownWho(asking)
  const person = await findPerson(room.db, who.accountId)
  const actor = { accountId: who.accountId, name: person?.display_name ?? 'staff' }
  const key = asking.idempotencyKey
  return room.db.transaction().execute(async (trx) => {
    if (key !== null) {
      const input = createHash('sha256')
        .update(JSON.stringify(request.input) ?? '')
        .digest()
      const at = asDate(room.clock.now())
      const before = await store.takeKey(trx, {
        accountId: who.accountId,
        key,
        operation: request.operation,
        input,
        at,
      })
      if (before) {
        if (before.operation !== request.operation || !before.input.equals(input)) throw new Refusal(keyUsed)
        return before.answer as Result
      }
    }
    const answer = await work(trx, actor)
    if (key !== null) await store.rememberAnswer(trx, who.accountId, key, answer)
    return answer
  })
}

/** What staff did, newest first. */
export async function listLog(
  room: StaffRoom,
  query: CheckedInput<typeof listLogEndpoint>['query'],
): Promise<Page<AuditEntry>> {
  if (query.person !== undefined && !isUuid(query.person)) return emptyPage
  const filter = {
    person: query.person ?? null,
    action: query.action ?? null,
    from: dayStart(query, 'from', 0, room.zone),
    to: dayStart(query, 'to', 1, room.zone),
  }
  const undos = room.undos()
  return pageByTime(
    query,
    {
      list: (stretch) => store.listEntries(room.db, filter, stretch),
      count: (cap) => store.countEntries(room.db, filter, cap),
      placeOf: ({ at, entry_id }) => [at, entry_id],
    },
    (rows) =>
      rows.map(({ undid_action, undid_at, first_action, undos: number, ...row }) => ({
        ...row,
        after: withoutNoted(row.after),
        undid: undid_action === null || undid_at === null ? null : { action: undid_action, at: undid_at },
        can_undo: row.undone_by === null && undoOf(undos, { first_action, undos: number }) !== undefined,
      })),
  )
}

/** Midnight of a day, plus so many days. Throws `invalid_input` for a text that is no day. */
function dayStart(
  query: { from?: string | undefined; to?: string | undefined },
  name: 'from' | 'to',
  add: number,
  zone: string,
): Date | null {
  const said = query[name]
  if (said === undefined) return null
  try {
    if (!isDay(said)) throw new RangeError('no day')
    return new Date(Temporal.PlainDate.from(said).add({ days: add }).toZonedDateTime(zone).epochMilliseconds)
  } catch {
    throw new Refusal(invalidInput, { fields: { [name]: { key: 'day' } } })
  }
}

/** What takes this entry back; undefined: it is final. */
function undoOf(undos: Undos, entry: Pick<store.EntryRow, 'first_action' | 'undos'>): Undo | undefined {
  const known = Object.hasOwn(undos, entry.first_action) ? undos[entry.first_action] : undefined
  if (typeof known === 'object') return entry.undos % 2 === 0 ? known.undo : known.redo
  return entry.undos === 0 ? known : undefined
}

/**
 * Throws `entry_not_found`, `already_undone`, `cannot_undo`, `changed_later`, `nothing_to_undo`, `unconfirmed`, and `import_busy` for an import.
 * Never cascades: later changes of the same things stay.
 */
export async function undo(
  room: StaffRoom,
  asking: Asking,
  entryId: string,
  { dry_run, confirmed }: CheckedInput<typeof undoEndpoint>['body'],
): Promise<AnswerBody<typeof undoEndpoint>> {
  if (!isUuid(entryId)) throw new Refusal(entryNotFound)
  if (dry_run) {
    const { undone } = await dryRun(room.db, (trx) => takeBack(room, trx, entryId, null))
    return { entry_id: null, ...answerOf(undone) }
  }
  const request = { operation: 'undo', input: { entryId } }
  return act(room, asking, request, async (trx, newEntryId) => {
    const { entry, undone } = await takeBack(room, trx, entryId, newEntryId)
    expectConfirmed(undone.reach ?? oneThing, confirmed)
    return {
      answer: { entry_id: newEntryId, ...answerOf(undone) },
      done: {
        action: 'undo',
        object: { kind: entry.object_kind, id: entry.object_id, name: entry.object_name },
        before: withoutNoted(entry.after),
        after: undone.noted ? { ...entry.before, noted: undone.noted } : entry.before,
        undoes: entry.entry_id,
      },
    }
  })
}

/** What an undo noted for its redo is long and says nothing to people. */
function withoutNoted(values: Record<string, unknown> | null): Record<string, unknown> | null {
  if (values === null) return null
  const { noted: _, ...rest } = values
  return rest
}

const answerOf = ({ kept, reach = oneThing }: Undone) => ({ reach, kept: kept.slice(0, 200) })

async function takeBack(
  room: StaffRoom,
  trx: Sql,
  entryId: string,
  newEntryId: string | null,
): Promise<{ entry: store.EntryRow; undone: Undone }> {
  const entry = await store.lockEntry(trx, entryId)
  if (!entry) throw new Refusal(entryNotFound)
  if (entry.undone_by !== null) throw new Refusal(alreadyUndone)
  const run = undoOf(room.undos(), entry)
  if (!run) throw new Refusal(cannotUndo)
  // the room knows its own action, not that an undo of it is undone
  const undone = await run(trx, { ...entry, action: entry.first_action }, newEntryId)
  if (!undone) throw new Refusal(nothingToUndo, { values: { name: entry.object_name } })
  return { entry, undone }
}

const requestsKeptDays = 7

export async function forgetRequests({ db, clock }: Pick<StaffRoom, 'db' | 'clock'>): Promise<void> {
  await store.forgetRequests(db, asDate(clock.now().subtract({ hours: 24 * requestsKeptDays })))
}

/** What the log keeps of who did something: the entries stay, with the name at the time, as long as the festival's records do. */
export const { entriesAbout, entriesByIds, entriesOf, requestsOf } = store
export type { EntryRow } from './store.ts'

/** In place of the name of somebody whose account is gone. */
export const nobody = '–'

/** The log goes on saying what was done to somebody, but no longer who it was. */
export async function forgetNameOf(
  trx: Sql,
  kind: 'account' | 'member' | 'business' | 'deal' | 'rating',
  ids: string[],
): Promise<void> {
  await store.renameObjects(trx, kind, ids, nobody)
}
