import { useLocale, useTranslations } from 'use-intl'
import { useWhen } from '../kit/browser/when.ts'
import { daysText, daysTo, type FestivalDays } from './festival-days.ts'

/** "In 3 days: Fri 20 – Sun 22 November", "On now, until Sun 22 November", "Over since Sun 22 November". */
export function FestivalDate({ days, className = '' }: { days: FestivalDays; className?: string }) {
  const t = useTranslations('festival')
  const locale = useLocale()
  const { wall } = useWhen()
  const left = daysTo(days, wall())
  const end = daysText(locale, { start: days.end, end: days.end })
  // also in its last night, which is the day after
  const isLastDay = wall().isoDay >= days.end
  const dateTime = days.start === days.end ? days.start : `${days.start}/${days.end}`
  const text = {
    time: (text: React.ReactNode) => <time dateTime={dateTime}>{text}</time>,
    end,
    days: daysText(locale, days),
  }
  return (
    <span className={className}>
      {left < 0
        ? t.rich('over', text)
        : left > 0
          ? t.rich('inDays', { ...text, n: left })
          : t.rich(isLastDay ? 'lastDay' : 'on', text)}
    </span>
  )
}
