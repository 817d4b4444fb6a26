import type { OpeningWeek } from '../contract.ts'

const names = {
  Mo: 'Monday',
  Tu: 'Tuesday',
  We: 'Wednesday',
  Th: 'Thursday',
  Fr: 'Friday',
  Sa: 'Saturday',
  Su: 'Sunday',
  PH: 'PublicHolidays',
}

/** Hours of some days. `closes` before `opens`: after midnight; 00:00 to 00:00: closed all day. */
export interface DayHours {
  /** Names of schema.org: `Monday` … `Sunday`, `PublicHolidays`. */
  days: string[]
  /** `HH:MM` */
  opens: string
  closes: string
}

/**
 * Opening hours for schema.org, if the week is the same all year. null: seasons, exceptions or open ends, which it cannot hold;
 * wrong hours are worse than none.
 */
export function weekHours(week: OpeningWeek | null): DayHours[] | null {
  const [season, ...more] = week?.seasons ?? []
  if (!season || more.length > 0 || week!.exceptions.length > 0) return null
  const groups = new Map<string, DayHours>()
  for (const { day, spans } of season.days) {
    if (spans.some(({ open_end }) => open_end)) return null
    const closedOnHolidays = day === 'PH' && spans.length === 0
    for (const { opens, closes } of closedOnHolidays ? [{ opens: '00:00', closes: '00:00' }] : spans) {
      const until = closes === '24:00' ? (opens === '00:00' ? '23:59' : '00:00') : closes
      const group = groups.get(`${opens}-${until}`)
      if (group) group.days.push(names[day])
      else groups.set(`${opens}-${until}`, { days: [names[day]], opens, closes: until })
    }
  }
  return groups.size > 0 ? [...groups.values()] : null
}
