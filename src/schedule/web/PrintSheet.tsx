import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { ScheduleEntry } from '../contract.ts'
import { byFestivalDay } from '../times.ts'
import { placeOf, printLayout } from './print-layout.ts'
import { useTimes } from './use-times.ts'

/** The sheet is rendered this long after the page, so that it does not delay what is visible. */
const laterMs = 500

/** The schedule on one A4 page, only in print. The more entries, the smaller the type. */
export function PrintSheet({ entries }: { entries: readonly ScheduleEntry[] }) {
  const [isLater, setLater] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLater(true), laterMs)
    return () => clearTimeout(timer)
  }, [])
  return isLater && <Sheet entries={entries} />
}

function Sheet({ entries }: { entries: readonly ScheduleEntry[] }) {
  const t = useTranslations('schedule')
  const { day, span, otherDay } = useTimes()
  const days = byFestivalDay(entries, ({ event }) => event.festival_day)
  const { size, columns, notes, places, times } = printLayout(entries)
  return (
    <section className="hidden leading-snug print:block">
      <h1 className="border-b-2 border-rule pb-1 text-[22pt] leading-tight">{t('title')}</h1>
      {/* the CSP allows `style` here, because this sheet is never rendered on the server */}
      <div className="gap-6 pt-2" style={{ fontSize: `${size}pt`, columns }}>
        {days.map(([festivalDay, ofDay]) => (
          <section key={festivalDay} className="pb-2">
            <h2 className="pb-1 text-[1.3em] leading-tight">{day(festivalDay)}</h2>
            <ol>
              {ofDay.map(({ entry_id, event, priority, note }) => (
                <li
                  key={entry_id}
                  className={`break-inside-avoid border-t border-hair py-[0.25em] ${times ? 'grid grid-cols-[9.4em_1fr] gap-x-2' : ''}`}
                >
                  <span
                    className={`figure ${times ? '' : 'pr-1 text-ink-soft'} ${event.status === 'cancelled' ? 'line-through' : ''}`}
                  >
                    {otherDay(event)} {span(event)}
                  </span>{' '}
                  <span className="[overflow-wrap:anywhere]">
                    <strong className={event.status === 'cancelled' ? 'line-through' : ''}>{event.title}</strong>
                    {priority === 'must' && <span> ({t('priority.must')})</span>}
                    {places && <span className="block">{placeOf(event)}</span>}
                    {notes && note && <em className="block">{note}</em>}
                  </span>
                </li>
              ))}
            </ol>
          </section>
        ))}
      </div>
    </section>
  )
}
