import type { Deal } from '../../deals/contract.ts'
import { claimHours } from '../limits.ts'

/** The days and hours of a deal. If `end_time` is not after `start_time`, its hours end on the next day. */
export type DealTimes = Pick<Deal, 'ends_at' | 'active_days' | 'start_time' | 'end_time'>

export interface UsableTime {
  from: Temporal.Instant
  until: Temporal.Instant
}

/**
 * When a code that is claimed now is valid: in the current hours of the deal, or else in the next. Null: no hours within 24 hours.
 */
export function usableTime(deal: DealTimes, now: Temporal.Instant, zone: string): UsableTime | null {
  const last = earlier(
    now.add({ hours: claimHours }),
    deal.ends_at === null ? null : Temporal.Instant.from(deal.ends_at),
  )
  const hours = hoursAround(deal, now, zone).find(({ until }) => Temporal.Instant.compare(until, now) > 0)
  if (!hours) return null
  const from = Temporal.Instant.compare(hours.from, now) > 0 ? hours.from : now
  const until = earlier(last, hours.until)
  return Temporal.Instant.compare(from, until) < 0 ? { from, until } : null
}

/** The hours of the deal from yesterday to the day after tomorrow; adjoining hours are merged. */
function hoursAround(deal: DealTimes, now: Temporal.Instant, zone: string): UsableTime[] {
  const today = now.toZonedDateTimeISO(zone).toPlainDate()
  const found: UsableTime[] = []
  for (const days of [-1, 0, 1, 2]) {
    const day = today.add({ days })
    if (deal.active_days && !deal.active_days.includes(day.dayOfWeek)) continue
    const hours = hoursOf(deal, day, zone)
    const before = found.at(-1)
    if (before && Temporal.Instant.compare(before.until, hours.from) >= 0) before.until = hours.until
    else found.push(hours)
  }
  return found
}

function hoursOf({ start_time, end_time }: DealTimes, day: Temporal.PlainDate, zone: string): UsableTime {
  const at = (date: Temporal.PlainDate, plainTime: string) =>
    date.toZonedDateTime({ timeZone: zone, plainTime }).toInstant()
  const start = start_time ?? '00:00'
  const end = start_time === null ? '00:00' : (end_time ?? '00:00')
  return { from: at(day, start), until: at(end > start ? day : day.add({ days: 1 }), end) }
}

const earlier = (one: Temporal.Instant, other: Temporal.Instant | null) =>
  other && Temporal.Instant.compare(other, one) < 0 ? other : one
