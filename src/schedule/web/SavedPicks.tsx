import 'texts:accountForms,categories,deals,events,friends,saveEvent,saving,schedule'
import { useTranslations } from 'use-intl'
import { NotLoaded } from '../../accounts/web/guards.tsx'
import { scheduleOutbox, usePicks } from '../../kit/browser/picks.ts'
import { Button, ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { EmptyState } from '../../kit/browser/ui/EmptyState.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { Waiting } from '../../kit/browser/ui/Skeleton.tsx'
import { loginPageWithNext, page } from '../../site-map.ts'
import { AddToSchedule } from './AddToSchedule.tsx'
import { FriendsHere } from './FriendsHere.tsx'
import { useFriendMarks } from './FriendMark.tsx'
import { unpick, type EventPick } from './my-schedule.ts'
import { usePickedEvents } from './picked-events.ts'
import { SavableDays } from './SavableDays.tsx'
import { useTimes } from './use-times.ts'

/** The picks of this phone by day; loaded when a guest looks at them. */
export default function SavedPicks() {
  const t = useTranslations('schedule')
  const { span, isOver } = useTimes()
  const picks = usePicks<EventPick>(scheduleOutbox)
  const markOf = useFriendMarks()
  const { events, isWhole, refused } = usePickedEvents(picks.map(({ id }) => id))
  if (picks.length === 0)
    return (
      <EmptyState
        title={t('savedEmpty')}
        action={
          <ButtonLink href={page.events} variant="primary">
            {t('toEvents')}
          </ButtonLink>
        }
      >
        <p>{t('emptyText')}</p>
      </EmptyState>
    )
  const known = new Set(events?.map(({ event_id }) => event_id))
  const gone = isWhole ? picks.filter(({ id }) => !known.has(id)) : []
  return (
    <>
      {gone.length > 0 && (
        <Notice
          kind="warn"
          action={<Button onClick={() => unpick(gone.map(({ id }) => id))}>{t('removeGone')}</Button>}
        >
          {t('goneEvents', { titles: gone.map(({ title }) => title).join(', ') })}
        </Notice>
      )}
      <Notice
        action={
          <ButtonLink href={loginPageWithNext(page.userLogin, page.mySchedule)} variant="primary">
            {t('keepByLogin')}
          </ButtonLink>
        }
      >
        {t('savedOnPhone', { n: picks.length - gone.length })}
      </Notice>
      {refused && (
        <>
          <NotLoaded refused={refused} />
          <ul className="grid max-w-3xl gap-2">
            {picks.map((pick) => (
              <li key={pick.id} className="flex flex-wrap gap-x-3 rounded-6 border-2 border-rule bg-surface p-3">
                <span className="figure">{span(pick)}</span>
                <span className="min-w-0 flex-1 font-semibold [overflow-wrap:anywhere]">{pick.title}</span>
                <AddToSchedule event={{ ...pick, event_id: pick.id, status: 'scheduled' }} isOver={isOver(pick)} />
              </li>
            ))}
          </ul>
        </>
      )}
      {!events && !refused && <Waiting sizes={['h-40 max-w-3xl']} />}
      <FriendsHere />
      <SavableDays events={events ?? []} markOf={markOf} />
    </>
  )
}
