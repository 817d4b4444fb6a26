import type { Clock } from '../../kit/server/clock.ts'
import { isDay } from '../../kit/shared/input.ts'
import { invalidInput, Refusal } from '../../kit/shared/refusal.ts'
import { mostDays, mostDaysByHour } from '../contract.ts'

export interface PeriodQuery {
  /** `YYYY-MM-DD`; absent: since the first deal. */
  from?: string | undefined
  /** The last day, included; absent: today. */
  to?: string | undefined
}

export interface Period {
  from: string
  to: string
  bucket: 'hour' | 'day'
  /** Beginning and end of each day in the festival's zone. */
  days: { startMs: number; endMs: number }[]
  span: { from: Date; until: Date }
  /** As many days before, up to the same time of day as now; null without `from` in the query. */
  before: { from: Date; until: Date } | null
}

/** @throws `invalid_input` for a malformed day, an end before the start, and too many days */
export function periodOf(
  { clock, zone }: { clock: Clock; zone: string },
  deals: readonly { created_at: string }[],
  query: PeriodQuery & { bucket?: 'hour' | 'day' | undefined },
): Period {
  const now = clock.now()
  const today = now.toZonedDateTimeISO(zone).toPlainDate()
  const to = query.to === undefined ? today : dayOf('to', query.to)
  const from = query.from === undefined ? firstDay(deals, to, zone) : dayOf('from', query.from)
  const count = from.until(to).days + 1
  const bucket = query.bucket ?? 'day'
  const most = bucket === 'hour' ? mostDaysByHour : mostDays
  if (count < 1) throw new Refusal(invalidInput, { fields: { to: { key: 'day_before_first' } } })
  if (count > most)
    throw new Refusal(invalidInput, { fields: { from: { key: 'too_many_days', values: { max: most } } } })
  const startOf = (day: Temporal.PlainDate) => day.toZonedDateTime(zone).epochMilliseconds
  const starts = Array.from({ length: count + 1 }, (_, index) => startOf(from.add({ days: index })))
  const days = starts.slice(0, -1).map((startMs, index) => ({ startMs, endMs: starts[index + 1]! }))
  const span = { from: new Date(starts[0]!), until: new Date(starts.at(-1)!) }
  return {
    from: from.toString(),
    to: to.toString(),
    bucket,
    days,
    span,
    before: query.from === undefined ? null : daysBefore(span, count, now, zone),
  }
}

/** Figures are stored by the hour, so the current hour counts whole in both periods. */
function daysBefore(span: Period['span'], days: number, now: Temporal.Instant, zone: string): Period['span'] {
  const until = Math.min(span.until.getTime(), (Math.floor(now.epochMilliseconds / hourMs) + 1) * hourMs)
  const earlier = (ms: number) =>
    new Date(
      Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).subtract({ days }).toInstant()
        .epochMilliseconds,
    )
  return { from: earlier(span.from.getTime()), until: earlier(Math.max(span.from.getTime(), until)) }
}
const hourMs = 3_600_000

function firstDay(deals: readonly { created_at: string }[], to: Temporal.PlainDate, zone: string): Temporal.PlainDate {
  const oldest = deals.reduce<string | null>(
    (first, { created_at }) => (first === null || created_at < first ? created_at : first),
    null,
  )
  const earliest = to.subtract({ days: mostDays - 1 })
  if (oldest === null) return to
  const first = Temporal.Instant.from(oldest).toZonedDateTimeISO(zone).toPlainDate()
  const later = Temporal.PlainDate.compare(first, earliest) < 0 ? earliest : first
  return Temporal.PlainDate.compare(later, to) > 0 ? to : later
}

function dayOf(field: 'from' | 'to', text: string): Temporal.PlainDate {
  try {
    if (!isDay(text)) throw new RangeError('no day')
    return Temporal.PlainDate.from(text)
  } catch {
    throw new Refusal(invalidInput, { fields: { [field]: { key: 'day' } } })
  }
}
