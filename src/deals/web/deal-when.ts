import { useTranslations } from 'use-intl'
import { useWhen, type Told } from '../../kit/browser/when.ts'
import type { Deal } from '../contract.ts'

const endingSoonMinutes = 180
const soonMinutes = 120

export interface DealWhen extends Told {
  /** "Ends in 45 min", in the last three hours of a deal. */
  ends: string | null
  /** "Mon–Fri 17:00–19:00"; null when it is valid at all times. */
  hours: string | null
}

type Timed = Pick<
  Deal,
  'starts_at' | 'ends_at' | 'active_days' | 'start_time' | 'end_time' | 'open_now' | 'open_until' | 'opens_at'
>

/** When a deal can be had: its start, its own hours, else the opening state of the place. */
export function useDealWhen(deal: Timed): DealWhen {
  const when = useWhen()
  const t = useTranslations('deals')
  const hours = hoursOf(deal, when.weekdayName)
  const endsIn = deal.ends_at === null ? null : when.minutesTo(deal.ends_at)
  const ends =
    endsIn !== null && endsIn > 0 && endsIn <= endingSoonMinutes
      ? t('ends', { when: when.moment(deal.ends_at!) })
      : null
  const told = (): Told => {
    if (deal.starts_at !== null && when.minutesTo(deal.starts_at) > 0)
      return { state: 'closed', text: t('starts', { when: when.moment(deal.starts_at) }) }
    const wall = when.wall()
    if (hours !== null && !isWithinHours(deal, wall)) {
      const startsIn = minutesToStart(deal, wall)
      if (startsIn !== null && startsIn <= soonMinutes)
        return {
          state: 'soon',
          text: t('starts', { when: when.moment(new Date(when.now + startsIn * 60_000).toISOString()) }),
        }
      return { state: 'closed', text: hours }
    }
    if (deal.end_time !== null && deal.open_now !== false)
      return { state: 'live', text: t('nowUntil', { time: deal.end_time }) }
    return when.opening(deal)
  }
  return { ...told(), ends, hours }
}

/** Whether a moment on the festival's clocks lies in the deal's days and hours; hours past midnight belong to the day they began. */
export function isWithinHours(
  deal: Pick<Deal, 'active_days' | 'start_time' | 'end_time'>,
  { weekday, minute }: { weekday: number; minute: number },
): boolean {
  const isDay = (day: number) => deal.active_days === null || deal.active_days.includes(((day + 6) % 7) + 1)
  if (deal.end_time === null) return isDay(weekday) && minute >= minutes(deal.start_time)
  const [start, end] = [minutes(deal.start_time), minutes(deal.end_time)]
  if (end > start) return isDay(weekday) && minute >= start && minute < end
  return (isDay(weekday) && minute >= start) || (isDay(weekday - 1) && minute < end)
}

/** Minutes until the deal's hours begin today; null when they do not. */
function minutesToStart(deal: Timed, { weekday, minute }: { weekday: number; minute: number }): number | null {
  const isToday = deal.active_days === null || deal.active_days.includes(weekday)
  const start = minutes(deal.start_time)
  return isToday && start > minute ? start - minute : null
}

const minutes = (time: string | null) => (time === null ? 0 : Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5)))

function hoursOf(deal: Timed, name: (day: number) => string): string | null {
  const days = deal.active_days && deal.active_days.length < 7 ? ranges(deal.active_days, name) : null
  const times = deal.end_time === null ? null : `${deal.start_time ?? '00:00'}–${deal.end_time}`
  return [days, times].filter(Boolean).join(' ') || null
}

/** [1,2,3,5] -> "Mon–Wed, Fri" */
function ranges(days: number[], name: (day: number) => string): string {
  const runs: number[][] = []
  for (const day of [...days].sort((a, b) => a - b)) {
    const last = runs.at(-1)
    if (last && last.at(-1) === day - 1) last.push(day)
    else runs.push([day])
  }
  return runs
    .map((run) => {
      if (run.length === 1) return name(run[0]!)
      return `${name(run[0]!)}${run.length === 2 ? ', ' : '–'}${name(run.at(-1)!)}`
    })
    .join(', ')
}
