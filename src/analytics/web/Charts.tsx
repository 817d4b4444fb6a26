import type { ReactNode } from 'react'
import { useLocale, useTimeZone, useTranslations } from 'use-intl'
import { Tabs } from '../../kit/browser/ui/Segments.tsx'
import { atHead, clockText, dateFormat, dayText, rangeText, wallIn, weekdayName } from '../../kit/shared/calendar.ts'
import { useNumbers } from '../../kit/browser/measures.ts'
import type { Analytics, Figures } from '../contract.ts'
import { BarChart } from './BarChart.tsx'
import { highest, ratingTrend, shareOf, steps, type Step } from './findings.ts'
import { RatingChart } from './RatingChart.tsx'

/** One step by day and by hour, and the ratings: each with its finding in a sentence, a chart, and a table. */
export function Charts({ analytics, shown, to }: { analytics: Analytics; shown: Step; to: (step: Step) => string }) {
  const t = useTranslations('analytics')
  const { number, percent, mean } = useNumbers()
  const day = useDayNames()
  const step = t(`steps.${shown}`)
  const days = analytics.buckets.map((bucket) => ({
    label: day.short(bucket.at),
    name: day.row(bucket.at),
    spoken: day.long(bucket.at),
    value: bucket[shown],
    figures: bucket,
  }))
  const hours = analytics.by_hour.map((of) => ({
    label: String(of.hour),
    name: rangeText(hourText(of.hour), hourText((of.hour + 1) % 24)),
    value: of[shown],
    figures: of,
  }))
  const bestDay = highest(days)
  const bestHour = highest(hours)
  const trend = ratingTrend(analytics.ratings)
  const rowOf = ({ name, figures }: { name: string; figures: Figures }) => ({
    name,
    cells: steps.map((each) => number(figures[each])),
  })
  const stepNames = steps.map((each) => t(`steps.${each}`))
  return (
    <>
      <div className="grid grid-cols-1 gap-4">
        <Tabs
          label={t('chartOf')}
          segments={steps.map((each) => ({
            key: each,
            href: to(each),
            label: t(`steps.${each}`),
            current: each === shown,
          }))}
        />
        <Finding
          id="by-day"
          text={
            bestDay && days.length > 1
              ? t('bestDay', { step, day: bestDay.spoken, count: bestDay.value })
              : t('noDay', { step, count: analytics.total[shown] })
          }
        >
          {(name) => (
            <>
              <BarChart bars={days.map((bar) => ({ ...bar, isTop: bar === bestDay }))} name={name} />
              <Numbers heads={[t('day'), ...stepNames]} rows={days.map(rowOf)} />
            </>
          )}
        </Finding>
      </div>
      <Finding
        id="by-hour"
        text={
          bestHour
            ? t('bestHour', {
                step,
                hour: bestHour.name,
                share: percent(shareOf(bestHour.value, analytics.total[shown]) ?? 0),
              })
            : t('noDay', { step, count: 0 })
        }
      >
        {(name) => (
          <>
            <BarChart bars={hours.map((bar) => ({ ...bar, isTop: bar === bestHour }))} name={name} />
            <Numbers heads={[t('hour'), ...stepNames]} rows={hours.map(rowOf)} />
          </>
        )}
      </Finding>
      {trend && (
        <Finding
          id="ratings"
          text={t('ratings', {
            mean: mean(trend.last),
            count: trend.came,
            way: trend.last > trend.first ? 'up' : trend.last < trend.first ? 'down' : 'same',
            before: mean(trend.first),
          })}
        >
          {(name) => (
            <>
              <RatingChart days={analytics.ratings} name={name} />
              <Numbers
                heads={[t('day'), t('newRatings'), t('meanRating')]}
                rows={analytics.ratings.map(({ at, count, mean: stars }) => ({
                  name: day.row(at),
                  cells: [number(count), stars === null ? '–' : mean(stars)],
                }))}
              />
            </>
          )}
        </Finding>
      )}
    </>
  )
}

/** "20/06" below a bar, "Sat 20 June" in a row and in a sentence. */
function useDayNames() {
  const locale = useLocale()
  const timeZone = useTimeZone() ?? 'Europe/Zurich'
  const short = dateFormat(locale, { timeZone, day: 'numeric', month: 'numeric' })
  const long = (iso: string) => {
    const wall = wallIn(timeZone, Date.parse(iso))
    return `${weekdayName(locale, wall.weekday)} ${dayText(locale, wall)}`
  }
  return { short: (iso: string) => short.format(new Date(iso)), long, row: (iso: string) => atHead(long(iso)) }
}

const hourText = (hour: number) => clockText({ minute: hour * 60 })

function Finding({ id, text, children }: { id: string; text: string; children: (name: string) => ReactNode }) {
  return (
    <section aria-labelledby={id} className="grid grid-cols-1 gap-3">
      <h2 id={id} className="max-w-[40ch] text-xl text-balance wrap-anywhere">
        {text}
      </h2>
      {children(text)}
    </section>
  )
}

/** The table behind a chart. */
export function Numbers({
  heads: [first, ...heads],
  rows,
}: {
  heads: string[]
  rows: { name: string; cells: string[] }[]
}) {
  const t = useTranslations('analytics')
  return (
    <details>
      <summary className="link inline-flex min-h-11 w-fit cursor-pointer items-center">{t('table')}</summary>
      {/* focusable, so that a keyboard can scroll it */}
      <section
        {...{ tabIndex: 0, role: 'group' }}
        aria-label={t('table')}
        className="overflow-x-auto rounded-6 border-2 border-rule bg-surface"
      >
        <table className="w-full border-collapse text-left">
          <thead className="border-b-2 border-rule">
            <tr>
              <th scope="col" className="px-3 py-2 text-sm font-semibold">
                {first}
              </th>
              {heads.map((head) => (
                <th key={head} scope="col" className="px-3 py-2 text-right text-sm font-semibold">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, cells }) => (
              <tr key={name} className="border-b border-hair last:border-b-0">
                <th scope="row" className="px-3 py-1.5 font-normal whitespace-nowrap">
                  {name}
                </th>
                {cells.map((cell, column) => (
                  <td key={heads[column]} className="px-3 py-1.5 text-right">
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  )
}
