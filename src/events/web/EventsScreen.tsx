import type { ComponentProps, ReactNode } from 'react'
import CalendarDays from 'lucide-react/icons/calendar-days'
import LayoutGrid from 'lucide-react/icons/layout-grid'
import List from 'lucide-react/icons/list'
import MapIcon from 'lucide-react/icons/map'
import { useLoaderData } from 'react-router'
import { useTranslations } from 'use-intl'
import { late, suspended } from '../../kit/browser/late.tsx'
import { usePacked } from '../../kit/browser/packed.ts'
import { PageHead } from '../../kit/browser/PageHead.tsx'
import { ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { EmptyState } from '../../kit/browser/ui/EmptyState.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { ListPage } from '../../kit/browser/ui/Page.tsx'
import { Segments } from '../../kit/browser/ui/Segments.tsx'
import { useRefreshWhenStale } from '../../kit/browser/use-refresh-when-stale.ts'
import Answer from '../../places/web/NeedAnswer.tsx'
import { dealsMapPage, eventsPage, page, searchPage } from '../../site-map.ts'
import { EventFilters } from './EventFilters.tsx'
import { EventGrid } from './EventGrid.tsx'
import { EventList } from './EventList.tsx'
import { eventsWith, narrowing, type EventQuery } from './event-query.ts'
import { loadEvents } from './load-events.ts'
import { DayOver } from './DayOver.tsx'
import { useEventWhen } from './use-event-when.ts'

/** Loaded when needed; servers render it at once. */
const NeedAnswer = import.meta.env.SSR ? suspended(Answer) : late(() => import('../../places/web/NeedAnswer.tsx'))

const fetchGrid = () => import('./EventGrid.tsx').then((part) => part.EventGrid)
/** Loaded apart, since most people look at the list; a page with the timetable hydrates it at once. */
const Timetable = import.meta.env.SSR
  ? EventGrid
  : (await (location.search.includes('view=grid') && fetchGrid().catch(() => null))) ||
    late<ComponentProps<typeof EventGrid>>(() => fetchGrid().then((part) => ({ default: part })))

export { loadEvents as loader, loadEvents as clientLoader }

/** `aboveTimetable`: parts by rooms above. */
export default function EventsScreen({ aboveTimetable }: { aboveTimetable?: ReactNode }) {
  const shown = useLoaderData<typeof loadEvents>()
  const { query, view, days, day, faults } = shown
  const [firstDays, earlierDays] = [false, true].map((is) => days.filter(({ is_earlier }) => is_earlier === is))
  const { grid, events } = usePacked(shown.lists)
  const t = useTranslations('events')
  const frame = useTranslations('frame')
  const when = useEventWhen()
  const isNarrowed = narrowing.some((name) => query[name])
  const isOneMonth = new Set(days.map((each) => each.day.slice(0, 7))).size < 2
  const dayTab = (each: { day: string }) => ({
    key: each.day,
    href: eventsWith(query, { day: each.day, earlier: null }),
    current: each.day === day,
    // two months may have a day of the same number
    label: (isOneMonth ? when.shortDay : when.day)(each.day),
  })
  useRefreshWhenStale(shown)
  return (
    <>
      <PageHead
        title={t('title')}
        description={t('description')}
        address={eventsPage({ day: query.day, category: query.category })}
        hidden={isNarrowed && !query.category}
        kind="CollectionPage"
      />
      <ListPage title={t('title')}>
        <div className="grid grid-cols-1 gap-4 md:gap-6">
          <EventFilters query={query} stages={shown.stages} categories={shown.categories} />
          <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
            {firstDays!.length > 0 && (
              <Segments
                label={t('days')}
                segments={[
                  ...(day === null
                    ? [{ key: 'all', href: eventsWith(query, { day: null }), current: true, label: t('allDays') }]
                    : []),
                  ...firstDays!.map(dayTab),
                ]}
              />
            )}
            {days.length > 0 && (
              <Segments
                label={t('view')}
                segments={(['list', 'grid'] as const).map((each) => ({
                  key: each,
                  href: eventsWith(query, { view: each === 'grid' ? each : null }),
                  current: view === each,
                  label: (
                    <>
                      {each === 'grid' ? (
                        <LayoutGrid aria-hidden="true" className="size-5" />
                      ) : (
                        <List aria-hidden="true" className="size-5" />
                      )}
                      <span className="max-sm:sr-only">{t(each)}</span>
                    </>
                  ),
                }))}
              />
            )}
          </div>
          {earlierDays!.length > 0 && (
            <details open={earlierDays!.some((each) => each.day === day) || undefined} className="print-hidden">
              <summary className="link inline-flex min-h-11 cursor-pointer items-center font-semibold">
                {t('earlierDays', { n: earlierDays!.length })}
              </summary>
              <Segments label={t('earlierDays', { n: earlierDays!.length })} segments={earlierDays!.map(dayTab)} />
            </details>
          )}
          {shown.daysLeftOut > 0 && <p className="text-ink-soft">{t('daysLeftOut', { n: shown.daysLeftOut })}</p>}
          <output className={isNarrowed ? 'figure text-xl' : 'sr-only'}>{t('count', { n: shown.total })}</output>
          {Object.keys(faults).length > 0 && (
            <Notice kind="warn" title={t('dropped')}>
              <ul>
                {Object.entries(faults).map(([name, text]) => (
                  <li key={name}>{text}</li>
                ))}
              </ul>
            </Notice>
          )}
          {/* for screen readers, and printed, where the tabs are hidden */}
          {day && <h2 className="sr-only text-2xl print:not-sr-only">{when.day(day)}</h2>}
          {shown.need && <NeedAnswer found={shown.need} />}
          {day && <DayOver day={day} days={days} events={grid ?? events} query={query} />}
          {(grid ?? events).length === 0 ? (
            <Nothing isEmpty={days.length === 0} query={query} />
          ) : grid ? (
            <>
              {aboveTimetable}
              <Timetable key={day} events={grid} stages={shown.stages} />
            </>
          ) : (
            <EventList events={events} />
          )}
          {(shown.next || shown.earlier || query.earlier) && (
            <p className="flex flex-wrap justify-center gap-3">
              {shown.next && (
                <ButtonLink rel="next" href={eventsPage({ ...query, after: shown.next })}>
                  {t('more')}
                </ButtonLink>
              )}
              {shown.earlier ? (
                <ButtonLink href={eventsWith(query, { earlier: 'true' })}>
                  {t('earlierEvents', { n: shown.earlier })}
                </ButtonLink>
              ) : null}
              {query.earlier && (
                <ButtonLink href={eventsWith(query, { earlier: null })}>{t('comingEvents')}</ButtonLink>
              )}
            </p>
          )}
          <p className="flex flex-wrap gap-x-6 gap-y-1 text-sm print-hidden">
            {query.q && (
              <a href={searchPage({ q: query.q, first: 'events' })} className="link inline-flex min-h-11 items-center">
                {frame('searchAll', { q: query.q })}
              </a>
            )}
            <a
              href={`/api/events.ics${day ? `?day=${day}` : ''}`}
              className="link inline-flex min-h-11 items-center gap-2"
            >
              <CalendarDays aria-hidden="true" className="size-4" />
              {t('calendar')}
            </a>
            <a
              href={dealsMapPage({ layers: 'events,places' })}
              className="link inline-flex min-h-11 items-center gap-2"
            >
              <MapIcon aria-hidden="true" className="size-4" />
              {t('onMap')}
            </a>
          </p>
        </div>
      </ListPage>
    </>
  )
}

function Nothing({ isEmpty, query }: { isEmpty: boolean; query: EventQuery }) {
  const t = useTranslations('events')
  return (
    <EmptyState
      title={isEmpty ? t('noneYet') : t('nothing')}
      action={
        <p className="flex flex-wrap justify-center gap-3">
          {!isEmpty && query.day && (
            <ButtonLink href={eventsWith(query, { day: null })} variant="primary">
              {t('everyDay')}
            </ButtonLink>
          )}
          <ButtonLink
            href={isEmpty ? page.deals : page.events}
            variant={isEmpty || !query.day ? 'primary' : 'secondary'}
          >
            {isEmpty ? t('toDeals') : t('wholeProgramme')}
          </ButtonLink>
        </p>
      }
    >
      <p>{isEmpty ? t('noneYetText') : t('nothingText')}</p>
    </EmptyState>
  )
}
