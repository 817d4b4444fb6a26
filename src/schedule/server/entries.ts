import { isDeepStrictEqual } from 'node:util'
import { findPerson } from '../../accounts/server/accounts.ts'
import { eventsByIds } from '../../events/server/events.ts'
import { festivalDayOf } from '../../events/server/festival-day.ts'
import { asDate, secondsAgo } from '../../kit/server/clock.ts'
import { newId } from '../../kit/server/ids.ts'
import type { Caller } from '../../kit/server/serve-endpoint.ts'
import type { AnswerBody, CheckedInput } from '../../kit/shared/endpoint.ts'
import { isUuid } from '../../kit/shared/input.ts'
import { Refusal } from '../../kit/shared/refusal.ts'
import { removalRetentionDays } from '../../kit/shared/seconds-ago.ts'
import { changedRow, emptyRow } from '../../kit/shared/thing.ts'
import {
  changedLater,
  entriesMost,
  entryNotFound,
  eventUnknown,
  removedLater,
  scheduleFull,
  settableFields,
  type addToSchedule,
  type changeEntry as changeEndpoint,
  type importToSchedule,
  type listSchedule as listEndpoint,
  type ScheduleEntry,
} from '../contract.ts'
import { entryFields } from '../entry.ts'
import { clash } from '../times.ts'
import { entriesOf, entryAnswer } from './entries-of.ts'
import { linksOf } from './links.ts'
import { refuseTooManyChanges, type ScheduleRoom } from './room.ts'
import * as store from './store.ts'

export async function listSchedule(
  room: ScheduleRoom,
  who: Caller,
  origin: string,
): Promise<AnswerBody<typeof listEndpoint>> {
  const [entries, links] = await Promise.all([entriesOf(room, who.accountId), linksOf(room, who.accountId, origin)])
  return { entries, ...links, today: festivalDayOf(room.clock.now(), room.site.zone), account_id: who.accountId }
}

/** @throws `event_not_found`, `schedule_full`, `schedule_removed_later`, `too_many_requests` */
export async function addEntry(
  room: ScheduleRoom,
  who: Caller,
  { event_id, replaces = [], seconds_ago, ...body }: CheckedInput<typeof addToSchedule>['body'],
): Promise<AnswerBody<typeof addToSchedule>> {
  await refuseTooManyChanges(room, who)
  const [event] = await eventsByIds(room.db, room.clock.now(), [event_id])
  if (!event) throw new Refusal(eventUnknown)
  const { accountId } = who
  const firstReminders = await remindersOf(room, accountId)
  const tap = tapOf(room, seconds_ago)
  const sent = entryColumns(body)
  const row = await room.db
    .transaction()
    .execute(async (trx) => {
      await store.lockSchedule(trx, accountId)
      const replaced = replaces.filter(isUuid)
      await store.lockEvents(trx, accountId, event_id, replaced)
      const isRemoved = tap.isLate && (await store.isRemovedSince(trx, accountId, event_id, tap.tappedAt))
      if (isRemoved && !(await store.hasEntry(trx, accountId, event_id))) throw new Refusal(removedLater)
      if (replaced.length > 0) await store.deleteEntries(trx, accountId, replaced, { ...tap, isLate: false })
      // fields that were set before the removal do not apply to an entry that was added again since
      const change = isRemoved ? {} : sent
      const initial = { ...emptyEntry, reminders: firstReminders, ...change }
      const entry = { entryId: newId(), accountId, eventId: event_id, now: now(room), ...tap }
      const saved = await store.saveEntry(trx, entry, { change, initial }, entriesMost)
      if (!saved) throw new Refusal(scheduleFull, { values: { max: entriesMost } })
      return saved
    })
    .catch(refuseGoneEvent)
  const others = await entriesOf(room, accountId)
  return {
    entry: entryAnswer(row, event),
    overruled: settableFields.filter((name) => name in sent && !isDeepStrictEqual(sent[name], row[name])),
    clashes: others
      .filter((other) => other.event.event_id !== event_id && other.event.status !== 'cancelled')
      .filter((other) => event.status !== 'cancelled' && clash(other.event, event))
      .map((other) => ({ entry_id: other.entry_id, event_id: other.event.event_id, title: other.event.title })),
  }
}

/** Adds a guest's picks; entries that exist stay unchanged. @throws `too_many_requests` */
export async function importEvents(
  room: ScheduleRoom,
  who: Caller,
  { event_ids }: CheckedInput<typeof importToSchedule>['body'],
): Promise<AnswerBody<typeof importToSchedule>> {
  await refuseTooManyChanges(room, who)
  const eventIds = [...new Set(event_ids.map((id) => id.toLowerCase()))]
  const { accountId } = who
  const [known, reminders] = await Promise.all([
    eventsByIds(room.db, room.clock.now(), eventIds),
    remindersOf(room, accountId),
  ])
  return room.db
    .transaction()
    .execute(async (trx) => {
      await store.lockSchedule(trx, accountId)
      const rows = await store.listEntries(trx, accountId, entriesMost)
      const saved = new Set(rows.map(({ event_id }) => event_id))
      const fresh = known.map(({ event_id }) => event_id).filter((id) => !saved.has(id))
      const taken = fresh.slice(0, Math.max(0, entriesMost - rows.length))
      const added = await store.insertEntries(trx, {
        entryIds: taken.map(() => newId()),
        eventIds: taken,
        accountId,
        reminders,
        now: now(room),
      })
      return {
        added,
        already: known.length - fresh.length + taken.length - added,
        unknown: eventIds.length - known.length,
        full: fresh.length - taken.length,
      }
    })
    .catch(refuseGoneEvent)
}

/** @throws `schedule_entry_not_found`, also for an entry of somebody else; `too_many_requests` */
export async function changeEntry(
  room: ScheduleRoom,
  who: Caller,
  entryId: string,
  change: CheckedInput<typeof changeEndpoint>['body'],
): Promise<ScheduleEntry> {
  await refuseTooManyChanges(room, who)
  const row = isUuid(entryId)
    ? await store.changeEntry(room.db, { entryId, accountId: who.accountId, now: now(room) }, entryColumns(change))
    : undefined
  const [event] = row ? await eventsByIds(room.db, room.clock.now(), [row.event_id]) : []
  if (!row || !event) throw new Refusal(entryNotFound)
  return entryAnswer(row, event)
}

/**
 * @param seconds age of a removal that is sent late: an entry that was changed since then stays
 * @throws `schedule_entry_not_found`, also for an entry of somebody else, or one that stays; `too_many_requests`
 */
export async function removeEntry(
  room: ScheduleRoom,
  who: Caller,
  entryId: string,
  seconds: number | undefined,
): Promise<null> {
  await refuseTooManyChanges(room, who)
  const gone = isUuid(entryId) ? await store.deleteEntries(room.db, who.accountId, [entryId], tapOf(room, seconds)) : 0
  if (gone === 0) throw new Refusal(entryNotFound)
  return null
}

/**
 * Removes an event; without an entry it only records the removal, so that an earlier addition that comes late is refused.
 * @throws `schedule_changed_later`, `too_many_requests`
 */
export async function removeEvent(
  room: ScheduleRoom,
  who: Caller,
  eventId: string,
  seconds: number | undefined,
): Promise<null> {
  await refuseTooManyChanges(room, who)
  if (!isUuid(eventId)) return null
  const stays = await room.db.transaction().execute(async (trx) => {
    await store.lockSchedule(trx, who.accountId)
    return store.deleteEntryOf(trx, who.accountId, eventId, tapOf(room, seconds))
  })
  if (stays) throw new Refusal(changedLater)
  return null
}

const tapOf = (room: ScheduleRoom, seconds: number | undefined): store.Tap => ({
  tappedAt: secondsAgo(room, seconds),
  isLate: Boolean(seconds),
})

const now = ({ clock }: ScheduleRoom) => asDate(clock.now())

/** Deletes records of removals that are older than any late addition. Run daily. */
export const forgetRemovals = ({ db, clock }: Pick<ScheduleRoom, 'db' | 'clock'>): Promise<void> =>
  store.deleteRemovalsBefore(db, asDate(clock.now().subtract({ hours: removalRetentionDays * 24 })))

const emptyEntry: store.EntryContent = emptyRow(entryFields)
const entryColumns = (body: CheckedInput<typeof changeEndpoint>['body']): Partial<store.EntryContent> =>
  changedRow(entryFields, body, { note: (note) => (note.trim() === '' ? null : note) })

/** The account's default reminder for new entries. */
async function remindersOf({ db }: ScheduleRoom, accountId: string): Promise<number[]> {
  const person = await findPerson(db, accountId)
  return person?.default_reminder_min == null ? [] : [person.default_reminder_min]
}

/** The event was deleted between the check and the insert. @throws `event_not_found` */
function refuseGoneEvent(error: unknown): never {
  const { code, constraint } = error as { code?: string; constraint?: string }
  if (code === '23503' && constraint === 'schedule_entries_event_id_fkey') throw new Refusal(eventUnknown)
  throw error
}
