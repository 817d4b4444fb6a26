import { useLocale, useTranslations } from 'use-intl'
import { useWhen } from '../kit/browser/when.ts'
import { daysText, daysTo, type FestivalDays } from './festival-days.ts'

/** "Fri 20 – Sun 22 November, in 3 days": when the festival is, and how far that is from today. */
export function FestivalDate({ days, className = '' }: { days: FestivalDays; className?: string }) {
  const t = useTranslations('festival')
  const locale = useLocale()
  const left = daysTo(days, useWhen().wall())
  return (
    <span className={className}>
      <time dateTime={days.start === days.end ? days.start : `${days.start}/${days.end}`}>
        {daysText(locale, days)}
      </time>
      {', '}
      <span className="whitespace-nowrap">
        {left < 0 ? t('over') : left === 0 ? t('today') : t('inDays', { n: left })}
      </span>
    </span>
  )
}
