const weekdays = {
  Mo: 'Monday',
  Tu: 'Tuesday',
  We: 'Wednesday',
  Th: 'Thursday',
  Fr: 'Friday',
  Sa: 'Saturday',
  Su: 'Sunday',
}
const order = Object.keys(weekdays) as (keyof typeof weekdays)[]

/** Hours of some days; `closes` before `opens` is after midnight, 00:00 to 00:00 is closed all day. */
export interface DayHours {
  /** As schema.org names them, `Monday` … `Sunday` and `PublicHolidays`. */
  days: string[]
  /** `HH:MM` */
  opens: string
  closes: string
}

type Span = { opens: string; closes: string }

/**
 * Opening hours as schema.org can say them, from an OSM text that is the same every week: weekdays with times, `off`,
 * public holidays, 24/7. Null for everything it cannot say (months, seasons, sunset, comments, open ends) and for what
 * is not written plainly: half a truth about opening hours is worse than none.
 */
export function weekHours(text: string): DayHours[] | null {
  const spans = new Map<string, Span[]>()
  for (const rule of text.split(';').map((each) => each.trim())) {
    if (rule === '') continue
    const [, days, times] = /^(?:([A-Z][A-Za-z,\- ]*?) +)?(24\/7|off|closed|\d[\d:,\- ]*)$/.exec(rule) ?? []
    const named = times && daysNamed(days)
    const read = times && spansOf(times)
    if (!named || !read) return null
    for (const day of named) spans.set(day, read)
  }
  const groups = new Map<string, DayHours>()
  for (const day of [...order.map((each) => weekdays[each]), 'PublicHolidays']) {
    const closedOnHolidays = day === 'PublicHolidays' && spans.get(day)?.length === 0
    for (const span of closedOnHolidays ? [{ opens: '00:00', closes: '00:00' }] : (spans.get(day) ?? [])) {
      const key = `${span.opens}-${span.closes}`
      const group = groups.get(key)
      if (group) group.days.push(day)
      else groups.set(key, { days: [day], ...span })
    }
  }
  return groups.size > 0 ? [...groups.values()] : null
}

/** `Mo-Fr,Su,PH`; without any: the whole week. */
function daysNamed(text: string | undefined): string[] | null {
  if (text === undefined) return order.map((day) => weekdays[day])
  const named: string[] = []
  for (const part of text.replaceAll(' ', '').split(',')) {
    if (part === 'PH') {
      named.push('PublicHolidays')
      continue
    }
    const [first, last = first] = part.split('-').map((day) => order.indexOf(day as keyof typeof weekdays))
    if (first === undefined || first < 0 || last! < 0 || part.split('-').length > 2) return null
    for (let day = first; ; day = (day + 1) % 7) {
      named.push(weekdays[order[day]!])
      if (day === last) break
    }
  }
  return named
}

/** `11:30-14:00,17:30-22:30`; [] when closed. */
function spansOf(text: string): Span[] | null {
  if (text === 'off' || text === 'closed') return []
  if (text === '24/7') return [{ opens: '00:00', closes: '23:59' }]
  const spans: Span[] = []
  for (const part of text.replaceAll(' ', '').split(',')) {
    const [, opens, closes] = /^([01]\d:[0-5]\d|2[0-3]:[0-5]\d)-([0-4]\d:[0-5]\d)$/.exec(part) ?? []
    if (!opens || !closes) return null
    const hours = Number(closes.slice(0, 2))
    if (opens === '00:00' && closes === '24:00') {
      spans.push({ opens, closes: '23:59' })
      continue
    }
    const wrapped = `${String(hours % 24).padStart(2, '0')}${closes.slice(2)}`
    // a whole day or more from one door to the next has no words here
    if (hours > 24 ? wrapped >= opens : wrapped === opens) return null
    spans.push({ opens, closes: wrapped })
  }
  return spans
}
