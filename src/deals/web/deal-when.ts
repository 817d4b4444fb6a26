import { useTranslations } from 'use-intl'
import { useWhen, type StatusText } from '../../kit/browser/when.ts'
import { atHead, rangeText } from '../../kit/shared/calendar.ts'
import type { Deal, DealTimes } from '../contract.ts'
import { dealTime, isGone, isOutside } from '../times.ts'

/** The last hours in which a deal can be used. */
const endingSoonMinutes = 180

export interface DealWhen extends StatusText {
  /** It certainly cannot be used now. */
  isOutside: boolean
  /** These are its last three usable hours. */
  endsSoon: boolean
  /** "Daily 17:00–19:00", "Mon–Fri 17:00–19:00"; null when it has no days and hours of its own. */
  hours: string | null
}

/**
 * When a deal can be used, in one line: "28 min left", "In 25 min", "Today 17:00–22:00", "Tonight …", "Tomorrow …", "Fri …".
 * With unknown hours of the place: its own days and hours and "Hours unknown". "Sold out" and the like where it cannot be used at all.
 * `best` puts deals in the same order (`deal_phase` in migrations/0014_deals_questions.sql).
 */
export function useDealWhen(deal: DealTimes & { status?: Deal['status'] }): DealWhen {
  const when = useWhen()
  const t = useTranslations('deals')
  const hours = hoursOf(deal, when.weekdayName, t('when.daily'))
  const gone = deal.status && isGone(deal.status) && deal.status
  const overIn = gone || deal.over_at === null ? null : when.minutesTo(deal.over_at)
  const endsSoon = overIn !== null && overIn > 0 && overIn <= endingSoonMinutes
  const line = (): StatusText => {
    if (gone) return { state: 'closed', text: t(`when.${gone}`) }
    const time = dealTime(deal, when.now)
    if (time.is === 'unknown') return hours ? { state: 'unknown', text: unsure(hours) } : when.opening(deal)
    if (time.is === 'past') return { state: 'closed', text: hours ? unsure(hours) : t('when.closed') }
    if (time.is === 'now') return { state: 'open', text: nowText(time.until) }
    if (time.is === 'soon') return { state: 'soon', text: when.moment(time.from) }
    return { state: 'closed', text: unsure(laterText(time.from, when.span(time.from, time.until))) }
  }
  const laterText = (from: string, span: string) => {
    const isTomorrow = when.daysTo(from) === 1
    if (when.isTodayOrTonight(from)) return t(isTomorrow ? 'when.tonight' : 'when.today', { span })
    return isTomorrow ? t('when.tomorrow', { span }) : `${when.dayName(from)} ${span}`
  }
  // "Daily 17:00–22:00 · Hours unknown"
  const unsure = (text: string) => (deal.open_now === null ? `${text} · ${when.opening(deal).text}` : text)
  const nowText = (until: string | null) => {
    const left = until === null ? Infinity : when.minutesTo(until)
    if (left <= 60) return t('when.left', { n: left })
    return left < 24 * 60 ? t('when.nowUntil', { time: when.time(until!) }) : t('when.now')
  }
  return { ...line(), isOutside: !!gone || isOutside(deal, when.now), endsSoon, hours }
}

function hoursOf(
  deal: Pick<Deal, 'active_days' | 'start_time' | 'end_time'>,
  name: (day: number) => string,
  daily: string,
): string | null {
  const isDaily = deal.active_days === null || deal.active_days.length === 7
  if (isDaily && deal.end_time === null) return null
  const times = deal.end_time === null ? '' : ` ${rangeText(deal.start_time ?? '00:00', deal.end_time)}`
  return `${isDaily ? daily : ranges(deal.active_days!, name)}${times}`
}

/** [1,2,3,5] -> "Mon–Wed, Fri" */
function ranges(days: number[], name: (day: number) => string): string {
  const runs: number[][] = []
  for (const day of [...days].sort((a, b) => a - b)) {
    const last = runs.at(-1)
    if (last && last.at(-1) === day - 1) last.push(day)
    else runs.push([day])
  }
  const text = runs
    .map((run) => {
      if (run.length === 1) return name(run[0]!)
      const [first, last] = [name(run[0]!), name(run.at(-1)!)]
      return run.length === 2 ? `${first}, ${last}` : rangeText(first, last)
    })
    .join(', ')
  return atHead(text)
}
