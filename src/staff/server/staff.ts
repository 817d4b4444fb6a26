import { hash } from 'node:crypto'
import { findPerson } from '../../accounts/server/accounts.ts'
import { asDate } from '../../kit/server/clock.ts'
import type { Database, Sql } from '../../kit/server/database.ts'
import { newId } from '../../kit/server/ids.ts'
import { emptyPage, pageByTime, type Page } from '../../kit/server/page.ts'
import type { House } from '../../kit/server/room.ts'
import { knownCaller, type RequestContext } from '../../kit/server/serve-endpoint.ts'
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
  openAtMost,
  unconfirmed,
  type AuditEntry,
  type listDesks as listDesksEndpoint,
  type listLog as listLogEndpoint,
  type Reach,
  type undo as undoEndpoint,
} from '../contract.ts'
import * as store from './store.ts'

/**
 * Undoes an audit entry in `trx`: the thing gets its whole earlier version back. `entryId` is the id of the undo's own entry; null
 * in a dry run, whose transaction is rolled back, so that slow writes can be skipped. Calls `refuseUndo` where the thing was
 * changed later. Null: there is nothing to undo.
 */
export type Undo = (trx: Sql, entry: store.EntryRow, entryId: string | null) => Promise<UndoResult | null>

interface UndoResult {
  /** Names of the things that stay because they were changed later; for an entry about several things. */
  kept: string[]
  /** Default: one changed thing. */
  reach?: Reach
  /** Data for the redo, which finds it in `after.noted` of the undo's entry. */
  noted?: Record<string, unknown>
}

/** An action whose undo can be undone too. `redo` gets the undo's entry, which has the action's `before` and `after` swapped. */
export interface UndoAndRedo {
  undo: Undo
  redo: Undo
  /** For so many days after an entry its undo finds the data that it needs. Default: for ever. */
  days?: number
}
export type Undos = Record<string, Undo | UndoAndRedo>

const oneThing: Reach = { kind: 'other', hidden: 0, shown: 0, changed: 1, people: 0 }

/** @throws `unconfirmed` if an action concerns more than one public thing and `confirmed` is not their number */
export function expectConfirmed({ kind, hidden, shown, changed, people }: Reach, confirmed: number | undefined): void {
  const things = hidden + shown + changed
  if (things <= 1 || confirmed === things) return
  throw new Refusal(unconfirmed, { values: { kind, hidden, shown, changed, people, things } })
}

/** Runs `work` in a transaction, rolls it back and returns the result. */
export async function dryRun<Result>(db: Database, work: (trx: Sql) => Promise<Result>): Promise<Result> {
  const trx = await db.startTransaction().execute()
  try {
    return await work(trx)
  } finally {
    await trx.rollback().execute()
  }
}

/**
 * Later entries with these actions about the same object, newest first, without those that were undone. An undo calls this after
 * it locked the object: any later decision stays, even if it decided the same.
 */
export const changesSince = (
  trx: Sql,
  about: store.AboutObject & Pick<store.EntryRow, 'action'>,
  actions = [about.action],
): Promise<store.ObjectChange[]> => store.changesSince(trx, about, actions, 1000)

/**
 * How an undo ends for a thing that was changed later. @throws `changed_later`, whose text names the later change
 * @returns null where the log has no entry of that change
 */
export function refuseUndo(entry: store.EntryRow, later: store.LaterEntry | null, zone: string): null {
  if (!later) return null
  const { actor } = later
  // "delete" of "delete-event"
  const [verb] = later.action.split('-') as [string]
  const at = Temporal.Instant.from(later.at).toZonedDateTimeISO(zone)
  const two = (n: number) => String(n).padStart(2, '0')
  const [day, time] = [`${two(at.day)}.${two(at.month)}.`, `${two(at.hour)}:${two(at.minute)}`]
  throw new Refusal(changedLater, { values: { name: entry.object_name, actor, verb, day, time } })
}

/** A page for staff, declared in its room's manifest; texts under `staff.desks.<key>`. */
export interface Desk {
  key: string
  path: string
  roles: readonly string[]
  /** Counts open things on the page, up to `cap`; null: the page never has any. */
  open: ((db: Sql, cap: number) => Promise<number>) | null
}

export interface StaffRoom extends Pick<House, 'db' | 'clock'> {
  zone: string
  /** By action. An action without an undo is final. */
  undos: () => Undos
  finalEntries: (entryIds: string[]) => Promise<Set<string>>
  desks: () => Desk[]
}

export interface Actor {
  /** Null: a command of the operator. */
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

/** Writes an audit entry in the transaction of its action. Nothing else writes entries. */
export async function record(
  trx: Sql,
  { clock }: Pick<StaffRoom, 'clock'>,
  actor: Actor,
  entryId: string,
  entry: NewAuditEntry,
): Promise<void> {
  await store.insertEntry(trx, {
    entry_id: entryId,
    at: asDate(clock.now()),
    account_id: actor.accountId,
    actor: [...actor.name].slice(0, 200).join('') || 'staff',
    action: entry.action,
    object_kind: entry.object.kind,
    object_id: entry.object.id,
    object_name: [...entry.object.name].slice(0, 300).join(''),
    before: entry.before ?? null,
    after: entry.after ?? null,
    reason: entry.reason ?? null,
    undoes: entry.undoes ?? null,
  })
}

/**
 * Runs an action of staff: the work and its audit entry in one transaction, once per `Idempotency-Key`. A retry with the key gets
 * the stored answer. @throws `key_used` for another request with the same key
 */
export function act<Result>(
  room: Pick<StaffRoom, 'db' | 'clock'>,
  asking: RequestContext,
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

/** `act` for work that writes its own audit entry, or none if there was nothing to do. */
export async function once<Result>(
  room: Pick<StaffRoom, 'db' | 'clock'>,
  asking: RequestContext,
  request: { operation: string; input: unknown },
  work: (trx: Sql, actor: Actor) => Promise<Result>,
): Promise<Result> {
  const who = knownCaller(asking)
  const person = await findPerson(room.db, who.accountId)
  const actor = { accountId: who.accountId, name: person?.display_name ?? 'staff' }
  const key = asking.idempotencyKey
  return room.db.transaction().execute(async (trx) => {
    if (key !== null) {
      const input = hash('sha256', JSON.stringify(request.input) ?? '', 'buffer')
      const { operation } = request
      const at = asDate(room.clock.now())
      const earlier = await store.takeKey(trx, { accountId: who.accountId, key, operation, input, at })
      if (earlier) {
        if (earlier.operation !== operation || !earlier.input.equals(input)) throw new Refusal(keyUsed)
        return earlier.answer as Result
      }
    }
    const answer = await work(trx, actor)
    if (key !== null) await store.storeAnswer(trx, who.accountId, key, answer)
    return answer
  })
}

/** The staff pages that this role may open, with the counts of open things; lower rooms first. */
export async function listDesks(
  { db, desks }: StaffRoom,
  asking: RequestContext,
): Promise<AnswerBody<typeof listDesksEndpoint>> {
  const { role } = knownCaller(asking)
  return Promise.all(
    desks()
      .filter(({ roles }) => roles.includes(role))
      .map(async ({ key, path, open }) => ({ key, path, open: open && (await open(db, openAtMost)) })),
  )
}

/** Audit entries, newest first. */
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
    async (rows) => {
      const now = room.clock.now()
      const final = await room.finalEntries(rows.map(({ entry_id }) => entry_id))
      return rows.map(({ undid_action, undid_at, first_action, undos: number, ...row }) => {
        const hasUndo = undoOf(undos, { first_action, undos: number, at: row.at }, now) !== undefined
        return {
          ...row,
          after: withoutNoted(row.after),
          undid: undid_action === null || undid_at === null ? null : { action: undid_action, at: undid_at },
          can_undo: row.undone_by === null && hasUndo && !final.has(row.entry_id),
        }
      })
    },
  )
}

/** Midnight in `zone` of the day in the query, `add` days later. @throws `invalid_input` for a text that is no day */
function dayStart(
  query: { from?: string | undefined; to?: string | undefined },
  name: 'from' | 'to',
  add: number,
  zone: string,
): Date | null {
  const day = query[name]
  if (day === undefined) return null
  try {
    if (!isDay(day)) throw new RangeError('no day')
    return new Date(Temporal.PlainDate.from(day).add({ days: add }).toZonedDateTime(zone).epochMilliseconds)
  } catch {
    throw new Refusal(invalidInput, { fields: { [name]: { key: 'day' } } })
  }
}

/** undefined: the entry is final. After an even number of undos the action stands and can be undone, after an odd one redone. */
function undoOf(
  undos: Undos,
  entry: Pick<store.EntryRow, 'first_action' | 'undos' | 'at'>,
  now: Temporal.Instant,
): Undo | undefined {
  const known = Object.hasOwn(undos, entry.first_action) ? undos[entry.first_action] : undefined
  if (typeof known === 'object') {
    if (known.days !== undefined && Temporal.Instant.from(entry.at).until(now).total('hours') >= known.days * 24) return
    return entry.undos % 2 === 0 ? known.undo : known.redo
  }
  return entry.undos === 0 ? known : undefined
}

/**
 * Undoes one entry. Never cascades: later changes of the same things stay.
 * @throws `entry_not_found`, `already_undone`, `cannot_undo`, `changed_later`, `nothing_to_undo`, `unconfirmed`, and `import_busy`
 *   for an import
 */
export async function undo(
  room: StaffRoom,
  asking: RequestContext,
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

/** `noted` is data for a redo, too long for a page and not for people. */
function withoutNoted(values: Record<string, unknown> | null): Record<string, unknown> | null {
  if (values === null) return null
  const { noted: _, ...rest } = values
  return rest
}

const answerOf = ({ kept, reach = oneThing }: UndoResult) => ({ reach, kept: kept.slice(0, 200) })

async function takeBack(
  room: StaffRoom,
  trx: Sql,
  entryId: string,
  newEntryId: string | null,
): Promise<{ entry: store.EntryRow; undone: UndoResult }> {
  const entry = await store.lockEntry(trx, entryId)
  if (!entry) throw new Refusal(entryNotFound)
  if (entry.undone_by !== null) throw new Refusal(alreadyUndone)
  const run = undoOf(room.undos(), entry, room.clock.now())
  if (!run) throw new Refusal(cannotUndo)
  // Rooms know only their own actions, so for the undo of an undo they get the first action of the chain.
  const undone = await run(trx, { ...entry, action: entry.first_action }, newEntryId)
  if (!undone) throw new Refusal(nothingToUndo, { values: { name: entry.object_name } })
  return { entry, undone }
}

const requestRetentionDays = 7

/** Deletes stored answers of `Idempotency-Key`s. Run daily. */
export async function forgetRequests({ db, clock }: Pick<StaffRoom, 'db' | 'clock'>): Promise<void> {
  await store.forgetRequests(db, asDate(clock.now().subtract({ hours: 24 * requestRetentionDays })))
}

export const { entriesAbout, entriesByIds, entriesOf, entriesSince, requestsOf } = store
export type { EntryRow, LaterEntry } from './store.ts'

/** Shown instead of the name of a deleted account. */
export const nobody = '–'

/** Removes the names of these objects from the log. Its entries stay. */
export const forgetNameOf = (
  trx: Sql,
  kind: 'account' | 'member' | 'business' | 'deal' | 'rating',
  ids: string[],
): Promise<void> => store.renameObjects(trx, kind, ids, nobody)
