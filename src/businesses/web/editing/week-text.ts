import { weekDays } from '../../limits.ts'
/** A week in the editor: the open times of each day; none: closed. */
export type Week = Record<WeekDay, Times[]>
/** `HH:MM`; `closes` not after `opens`: on the next day. '': not typed yet. */
export interface Times {
  opens: string
  closes: string
}
export const editedDays = weekDays
export type WeekDay = (typeof editedDays)[number]
const weekdays = editedDays.slice(0, 7)

export const closedWeek = (): Week => Object.fromEntries(editedDays.map((day) => [day, []])) as unknown as Week

/**
 * The week as OSM opening_hours: one rule for neighbouring days with the same hours. Holidays are named only if they have hours of
 * their own or are closed. '': never open.
 */
export function textOf(week: Week, holidays: 'asWeekday' | 'own'): string {
  const rules: { first: WeekDay; last: WeekDay; text: string }[] = []
  for (const day of weekdays) {
    const text = timesText(week[day])
    const before = rules.at(-1)
    if (before && before.text === text) before.last = day
    else rules.push({ first: day, last: day, text })
  }
  const open = rules.filter(({ text }) => text !== '')
  const onHolidays = holidays === 'own' ? timesText(week.PH) : ''
  if (open.length === 0 && onHolidays === '') return ''
  const isAlways =
    open.length === 1 && open[0]!.first === 'Mo' && open[0]!.last === 'Su' && open[0]!.text === '00:00-24:00'
  if (isAlways && holidays === 'asWeekday') return '24/7'
  const days = open.map(({ first, last, text }) => {
    const name =
      first === last ? first : `${first}${weekdays.indexOf(last) - weekdays.indexOf(first) === 1 ? ',' : '-'}${last}`
    return `${name} ${text}`
  })
  return [...days, ...(holidays === 'own' ? [`PH ${onHolidays || 'off'}`] : [])].join('; ')
}

const timesText = (times: Times[]) =>
  times
    .filter(({ opens, closes }) => opens !== '' && closes !== '')
    .map(({ opens, closes }) => `${opens}-${opens === '00:00' && closes === '00:00' ? '24:00' : closes}`)
    .join(',')

/** The week of a text; null: a table of one week cannot hold it. */
export function weekIn(text: string): { week: Week; holidays: 'asWeekday' | 'own' } | null {
  const week = closedWeek()
  let holidays: 'asWeekday' | 'own' = 'asWeekday'
  if (text.trim() === '') return { week, holidays }
  if (text.trim() === '24/7') {
    for (const day of weekdays) week[day] = [{ opens: '00:00', closes: '00:00' }]
    return { week, holidays }
  }
  for (const rule of text.split(';')) {
    const [, days, times] = /^\s*([A-Za-z, -]+?)\s+(off|closed|[\d:,\s-]+)\s*$/.exec(rule) ?? []
    const on = days && daysIn(days)
    const at = times && timesIn(times)
    if (!on || !at) return null
    // a rule of weekdays after one for holidays overrules it, which the table cannot show
    if (holidays === 'own' && !on.includes('PH')) return null
    for (const day of on) week[day] = at.map((each) => ({ ...each }))
    if (on.includes('PH')) holidays = 'own'
  }
  return { week, holidays }
}

function daysIn(text: string): WeekDay[] | null {
  const days: WeekDay[] = []
  for (const part of text.replaceAll(' ', '').split(',')) {
    const [first, last = first] = part.split('-') as [WeekDay, WeekDay?]
    if (!editedDays.includes(first) || !editedDays.includes(last!)) return null
    if (first === 'PH' || last === 'PH') {
      if (first !== last) return null
      days.push('PH')
      continue
    }
    for (let at = weekdays.indexOf(first); ; at = (at + 1) % 7) {
      days.push(weekdays[at]!)
      if (weekdays[at] === last) break
    }
  }
  return days
}

function timesIn(text: string): Times[] | null {
  if (/^(off|closed)$/.test(text.trim())) return []
  const times: Times[] = []
  for (const part of text.replaceAll(/\s/g, '').split(',')) {
    const [, opens, closes] = /^(\d\d:[0-5]\d)-(\d\d:[0-5]\d)$/.exec(part) ?? []
    if (!opens || !closes || opens >= '24:00' || closes > '24:00') return null
    times.push({ opens, closes: closes === '24:00' ? '00:00' : closes })
  }
  return times
}
