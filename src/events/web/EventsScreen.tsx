import type { ComponentProps } from 'react'
import CalendarDays from 'lucide-react/icons/calendar-days'
import LayoutGrid from 'lucide-react/icons/layout-grid'
import List from 'lucide-react/icons/list'
import MapIcon from 'lucide-react/icons/map'
import { useLoaderData } from 'react-router'
import { useTranslations } from 'use-intl'
import { late } from '../../kit/browser/late.tsx'
import { usePacked } from '../../kit/browser/packed.ts'
import { PageHead } from '../../kit/browser/PageHead.tsx'
import { ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { EmptyState } from '../../kit/browser/ui/EmptyState.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { Segments } from '../../kit/browser/ui/Segments.tsx'
import { WaveRule } from '../../kit/browser/ui/WaveRule.tsx'
import { useRefreshWhenStale } from '../../kit/browser/use-refresh-when-stale.ts'
import { dealsMapPage, eventsPage, page } from '../../site-map.ts'
import { overAt, type CardEvent } from './card-event.ts'
import { EventFilters } from './EventFilters.tsx'
import { EventGrid } from './EventGrid.tsx'
import { EventItem } from './EventItem.tsx'
import { eventsWith, narrowing, type EventQuery } from './event-query.ts'
import { loadEvents, type EventLists } from './load-events.ts'
import { NowNext } from './NowNext.tsx'
import { useEventWhen } from './use-event-when.ts'
import { groupBy } from '../../kit/shared/group-by.ts'

const fetchGrid = () => import('./EventGrid.tsx').then((part) => part.EventGrid)
/** Loaded apart, since most people look at the list; a page with the timetable hydrates it at once. */
const Timetable = import.meta.env.SSR
  ? EventGrid
  : (await (location.search.includes('view=grid') && fetchGrid().catch(() => null))) ||
    late<ComponentProps<typeof EventGrid>>(() => fetchGrid().then((part) => ({ default: part })))

export { loadEvents as loader, loadEvents as clientLoader }

export default function EventsScreen() {
  const shown = useLoaderData<typeof loadEvents>()
  const { query, view, days, day, faults } = shown
  const [firstDays, earlierDays] = [false, true].map((is) => days.filter(({ is_earlier }) => is_earlier === is))
  const { grid, events, nowNext } = usePacked(shown.lists)
  const t = useTranslations('events')
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
      <section className="river relative overflow-clip border-b-2 border-rule bg-deep">
        <div className="shell relative grid grid-cols-1 gap-5 pt-8 pb-14 md:pb-20 lg:pt-12">
          <h1 className="poster-type text-paper">{t('title')}</h1>
          <EventFilters query={query} stages={shown.stages} categories={shown.categories} />
        </div>
        <WaveRule className="absolute inset-x-0 bottom-1 text-coral md:bottom-4" />
      </section>
      <div className="shell grid grid-cols-1 gap-6 py-6 md:py-10">
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
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
              segments={[
                {
                  key: 'list',
                  href: eventsWith(query, { view: null }),
                  current: view === 'list',
                  label: (
                    <>
                      <List aria-hidden="true" className="size-5" />
                      {t('list')}
                    </>
                  ),
                },
                {
                  key: 'grid',
                  href: eventsWith(query, { view: 'grid' }),
                  current: view === 'grid',
                  label: (
                    <>
                      <LayoutGrid aria-hidden="true" className="size-5" />
                      {t('grid')}
                    </>
                  ),
                },
              ]}
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
        {view === 'list' && nowNext.length > 0 && <NowNext stages={nowNext} />}
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
          <output className="figure text-xl">{t('count', { n: shown.total })}</output>
          {view === 'list' && firstNotOver(events, when.now) !== null && (
            <a href="#now" className="link inline-flex min-h-11 items-center font-semibold print-hidden">
              {t('jump')}
            </a>
          )}
        </div>
        {Object.keys(faults).length > 0 && (
          <Notice kind="warn" title={t('dropped')}>
            <ul>
              {Object.entries(faults).map(([name, text]) => (
                <li key={name}>{text}</li>
              ))}
            </ul>
          </Notice>
        )}
        {/* printed, where the tabs are hidden */}
        {day && <h2 className="hidden text-2xl print:block">{when.day(day)}</h2>}
        {(grid ?? events).length === 0 ? (
          <Nothing isEmpty={days.length === 0} query={query} />
        ) : grid ? (
          <Timetable key={day} events={grid} stages={shown.stages} />
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
            {query.earlier && <ButtonLink href={eventsWith(query, { earlier: null })}>{t('comingEvents')}</ButtonLink>}
          </p>
        )}
        <p className="flex flex-wrap gap-x-6 gap-y-1 text-sm print-hidden">
          <a
            href={`/api/events.ics${day ? `?day=${day}` : ''}`}
            className="link inline-flex min-h-11 items-center gap-2"
          >
            <CalendarDays aria-hidden="true" className="size-4" />
            {t('calendar')}
          </a>
          <a href={dealsMapPage({ layers: 'events,places' })} className="link inline-flex min-h-11 items-center gap-2">
            <MapIcon aria-hidden="true" className="size-4" />
            {t('onMap')}
          </a>
        </p>
      </div>
    </>
  )
}

/** Groups by hour of the start; a list of several days also by day. */
function EventList({ events }: { events: EventLists['events'] }) {
  const when = useEventWhen()
  const now = firstNotOver(events, when.now)
  const byDay = [...groupBy(events, (event) => event.festival_day ?? '')]
  return byDay.map(([day, ofDay]) => (
    <section key={day} aria-label={day ? when.day(day) : undefined} className="grid gap-3">
      {day && <h2 className="text-2xl">{when.day(day)}</h2>}
      <ul className="grid grid-cols-1 gap-3 lg:grid-cols-2">
        {ofDay.map((event) => (
          <li
            key={event.event_id}
            id={event.event_id === now ? 'now' : undefined}
            className="drawn-when-near min-w-0 scroll-mt-24"
          >
            <EventItem event={event} headingLevel="h3" />
          </li>
        ))}
      </ul>
    </section>
  ))
}

/** The first event that is not over, after one that is; null: all or none are over. */
function firstNotOver(events: readonly CardEvent[], now: number): string | null {
  const first = events.find((event) => overAt(event) > now)
  return first && first !== events[0] ? first.event_id : null
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
          <ButtonLink href={isEmpty ? page.deals : page.events}>
            {isEmpty ? t('toDeals') : t('wholeProgramme')}
          </ButtonLink>
        </p>
      }
    >
      <p>{isEmpty ? t('noneYetText') : t('nothingText')}</p>
    </EmptyState>
  )
}
