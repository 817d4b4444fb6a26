import type ICAL from 'ical.js'

/** What a clock on the wall shows, as a moment. */
export type Zone = (wall: Temporal.PlainDateTime) => Temporal.Instant

/** A change of the clocks: what they show just before it, and both offsets in minutes. */
interface Change {
  at: Temporal.PlainDateTime
  from: number
  to: number
}

/** One that comes back every year, on the nth weekday of a month; from the end of the month where n is negative. */
interface Rule extends Change {
  month: number
  /** 1: Monday. */
  weekday: number
  nth: number
  lastYear: number
}

/**
 * The zones that a calendar describes itself (VTIMEZONE), by their names, such as "W. Europe Standard Time" of Outlook. One whose
 * rules are of another form than Outlook, Exchange and Google write, or very many, is left out: its library could look for the next change for ever.
 */
export function ownZones(calendar: ICAL.Component): Map<string, Zone> {
  const zones = new Map<string, Zone>()
  for (const block of calendar.getAllSubcomponents('vtimezone')) {
    const zone = zoneOf(block)
    if (zone) zones.set(String(values(block, 'tzid')[0] ?? '').trim(), zone)
  }
  return zones
}

/** The longest history of a zone has about 250. Each event looks through all of them. */
const changesMost = 500

function zoneOf(block: ICAL.Component): Zone | null {
  const parts = [...block.getAllSubcomponents('standard'), ...block.getAllSubcomponents('daylight')].map(readPart)
  if (parts.length === 0 || parts.includes(null)) return null
  const [once, yearly] = [parts.flatMap((part) => part!.once), parts.flatMap((part) => part!.yearly)]
  if (once.length + yearly.length > changesMost) return null
  const ofYear = new Map<number, Change[]>()
  return (wall) => {
    const changes = ofYear.getOrInsertComputed(wall.year, (year) =>
      [...once, ...yearly.flatMap((rule) => latest(rule, year + 1))].toSorted((a, b) =>
        Temporal.PlainDateTime.compare(a.at, b.at),
      ),
    )
    // what a change leaves out or doubles is read by the offset before it, as in a zone that is known by its name
    const before = changes.findLast(({ at, from, to }) => {
      const isNew = at.add({ minutes: Math.max(0, to - from) })
      return Temporal.PlainDateTime.compare(wall, isNew) >= 0
    })
    const offset = before ? before.to : changes[0]!.from
    return wall.subtract({ minutes: offset }).toZonedDateTime('UTC').toInstant()
  }
}

/** null: it says what cannot be read here. */
function readPart(part: ICAL.Component): { once: Change[]; yearly: Rule[] } | null {
  const [start, from, to] = [
    wallOf(values(part, 'dtstart')[0]),
    minutesOf(values(part, 'tzoffsetfrom')[0]),
    minutesOf(values(part, 'tzoffsetto')[0]),
  ]
  if (!start || from === null || to === null) return null
  const days = values(part, 'rdate').map(wallOf)
  if (days.includes(null)) return null
  const rules = values(part, 'rrule').map((said) => ruleOf(said, { at: start, from, to }))
  if (rules.includes(null)) return null
  return { once: [start, ...days].map((at) => ({ at: at!, from, to })), yearly: rules.map((rule) => rule!) }
}

const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']
const readKeys = new Set(['freq', 'interval', 'byday', 'bymonth', 'until', 'wkst'])

function ruleOf(said: unknown, change: Change): Rule | null {
  if (typeof said !== 'object' || said === null || Object.keys(said).some((key) => !readKeys.has(key))) return null
  const { freq, interval = 1, byday, bymonth, until } = said as Record<string, unknown>
  const [, nth, day] = /^([+-]?[1-5])(MO|TU|WE|TH|FR|SA|SU)$/.exec(String(byday)) ?? []
  const month = Number(bymonth)
  if (freq !== 'YEARLY' || interval !== 1 || !nth || !day || !Number.isInteger(month) || month < 1 || month > 12)
    return null
  const lastYear = until === undefined ? 9999 : Number(String(until).slice(0, 4))
  if (!Number.isInteger(lastYear)) return null
  return { ...change, month, weekday: weekdays.indexOf(day) + 1, nth: Number(nth), lastYear }
}

/** The last three times that a rule comes true up to a year: of a rule that has ended its last ones. */
function latest(rule: Rule, year: number): Change[] {
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

function wallOf(said: unknown): Temporal.PlainDateTime | null {
  try {
    return Temporal.PlainDateTime.from(String(said).replace(/Z$/, ''))
  } catch {
    return null
  }
}

/** "+02:00" in minutes. */
function minutesOf(said: unknown): number | null {
  const [, sign, hours, minutes] = /^([+-])(\d\d):(\d\d)(?::\d\d)?$/.exec(String(said)) ?? []
  if (hours === undefined) return null
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}

/** As the parser found them. */
const values = (component: ICAL.Component, name: string): unknown[] =>
  component.getAllProperties(name).flatMap(({ jCal }) => (jCal as unknown[]).slice(3))
