import type { ListedEvent } from '../../events/contract.ts'
import { eventsByIds } from '../../events/server/events.ts'
import { asDate } from '../../kit/server/clock.ts'
import type { Sql } from '../../kit/server/database.ts'
import { notify } from '../../notifications/server/notifications.ts'
import { eventPage } from '../../site-map.ts'
import { dueReminders } from '../reminders.ts'
import { endOf, startOf } from '../times.ts'
import type { ScheduleRoom } from './room.ts'
import * as store from './store.ts'
import { wallTime } from './wall-time.ts'

const atOnce = 500

/** Of the notices of one event: an unread one gives way to the next. */
export const remindersOfEvent = (eventId: string) => `reminder:${eventId}`

/**
 * Tells what is due: the mark that it was told and the notification are one transaction, so that a crash loses none and
 * doubles none, however many instances run it at once. Run every minute.
 */
export async function tellDueReminders(room: ScheduleRoom): Promise<void> {
  for (;;) {
    const taken = await room.db.transaction().execute((trx) => tellSome(room, trx))
    if (taken < atOnce) return
  }
}

/** @returns how many were looked at */
async function tellSome(room: ScheduleRoom, trx: Sql): Promise<number> {
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

/** The text says the time of day, which stays true however late it is read. */
const valuesOf = ({ site }: ScheduleRoom, event: ListedEvent, now: Temporal.Instant) => ({
  event: event.title,
  time: wallTime(event.starts_at, site.zone),
  place: event.stage ?? event.venue?.venue_name ?? '',
  hasPlace: event.stage || event.venue ? 'yes' : 'no',
  state: startOf(event) <= now.epochMilliseconds ? 'running' : 'coming',
})
