import type { ListedEvent } from '../../events/contract.ts'
import { eventChanged, eventsByIds, type AnnouncedEvent, type EventChange } from '../../events/server/events.ts'
import { asDate } from '../../kit/server/clock.ts'
import type { Sql } from '../../kit/server/database.ts'
import { inSteps } from '../../kit/server/in-steps.ts'
import { clockText, clockWithDay, wallIn } from '../../kit/shared/calendar.ts'
import { notify, withdrawFromAll } from '../../notifications/server/notifications.ts'
import { page } from '../../site-map.ts'
import { effectOn } from '../plan-effect.ts'
import { endOf, startOf } from '../times.ts'
import type { ScheduleRoom } from './room.ts'
import { remindersOfEvent } from './reminders.ts'
import * as store from './store.ts'

/** An undo within this time withdraws the notice. */
const noticeDelayS = 20
/** Sends the notices that are due; also runs every minute. */
export const eventNoticesJob = 'tell-saved-event-changes'
const saversAtOnce = 200

/** Merges a change of an event with earlier ones, for one later notice. Safe to repeat, and in any order of the changes. */
export async function groupEventChanges(room: ScheduleRoom, change: EventChange): Promise<void> {
  if (change.kinds.every((kind) => kind === 'text')) return
  const dueAt = asDate(room.clock.now().add({ seconds: noticeDelayS }))
  const { event_id: eventId, before, sequence } = change
  await room.db.transaction().execute(async (trx) => {
    await store.saveEventChange(trx, { eventId, before, sequence, dueAt })
    await room.jobs.enqueue(trx, eventNoticesJob, {}, noticeDelayS)
  })
}

/**
 * Notifies everybody who saved an event whose change is due. Each change is sent once, by one instance, in a transaction of its own:
 * a long transaction would lock the notices of thousands of people, and two instances could deadlock.
 */
export async function sendEventNotices(room: ScheduleRoom): Promise<void> {
  for (;;) {
    const change = await room.db.transaction().execute((trx) => sendNextNotice(room, trx))
    if (!change) return
    // older reminders name a wrong start; in its own transaction, because reading locks all notices of a person
    const { eventId, changedAt, what } = change
    if (what !== null && what !== 'place')
      await withdrawFromAll(room.notifications, { group: remindersOfEvent(eventId), before: changedAt })
  }
}

type ChangeKind = ReturnType<typeof changeKind>

/** @returns null: no change is due */
async function sendNextNotice(
  room: ScheduleRoom,
  trx: Sql,
): Promise<{ eventId: string; changedAt: Temporal.Instant; what: ChangeKind } | null> {
  const now = room.clock.now()
  const change = await store.takeDueEventChange(trx, asDate(now))
  if (!change) return null
  const { event_id: eventId, before } = change
  const event = (await eventsById(trx, now, [eventId])).get(eventId)
  const isOver = event ? event.status === 'ended' : endOf(before) <= now.epochMilliseconds
  // null: undone or changed back before the notice
  const what = isOver ? null : changeKind(before, event)
  if (what !== null) await notifySavers(room, trx, change, event, what)
  const changedAt = event ? Temporal.Instant.from(event.updated_at) : now
  return { eventId, changedAt, what }
}

async function notifySavers(
  room: ScheduleRoom,
  trx: Sql,
  change: store.EventChangeRow,
  event: ListedEvent | undefined,
  what: NonNullable<ChangeKind>,
): Promise<void> {
  const { zone } = room.site
  const { event_id: eventId, before } = change
  const place = event ? placeOf(event) : before.place
  const values = {
    event: (event ?? before).title,
    what,
    when: clockWithDay(zone, startOf(event ?? before), startOf(before)),
    place: place ?? '',
    hasPlace: place ? 'yes' : 'no',
    effect: 'none',
    other: '',
    leave: '',
  }
  await inSteps(saversAtOnce, async (step) => {
    const accountIds = await store.listSavers(trx, eventId, step)
    const takesPlace = event && event.status !== 'cancelled'
    const ownValues = takesPlace ? await effectsOn(room, trx, accountIds, before, event) : undefined
    await notify(room.notifications, trx, {
      type: 'event_changed',
      accountIds,
      once: `${eventChanged}:${eventId}:${change.sequence}`,
      group: eventChanged,
      values,
      ...(ownValues ? { ownValues } : {}),
      path: page.mySchedule,
      goodUntil: Temporal.Instant.fromEpochMilliseconds(Math.max(endOf(event ?? before), endOf(before))),
    })
    return accountIds
  })
}

/** The difference that the notice names; null: none that matters. `event` undefined: no longer in the programme. */
function changeKind(before: AnnouncedEvent, event: ListedEvent | undefined) {
  const wasOff = before.state === 'cancelled' || before.state === 'draft'
  if (!event) return wasOff ? null : 'gone'
  if (event.status === 'cancelled') return wasOff ? null : 'cancelled'
  if (wasOff) return 'back'
  const isRetimed = Date.parse(before.starts_at) !== Date.parse(event.starts_at)
  const hasMoved = before.place !== placeOf(event)
  if (isRetimed) return hasMoved ? 'both' : 'time'
  return hasMoved ? 'place' : null
}

/** The same text as `AnnouncedEvent.place`. */
const placeOf = ({ stage, venue }: ListedEvent): string | null =>
  stage === null ? null : venue === null || venue.venue_name === stage ? stage : `${stage}, ${venue.venue_name}`

/** Values of the notice's text by account: the effect of the change on that schedule. */
async function effectsOn(
  room: ScheduleRoom,
  trx: Sql,
  accountIds: readonly string[],
  before: AnnouncedEvent,
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
      const leave = effect.kind === 'leave' ? clockText(wallIn(room.site.zone, Date.parse(effect.leave_at))) : ''
      return [[accountId, { effect: effect.kind, other: effect.other, leave }]]
    }),
  )
}

async function eventsById(trx: Sql, now: Temporal.Instant, ids: readonly string[]): Promise<Map<string, ListedEvent>> {
  const events = await eventsByIds(trx, now, ids)
  return new Map(events.map((event) => [event.event_id, event]))
}
