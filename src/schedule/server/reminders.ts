import type { ListedEvent } from '../../events/contract.ts'
import { eventsByIds } from '../../events/server/events.ts'
import { asDate } from '../../kit/server/clock.ts'
import type { Sql } from '../../kit/server/database.ts'
import { clockText, wallIn } from '../../kit/shared/calendar.ts'
import { notify } from '../../notifications/server/notifications.ts'
import { eventPage } from '../../site-map.ts'
import { dueReminders } from '../reminders.ts'
import { endOf, startOf } from '../times.ts'
import type { ScheduleRoom } from './room.ts'
import * as store from './store.ts'

const atOnce = 500

/** The group of an event's reminders: an unread one is replaced by the next. */
export const remindersOfEvent = (eventId: string) => `reminder:${eventId}`

/**
 * Sends the due reminders. Each is marked as sent in the transaction of its notification, so none is lost or sent twice after a
 * crash or on several instances. Run every minute.
 */
export async function sendDueReminders(room: ScheduleRoom): Promise<void> {
  for (;;) {
    const taken = await room.db.transaction().execute((trx) => sendReminderBatch(room, trx))
    if (taken < atOnce) return
  }
}

/** @returns how many reminders it took */
async function sendReminderBatch(room: ScheduleRoom, trx: Sql): Promise<number> {
  const now = room.clock.now()
  const rows = await store.takeDueReminders(trx, asDate(now), atOnce)
  if (rows.length === 0) return 0
  const ids = [...new Set(rows.map(({ event_id }) => event_id))]
  const events = new Map((await eventsByIds(trx, now, ids)).map((event) => [event.event_id, event]))
  const known = rows.flatMap((row) => {
    const event = events.get(row.event_id)
    return event ? [{ ...row, event }] : []
  })
  const due = dueReminders(now.epochMilliseconds, known)
  for (const group of Map.groupBy(due, ({ event_id, minutes }) => `${event_id}:${minutes}`).values()) {
    const { event, minutes } = group[0]!
    await notify(room.notifications, trx, {
      type: 'reminder',
      accountIds: group.map(({ account_id }) => account_id),
      once: `reminder:${event.event_id}:${minutes}:${event.starts_at}`,
      group: remindersOfEvent(event.event_id),
      values: valuesOf(room, event, now),
      path: eventPage(event.event_id),
      goodUntil: Temporal.Instant.fromEpochMilliseconds(endOf(event)),
    })
  }
  await store.settleReminders(
    trx,
    rows.map((row) => ({ ...row, starts_at: events.get(row.event_id)?.starts_at ?? null })),
  )
  return rows.length
}

/** The text has the time of day, which stays true when it is read late. */
const valuesOf = ({ site }: ScheduleRoom, event: ListedEvent, now: Temporal.Instant) => ({
  event: event.title,
  time: clockText(wallIn(site.zone, startOf(event))),
  place: event.stage ?? event.venue?.venue_name ?? '',
  hasPlace: event.stage || event.venue ? 'yes' : 'no',
  state: startOf(event) <= now.epochMilliseconds ? 'running' : 'coming',
})
