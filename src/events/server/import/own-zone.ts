import type ICAL from 'ical.js'

/** Turns a wall time into an instant. */
export type Zone = (wall: Temporal.PlainDateTime) => Temporal.Instant

/** A change of the clocks: the wall time just before it, and the offsets before and after in minutes. */
interface OffsetChange {
  at: Temporal.PlainDateTime
  from: number
  to: number
}

/** A change that returns every year on the nth weekday of a month; a negative n counts from its end. */
interface Rule extends OffsetChange {
  month: number
  /** 1: Monday. */
  weekday: number
  nth: number
  lastYear: number
}

/**
 * The time zones that a calendar defines (VTIMEZONE) by name, such as Outlook's "W. Europe Standard Time". Only rules in the form
 * of Outlook, Exchange and Google are read, and not too many: the library could search for the next change of others for ever.
 */
export function ownZones(calendar: ICAL.Component): Map<string, Zone> {
  const zones = new Map<string, Zone>()
  for (const block of calendar.getAllSubcomponents('vtimezone')) {
    const zone = zoneOf(block)
    if (zone) zones.set(String(values(block, 'tzid')[0] ?? '').trim(), zone)
  }
  return zones
}

/** The longest real zone has about 250 changes. Each event searches through all of them. */
const changesMost = 500

function zoneOf(block: ICAL.Component): Zone | null {
  const parts = [...block.getAllSubcomponents('standard'), ...block.getAllSubcomponents('daylight')].map(readPart)
  if (parts.length === 0 || parts.includes(null)) return null
  const [once, yearly] = [parts.flatMap((part) => part!.once), parts.flatMap((part) => part!.yearly)]
  if (once.length + yearly.length > changesMost) return null
  const ofYear = new Map<number, OffsetChange[]>()
  return (wall) => {
    const changes = ofYear.getOrInsertComputed(wall.year, (year) =>
      [...once, ...yearly.flatMap((rule) => latest(rule, year + 1))].toSorted((a, b) =>
        Temporal.PlainDateTime.compare(a.at, b.at),
      ),
    )
    // a wall time that a change skips or doubles is read with the offset before it, as Temporal does for known zones
    const before = changes.findLast(({ at, from, to }) => {
      const isNew = at.add({ minutes: Math.max(0, to - from) })
      return Temporal.PlainDateTime.compare(wall, isNew) >= 0
    })
    const offset = before ? before.to : changes[0]!.from
    return wall.subtract({ minutes: offset }).toZonedDateTime('UTC').toInstant()
  }
}

/** null: the rule has a form that is not read. */
function readPart(part: ICAL.Component): { once: OffsetChange[]; yearly: Rule[] } | null {
  const [start, from, to] = [
    wallOf(values(part, 'dtstart')[0]),
    minutesOf(values(part, 'tzoffsetfrom')[0]),
    minutesOf(values(part, 'tzoffsetto')[0]),
  ]
  if (!start || from === null || to === null) return null
  const days = values(part, 'rdate').map(wallOf)
  if (days.includes(null)) return null
  const rules = values(part, 'rrule').map((value) => ruleOf(value, { at: start, from, to }))
  if (rules.includes(null)) return null
  return { once: [start, ...days].map((at) => ({ at: at!, from, to })), yearly: rules.map((rule) => rule!) }
}

const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']
const readKeys = new Set(['freq', 'interval', 'byday', 'bymonth', 'until', 'wkst'])

function ruleOf(value: unknown, change: OffsetChange): Rule | null {
  if (typeof value !== 'object' || value === null || Object.keys(value).some((key) => !readKeys.has(key))) return null
  const { freq, interval = 1, byday, bymonth, until } = value as Record<string, unknown>
  const [, nth, day] = /^([+-]?[1-5])(MO|TU|WE|TH|FR|SA|SU)$/.exec(String(byday)) ?? []
  const month = Number(bymonth)
  if (freq !== 'YEARLY' || interval !== 1 || !nth || !day || !Number.isInteger(month) || month < 1 || month > 12)
    return null
  const lastYear = until === undefined ? 9999 : Number(String(until).slice(0, 4))
  if (!Number.isInteger(lastYear)) return null
  return { ...change, month, weekday: weekdays.indexOf(day) + 1, nth: Number(nth), lastYear }
}

/** The last three changes by a rule up to a year; for a rule that has ended, its last three. */
function latest(rule: Rule, year: number): OffsetChange[] {
  const last = Math.min(year, rule.lastYear)
  const years = [last - 2, last - 1, last].filter((each) => each >= rule.at.year)
  return years.flatMap((each) => {
    const first = Temporal.PlainDate.from({ year: each, month: rule.month, day: 1 })
    const length = first.daysInMonth
    const days = Array.from({ length }, (_, n) => first.add({ days: n })).filter(
      ({ dayOfWeek }) => dayOfWeek === rule.weekday,
    )
    const day = days.at(rule.nth > 0 ? rule.nth - 1 : rule.nth)
    return day ? [{ at: day.toPlainDateTime(rule.at.toPlainTime()), from: rule.from, to: rule.to }] : []
  })
}

function wallOf(value: unknown): Temporal.PlainDateTime | null {
  try {
    return Temporal.PlainDateTime.from(String(value).replace(/Z$/, ''))
  } catch {
    return null
  }
}

/** "+02:00" in minutes. */
function minutesOf(value: unknown): number | null {
  const [, sign, hours, minutes] = /^([+-])(\d\d):(\d\d)(?::\d\d)?$/.exec(String(value)) ?? []
  if (hours === undefined) return null
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}

/** Raw values of the parser: those that it interprets may throw or be shifted. */
const values = (component: ICAL.Component, name: string): unknown[] =>
  component.getAllProperties(name).flatMap(({ jCal }) => (jCal as unknown[]).slice(3))
