import type { EventChanged, EventState, ListedEvent } from '../../events/contract.ts'
import { eventsByIds } from '../../events/server/events.ts'
import { asDate } from '../../kit/server/clock.ts'
import type { Sql } from '../../kit/server/database.ts'
import { inSteps } from '../../kit/server/in-steps.ts'
import { notify, withdrawFromAll } from '../../notifications/server/notifications.ts'
import { page } from '../../site-map.ts'
import { effectOn } from '../plan-effect.ts'
import { endOf } from '../times.ts'
import type { ScheduleRoom } from './room.ts'
import { remindersOfEvent } from './reminders.ts'
import * as store from './store.ts'
import { dayAndTime, wallTime } from './wall-time.ts'

/** An undo within this time withdraws the notice. */
const patienceS = 20
/** Tells what has waited long enough; also runs every minute. */
export const tellChangesJob = 'tell-saved-event-changes'
const saversAtOnce = 200

/** Hears that an event changed. A job, so it may come twice, and in another order than the changes. */
export async function noteEventChange(room: ScheduleRoom, change: EventChanged): Promise<void> {
  if (change.kinds.every((kind) => kind === 'text')) return
  const tellAt = asDate(room.clock.now().add({ seconds: patienceS }))
  const { event_id: eventId, before, sequence } = change
  await room.db.transaction().execute(async (trx) => {
    await store.noteChange(trx, { eventId, before, sequence, tellAt })
    await room.jobs.enqueue(trx, tellChangesJob, {}, patienceS)
  })
}

/**
 * Tells who saved the events whose changes stand long enough. Run often; each change is told by one instance, once. Each in a
 * transaction of its own: one with many would hold the notices of thousands, whose bells wait for it, and two instances with the
 * notices of the same people in another order would wait for each other.
 */
export async function tellEventChanges(room: ScheduleRoom): Promise<void> {
  for (;;) {
    const told = await room.db.transaction().execute((trx) => tellNextChange(room, trx))
    if (!told) return
    // what reminders of before say of the start is not true any more; apart, as who reads holds all notices of a person
    const { eventId, changedAt, what } = told
    if (what !== null && what !== 'place')
      await withdrawFromAll(room.notifications, { group: remindersOfEvent(eventId), before: changedAt })
  }
}

type What = ReturnType<typeof whatChanged>

/** @returns null: there was none */
async function tellNextChange(
  room: ScheduleRoom,
  trx: Sql,
): Promise<{ eventId: string; changedAt: Temporal.Instant; what: What } | null> {
  const now = room.clock.now()
  const change = await store.takeDueChange(trx, asDate(now))
  if (!change) return null
  const { event_id: eventId, before } = change
  const event = (await eventsById(trx, now, [eventId])).get(eventId)
  const isOver = event ? event.status === 'ended' : endOf(before) <= now.epochMilliseconds
  // null: undone, or changed back, before anybody was told
  const what = isOver ? null : whatChanged(before, event)
  if (what !== null) await tellChange(room, trx, change, event, what)
  const changedAt = event ? Temporal.Instant.from(event.updated_at) : now
  return { eventId, changedAt, what }
}

async function tellChange(
  room: ScheduleRoom,
  trx: Sql,
  change: store.ChangeRow,
  event: ListedEvent | undefined,
  what: NonNullable<What>,
): Promise<void> {
  const { zone } = room.site
  const { event_id: eventId, before } = change
  const place = event ? placeOf(event) : before.place
  const values = {
    event: (event ?? before).title,
    what,
    when: dayAndTime((event ?? before).starts_at, zone, before.starts_at),
    place: place ?? '',
    hasPlace: place ? 'yes' : 'no',
    effect: 'none',
    other: '',
    leave: '',
  }
  await inSteps(saversAtOnce, async (step) => {
    const accountIds = await store.whoSaved(trx, eventId, step)
    const takesPlace = event && event.status !== 'cancelled'
    const ownValues = takesPlace ? await effectsOn(room, trx, accountIds, before, event) : undefined
    await notify(room.notifications, trx, {
      type: 'event_changed',
      accountIds,
      once: `event-changed:${eventId}:${change.sequence}`,
      group: 'event-changed',
      values,
      ...(ownValues ? { ownValues } : {}),
      path: page.mySchedule,
      goodUntil: Temporal.Instant.fromEpochMilliseconds(Math.max(endOf(event ?? before), endOf(before))),
    })
    return accountIds
  })
}

/** null: nothing that matters is different from what people know. No `event`: it is not in the programme any more. */
function whatChanged(before: EventState, event: ListedEvent | undefined) {
  // not in the programme, for a draft
  const wasOff = before.state === 'cancelled' || before.state === 'draft'
  if (!event) return wasOff ? null : 'gone'
  if (event.status === 'cancelled') return wasOff ? null : 'cancelled'
  if (wasOff) return 'back'
  const isRetimed = Date.parse(before.starts_at) !== Date.parse(event.starts_at)
  const hasMoved = before.place !== placeOf(event)
  if (isRetimed) return hasMoved ? 'both' : 'time'
  return hasMoved ? 'place' : null
}

/** As the events room says it in `EventState`. */
const placeOf = ({ stage, venue }: ListedEvent): string | null =>
  stage === null ? null : venue === null || venue.venue_name === stage ? stage : `${stage}, ${venue.venue_name}`

/** For each of the accounts what the change means for its plan, as values of the text. */
async function effectsOn(
  room: ScheduleRoom,
  trx: Sql,
  accountIds: readonly string[],
  before: EventState,
  event: ListedEvent,
): Promise<Map<string, Record<string, string>>> {
  const rows = await store.listEventsOf(trx, accountIds)
  const events = await eventsById(trx, room.clock.now(), [...new Set(rows.map(({ event_id }) => event_id))])
  const { state, starts_at, ends_at } = before
  const was =
    state === 'cancelled' || state === 'draft'
      ? null
      : { event_id: event.event_id, starts_at, ends_at, venue: event.venue }
  return new Map(
    [...Map.groupBy(rows, ({ account_id }) => account_id)].flatMap(([accountId, own]) => {
      const others = own
        .flatMap(({ event_id }) => events.get(event_id) ?? [])
        .filter((other) => other.event_id !== event.event_id && other.status !== 'cancelled')
      const effect = effectOn(was, event, others)
      if (effect.kind === 'none') return []
      const leave = effect.kind === 'leave' ? wallTime(effect.leave_at, room.site.zone) : ''
      return [[accountId, { effect: effect.kind, other: effect.other, leave }]]
    }),
  )
}

async function eventsById(trx: Sql, now: Temporal.Instant, ids: readonly string[]): Promise<Map<string, ListedEvent>> {
  const events = await eventsByIds(trx, now, ids)
  return new Map(events.map((event) => [event.event_id, event]))
}
