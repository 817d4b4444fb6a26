import { findPerson } from '../../accounts/server/accounts.ts'
import { FeedAnswer } from '../../kit/server/send-answer.ts'
import { Refusal } from '../../kit/shared/refusal.ts'
import { slugOf } from '../../kit/shared/slug.ts'
import { eventPage } from '../../site-map.ts'
import { sharedNotFound } from '../contract.ts'
import { endOf } from '../times.ts'
import { deletedOf, entriesOf } from './entries-of.ts'
import { ownerOf } from './links.ts'
import type { ScheduleRoom } from './room.ts'
import { timeZoneBlock } from './time-zone-block.ts'

/**
 * Somebody's schedule for their calendar: each event under the same id as in the public feed, with its sequence and status,
 * in the festival's zone, and an alarm for each reminder. Throws `shared_schedule_not_found`.
 */
export async function personalFeed(room: ScheduleRoom, token: string, origin: string): Promise<FeedAnswer> {
  const { site } = room
  const accountId = await ownerOf(room, 'feed', token)
  const person = accountId === null ? null : await findPerson(room.db, accountId)
  if (accountId === null || !person) throw new Refusal(sharedNotFound)
  const entries = await entriesOf(room, accountId)
  const deleted = await deletedOf(room.db, accountId)
  // as few ask for it, a start does without it
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
    const { venue_name, address, latitude, longitude } = event.venue ?? {}
    const places = [event.stage, address?.startsWith(venue_name ?? '') ? null : venue_name, address].filter(Boolean)
    const [starts, ends] = [zoned(Date.parse(event.starts_at)), zoned(endOf(event))]
    // of the hour that comes twice calendars read either, so what falls into it is told in UTC
    const zone = isPlain(starts) && isPlain(ends) ? site.zone : 'UTC'
    const added = calendar.createEvent({
      id: `${event.event_id}@${slugOf(site.name) || 'festival'}`,
      sequence: event.sequence,
      stamp: new Date(changed),
      lastModified: new Date(changed),
      start: starts.withTimeZone(zone),
      end: ends.withTimeZone(zone),
      timezone: zone,
      summary: event.title,
      url: origin + eventPage(event.event_id),
      categories: [{ name: event.category }],
      status: isCancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    })
    if (places.length > 0)
      added.location({
        title: [...new Set(places)].join(', '),
        ...(latitude == null || longitude == null ? {} : { geo: { lat: latitude, lon: longitude } }),
      })
    // what does not take place reminds nobody
    for (const minutes of isCancelled ? [] : reminders)
      added.createAlarm({ type: ICalAlarmType.display, triggerBefore: minutes * 60, description: event.title })
  }
  // a calendar that still has them takes them off
  for (const event of deleted) {
    const changed = new Date(event.updated_at)
    calendar.createEvent({
      id: `${event.event_id}@${slugOf(site.name) || 'festival'}`,
      sequence: event.sequence,
      stamp: changed,
      lastModified: changed,
      start: new Date(event.starts_at),
      end: new Date(event.over_at),
      summary: event.title,
      status: ICalEventStatus.CANCELLED,
    })
  }
  return new FeedAnswer(withZone(calendar.toString(), site.zone, entries))
}

/** The zone stands after all that the calendar says of itself, and before its events: strict readers ask for that order. */
function withZone(calendar: string, zone: string, entries: { event: { starts_at: string } }[]): string {
  const [first, last] = [entries[0], entries.at(-1)].map((entry) => entry?.event.starts_at)
  if (!first || !last) return calendar
  const from = Temporal.Instant.from(first).subtract({ hours: 24 * 366 })
  const to = Temporal.Instant.from(last).add({ hours: 24 * 366 })
  return calendar.replace(/^BEGIN:VEVENT/m, (begin) => `${timeZoneBlock(zone, from, to)}\r\n${begin}`)
}

/** Its clock time alone tells the moment. */
function isPlain(at: Temporal.ZonedDateTime): boolean {
  const [earlier, later] = (['earlier', 'later'] as const).map((disambiguation) =>
    at.toPlainDateTime().toZonedDateTime(at.timeZoneId, { disambiguation }),
  )
  return earlier!.equals(later!)
}
