import { useTranslations } from 'use-intl'
import { useHydrated } from '../../kit/browser/hydrated.ts'
import { PageHead } from '../../kit/browser/PageHead.tsx'
import { usePicks } from '../../kit/browser/picks.ts'
import { useSession } from '../../accounts/web/session.ts'
import { ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { EmptyState } from '../../kit/browser/ui/EmptyState.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { Skeleton } from '../../kit/browser/ui/Skeleton.tsx'
import { WaveRule } from '../../kit/browser/ui/WaveRule.tsx'
import { useAnswer } from '../../kit/browser/use-answer.ts'
import { loginPageWithNext, page } from '../../site-map.ts'
import { AddToSchedule } from './AddToSchedule.tsx'
import { listEvents } from './calls.ts'
import { DayTimeline } from './DayTimeline.tsx'
import { EventLine } from './EventLine.tsx'
import { eventPicks, type EventPick } from './my-schedule.ts'
import { useTimes } from './use-times.ts'

/** What a guest has picked on this phone, with clashes and ways, as it is now in the programme. */
export function SavedEvents() {
  const t = useTranslations('schedule')
  const alive = useHydrated()
  const session = useSession()
  return (
    <>
      <PageHead title={t('savedTitle')} description={t('savedDescription')} hidden />
      <div className="river overflow-clip bg-river">
        <div className="shell grid gap-2 pt-8 pb-4 md:pt-12">
          <h1 className="text-paper">{t('savedTitle')}</h1>
          <p className="text-lg text-on-deep">{t('savedLead')}</p>
        </div>
        <WaveRule className="text-coral" />
      </div>
      <div className="shell grid grid-cols-1 gap-6 py-6 md:py-10">
        <noscript>
          <Notice kind="warn">{t('noScript')}</Notice>
        </noscript>
        {!alive ? (
          <Waiting />
        ) : session === 'user' ? (
          <ButtonLink href={page.mySchedule} variant="primary" size="lg" className="justify-self-start">
            {t('title')}
          </ButtonLink>
        ) : (
          <Picks />
        )}
      </div>
    </>
  )
}

const Waiting = () => <Skeleton className="h-40 max-w-3xl noscript:hidden" />

function Picks() {
  const t = useTranslations('schedule')
  const { day, span } = useTimes()
  const picks = usePicks<EventPick>(eventPicks)
  const ids = picks.map(({ id }) => id)
  const { body, refused } = useAnswer(listEvents, ids.length > 0 ? { query: { ids: ids.join(',') } } : null)
  if (picks.length === 0)
    return (
      <EmptyState
        title={t('savedEmpty')}
        action={
          <ButtonLink href={page.events} variant="primary" size="lg">
            {t('toEvents')}
          </ButtonLink>
        }
      >
        <p>{t('emptyText')}</p>
      </EmptyState>
    )
  const known = new Set(body?.map(({ event_id }) => event_id))
  const gone = body ? picks.filter(({ id }) => !known.has(id)) : []
  const shown = (body ?? []).filter(({ event_id }) => ids.includes(event_id))
  const days = [...Map.groupBy(shown, (event) => event.festival_day)].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return (
    <>
      <Notice
        action={
          <ButtonLink href={loginPageWithNext(page.userLogin, page.mySchedule)} variant="primary">
            {t('keepByLogin')}
          </ButtonLink>
        }
      >
        {t('savedOnPhone', { n: picks.length })}
      </Notice>
      {refused && (
        <>
          <Notice kind={refused.status === 0 ? 'offline' : 'warn'}>{refused.error || t('loadFailed')}</Notice>
          <ul className="grid max-w-3xl gap-2">
            {picks.map((pick) => (
              <li key={pick.id} className="flex flex-wrap gap-x-3 rounded-6 border-2 border-rule bg-surface p-3">
                <span className="figure">{span(pick)}</span>
                <span className="min-w-0 flex-1 font-semibold [overflow-wrap:anywhere]">{pick.title}</span>
                <AddToSchedule event={{ ...pick, event_id: pick.id, status: 'scheduled' }} />
              </li>
            ))}
          </ul>
        </>
      )}
      {!body && !refused && <Waiting />}
      {days.map(([festivalDay, ofDay]) => (
        <section key={festivalDay} aria-label={day(festivalDay)} className="grid max-w-3xl gap-4">
          <h2>{day(festivalDay)}</h2>
          <DayTimeline events={ofDay}>
            {(event) => <EventLine event={event} beside={<AddToSchedule event={event} />} />}
          </DayTimeline>
        </section>
      ))}
      {gone.length > 0 && (
        <p className="text-ink-soft">{t('goneEvents', { titles: gone.map(({ title }) => title).join(', ') })}</p>
      )}
    </>
  )
}
