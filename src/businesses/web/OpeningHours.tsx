import { useLocale, useTranslations } from 'use-intl'
import { useWhen } from '../../kit/browser/when.ts'
import { dayText, monthName, rangeText, wallIn, weekdayName, type Wall } from '../../kit/shared/calendar.ts'
import type { DaySpan, OpeningWeek, PublicBusiness } from '../contract.ts'

type Day = OpeningWeek['seasons'][number]['days'][number]

/**
 * Opening hours: a table for each season, and the days of the year that differ. A text that no table can hold is shown as
 * written, one rule a line.
 */
export function OpeningHours({ business }: { business: Pick<PublicBusiness, 'open_hours' | 'opening_week'> }) {
  const { open_hours, opening_week: week } = business
  if (!week) return <span className="whitespace-pre-line">{open_hours?.replace(/;\s*/g, '\n')}</span>
  return (
    <div className="grid gap-4">
      {week.seasons.map((season, n) => (
        <Season key={n} season={season} exceptions={n === week.seasons.length - 1 ? week.exceptions : []} />
      ))}
    </div>
  )
}

function Season({
  season: { dates, days },
  exceptions,
}: {
  season: OpeningWeek['seasons'][number]
  exceptions: OpeningWeek['exceptions']
}) {
  const t = useTranslations('business')
  const { wall } = useWhen()
  const locale = useLocale()
  const datesText = useDates()
  // "today" is marked only without seasons: the season of today is not worked out
  const today = dates.length === 0 ? wall().weekday : 0
  return (
    <table className="w-full max-w-sm border-collapse text-left">
      {dates.length > 0 && (
        <caption className="pb-1 text-left font-semibold first-letter:uppercase">
          {dates.map(datesText).join(', ')}
        </caption>
      )}
      <tbody>
        {grouped(days).map(({ first, last, spans }) => {
          const isToday = first.number <= today && today <= last.number
          return (
            <tr
              key={first.day}
              className="border-b border-hair last:border-b-0 aria-[current]:font-bold"
              aria-current={isToday ? 'date' : undefined}
            >
              <Head>
                {first.day === 'PH'
                  ? t('publicHolidays')
                  : first === last
                    ? weekdayName(locale, first.number, 'long')
                    : rangeText(weekdayName(locale, first.number, 'long'), weekdayName(locale, last.number, 'long'))}
              </Head>
              <Times spans={spans} />
            </tr>
          )
        })}
        {exceptions.map(({ from, until, spans }) => (
          <tr key={from} className="border-b border-hair last:border-b-0">
            <Head>{datesText({ from, until })}</Head>
            <Times spans={spans} />
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Head({ children }: { children: string }) {
  return (
    <th scope="row" className="py-1.5 pr-4 align-top font-[inherit] first-letter:uppercase">
      {children}
    </th>
  )
}

function Times({ spans }: { spans: DaySpan[] }) {
  const t = useTranslations('business')
  const text = ({ opens, closes, open_end }: DaySpan) => {
    if (opens === '00:00' && closes === '24:00') return t('aroundTheClock')
    const time = rangeText(opens, closes)
    return open_end ? t('openEnd', { time }) : time
  }
  return (
    <td className="py-1.5 text-right align-top font-normal [[aria-current]_&]:font-bold">
      {spans.length === 0 ? (
        <span className="text-ink-soft">{t('closed')}</span>
      ) : (
        spans.map((span) => (
          <span key={span.opens} className="block whitespace-nowrap">
            {text(span)}
          </span>
        ))
      )}
    </td>
  )
}

/** Groups neighbouring days with the same hours; holidays stay apart. */
function grouped(days: Day[]) {
  const groups: { first: Day & { number: number }; last: Day & { number: number }; spans: DaySpan[] }[] = []
  for (const [index, day] of days.entries()) {
    const numbered = { ...day, number: index + 1 }
    const group = groups.at(-1)
    if (group && day.day !== 'PH' && JSON.stringify(group.spans) === JSON.stringify(day.spans)) group.last = numbered
    else groups.push({ first: numbered, last: numbered, spans: day.spans })
  }
  return groups
}

/** "April–September" for whole months, else "15 May – 10 September", or one day. */
function useDates() {
  const locale = useLocale()
  return ({ from, until }: { from: string; until: string }) => {
    const [first, last] = [from, until].map((date) => wallIn('UTC', Date.parse(`2024-${date}T00:00:00Z`))) as [
      Wall,
      Wall,
    ]
    const isWhole = first.day === 1 && last.day === new Date(Date.UTC(2024, last.month, 0)).getUTCDate()
    const text = (day: Wall) => (isWhole ? monthName(locale, day.month) : dayText(locale, day))
    const [begin, end] = [text(first), text(last)]
    return begin === end ? begin : rangeText(begin, end)
  }
}
