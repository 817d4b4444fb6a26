import { findPerson } from '../../accounts/server/accounts.ts'
import { calendarDays, calendarPlace, calendarUid, deletedInCalendar } from '../../events/server/events.ts'
import { FeedAnswer } from '../../kit/server/send-answer.ts'
import { Refusal } from '../../kit/shared/refusal.ts'
import { eventPage } from '../../site-map.ts'
import { sharedNotFound } from '../contract.ts'
import { endOf } from '../times.ts'
import { deletedOf, entriesOf } from './entries-of.ts'
import { ownerOf } from './links.ts'
import type { ScheduleRoom } from './room.ts'
import { timeZoneBlock } from './time-zone-block.ts'

/**
 * A person's schedule as iCalendar: events have id, sequence and status of the public feed, the festival's zone, and an alarm for each
 * reminder. @throws `shared_schedule_not_found`
 */
export async function personalFeed(room: ScheduleRoom, token: string, origin: string): Promise<FeedAnswer> {
  const { site } = room
  const accountId = await ownerOf(room, 'feed', token)
  const person = accountId === null ? null : await findPerson(room.db, accountId)
  if (accountId === null || !person) throw new Refusal(sharedNotFound)
  const entries = await entriesOf(room, accountId)
  const deleted = await deletedOf(room.db, accountId)
  // imported on demand: few requests need it, and starting is faster
  const { default: ical, ICalAlarmType, ICalCalendarMethod, ICalEventStatus } = await import('ical-generator')
  const calendar = ical({
    name: `${site.name} – ${person.display_name}`,
    prodId: { company: site.name, product: 'schedule', language: 'EN' },
    method: ICalCalendarMethod.PUBLISH,
    ttl: 15 * 60,
  })
  const zoned = (at: number) => Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(site.zone)
  for (const { event, reminders, updated_at } of entries) {
    const changed = Math.max(Date.parse(event.updated_at), Date.parse(updated_at))
    const isCancelled = event.status === 'cancelled'
    const [starts, ends] = [zoned(Date.parse(event.starts_at)), zoned(endOf(event))]
    // in the hour that comes twice, calendars may read either, so such times are in UTC
    const zone = isPlain(starts) && isPlain(ends) ? site.zone : 'UTC'
    const added = calendar.createEvent({
      id: calendarUid(site, event),
      sequence: event.sequence,
      stamp: new Date(changed),
      lastModified: new Date(changed),
      ...(event.all_day
        ? calendarDays(event)
        : { start: starts.withTimeZone(zone), end: ends.withTimeZone(zone), timezone: zone }),
      summary: event.title,
      location: calendarPlace(event),
      url: origin + eventPage(event.event_id),
      categories: [{ name: event.category }],
      status: isCancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    })
    // an alarm of an all-day event would ring before midnight
    for (const minutes of isCancelled || event.all_day ? [] : reminders)
      added.createAlarm({ type: ICalAlarmType.display, triggerBefore: minutes * 60, description: event.title })
  }
  for (const event of deleted)
    calendar.createEvent({ ...deletedInCalendar(site, event), status: ICalEventStatus.CANCELLED })
  return new FeedAnswer(withZone(calendar.toString(), site.zone, entries))
}

/** Inserts the time zone after the properties of the calendar and before its events: strict readers require this order. */
function withZone(calendar: string, zone: string, entries: { event: { starts_at: string } }[]): string {
  const [first, last] = [entries[0], entries.at(-1)].map((entry) => entry?.event.starts_at)
  if (!first || !last) return calendar
  const from = Temporal.Instant.from(first).subtract({ hours: 24 * 366 })
  const to = Temporal.Instant.from(last).add({ hours: 24 * 366 })
  return calendar.replace(/^BEGIN:VEVENT/m, (begin) => `${timeZoneBlock(zone, from, to)}\r\n${begin}`)
}

/** The clock time is unambiguous: not in the hour that comes twice or is skipped. */
function isPlain(at: Temporal.ZonedDateTime): boolean {
  const [earlier, later] = (['earlier', 'later'] as const).map((disambiguation) =>
    at.toPlainDateTime().toZonedDateTime(at.timeZoneId, { disambiguation }),
  )
  return earlier!.equals(later!)
}
