import 'texts:accountForms,categories,deals,events,friends,saveEvent,saving,schedule'
import { useState } from 'react'
import CalendarPlus from 'lucide-react/icons/calendar-plus'
import Users from 'lucide-react/icons/users'
import { useLoaderData, useParams, useSearchParams, type LoaderFunctionArgs } from 'react-router'
import { useTranslations } from 'use-intl'
import { Badge } from '../../brand/Badge.tsx'
import type { ListedEvent } from '../../events/contract.ts'
import { cardEvent } from '../../events/web/card-event.ts'
import { EventItem } from '../../events/web/EventItem.tsx'
import { askOrFail } from '../../kit/browser/ask.ts'
import { useHydrated } from '../../kit/browser/hydrated.ts'
import { PageHead } from '../../kit/browser/PageHead.tsx'
import { addPicks, picksMost, picksOf, scheduleOutbox, usePicks } from '../../kit/browser/picks.ts'
import { useSession } from '../../accounts/web/session.ts'
import { Button, ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { EmptyState } from '../../kit/browser/ui/EmptyState.tsx'
import { Segments } from '../../kit/browser/ui/Segments.tsx'
import { Toast, useToast } from '../../kit/browser/ui/Toast.tsx'
import { AccountPage } from '../../kit/browser/ui/Page.tsx'
import { page, savedEventsPage, sharedSchedulePage } from '../../site-map.ts'
import { byFestivalDay, inOrder } from '../times.ts'
import { AddToSchedule } from './AddToSchedule.tsx'
import { getShared } from '../contract.ts'
import { bringIn, useMySchedule, type EventPick } from './my-schedule.ts'
import { SavableDays } from './SavableDays.tsx'
import { SavingHost } from './SavingHost.tsx'
import { OverlayButton } from './OverlayButton.tsx'
import { nextToBring, usePickedEvents } from './picked-events.ts'
import { useTimes } from './use-times.ts'

/** Not cached: the owner may stop sharing at any time. */
export const headers = () => ({ 'Cache-Control': 'no-store' })

async function load({ context, params }: LoaderFunctionArgs) {
  const { body } = await askOrFail(context, getShared, { params: { token: params['token'] ?? '' } })
  return body
}
export { load as loader, load as clientLoader }

/** Somebody's schedule for friends, compared with one's own. */
export default function SharedScheduleScreen() {
  const t = useTranslations('schedule')
  const shared = useLoaderData<typeof load>()
  const { owner, entries } = shared
  const { token = '' } = useParams()
  const [query] = useSearchParams()
  const mine = useMineHere()
  const isBoth = query.get('view') === 'both' && mine !== null
  const address = sharedSchedulePage(token)
  const events = entries.map(({ event }) => event)
  return (
    <>
      <PageHead title={t('sharedTitle', { owner })} description={t('sharedDescription', { owner })} hidden />
      <AccountPage title={t('sharedTitle', { owner })} lead={t('sharedLead', { n: entries.length })}>
        {entries.length === 0 ? (
          <EmptyState
            title={t('sharedEmpty')}
            action={
              <ButtonLink href={page.events} variant="primary">
                {t('toEvents')}
              </ButtonLink>
            }
          />
        ) : (
          <>
            <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 print-hidden">
              {mine !== null && (
                <Segments
                  label={t('views')}
                  segments={[
                    { key: 'theirs', href: address, current: !isBoth, label: owner },
                    {
                      key: 'both',
                      href: `${address}?view=both`,
                      current: isBoth,
                      label: (
                        <>
                          <Users aria-hidden="true" className="size-5" />
                          {t('both')}
                        </>
                      ),
                    },
                  ]}
                />
              )}
              <div className="flex flex-wrap items-center gap-3">
                <TakeAll events={events} />
                <OverlayButton token={token} shared={shared} />
              </div>
            </div>
            {isBoth ? <Both theirs={events} mine={mine} owner={owner} /> : <SavableDays events={events} />}
          </>
        )}
      </AccountPage>
      <SavingHost />
    </>
  )
}

/** The visitor's saved events, on the phone or in the schedule; null: none, or not known yet. */
function useMineHere(): readonly ListedEvent[] | null {
  const alive = useHydrated()
  const session = useSession()
  const picks = usePicks<EventPick>(scheduleOutbox)
  const { entries } = useMySchedule()
  const isPicking = alive && session === 'guest' && picks.length > 0
  const { events } = usePickedEvents(isPicking ? picks.map(({ id }) => id) : [])
  if (!alive || session === 'business') return null
  if (session === 'guest') return isPicking ? events : null
  return entries?.map(({ event }) => event) ?? null
}

/** Events that both saved, and events of one alone, in order of time. */
function Both({ theirs, mine, owner }: { theirs: ListedEvent[]; mine: readonly ListedEvent[]; owner: string }) {
  const t = useTranslations('schedule')
  const { day, isOver } = useTimes()
  const ofMine = new Set(mine.map(({ event_id }) => event_id))
  const ofTheirs = new Set(theirs.map(({ event_id }) => event_id))
  const onlyMine = mine.filter(({ event_id }) => !ofTheirs.has(event_id))
  const all = [...theirs, ...onlyMine].toSorted(inOrder)
  const common = theirs.filter(({ event_id }) => ofMine.has(event_id)).length
  const whose = (id: string) =>
    ofMine.has(id) ? (
      ofTheirs.has(id) ? (
        <Badge tone="moss">{t('both')}</Badge>
      ) : (
        <Badge>{t('you')}</Badge>
      )
    ) : (
      <Badge tone="ink">{owner}</Badge>
    )
  return (
    <>
      <output className="figure text-xl">{t('inCommon', { n: common })}</output>
      {byFestivalDay(all, (event) => event.festival_day).map(([festivalDay, ofDay]) => (
        <section key={festivalDay} aria-label={day(festivalDay)} className="grid max-w-3xl gap-3">
          <h2>{day(festivalDay)}</h2>
          <ul className="grid grid-cols-1 gap-3">
            {ofDay.map((event) => (
              <li key={event.event_id} className="min-w-0">
                <EventItem
                  event={cardEvent(event)}
                  badge={whose(event.event_id)}
                  beside={<AddToSchedule event={event} isOver={isOver(event)} />}
                />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  )
}

/** Saves all events into my schedule, or on this phone; saved ones stay as they are. */
function TakeAll({ events }: { events: ListedEvent[] }) {
  const t = useTranslations('schedule')
  const alive = useHydrated()
  const session = useSession()
  const [busy, setBusy] = useState(false)
  const { note, show, close } = useToast()
  const picks = usePicks<EventPick>(scheduleOutbox)
  const { entries } = useMySchedule()
  if (!alive || session === 'business') return null
  const coming = events.filter(({ status }) => status !== 'cancelled' && status !== 'ended')
  if (coming.length === 0) return null
  const isGuest = session === 'guest'
  const there = new Set(isGuest ? picks.map(({ id }) => id) : entries?.map(({ event }) => event.event_id))
  const hasAll = coming.every(({ event_id }) => there.has(event_id))
  const take = async () => {
    if (isGuest) {
      const there = picksOf<EventPick>(scheduleOutbox)
      const known = new Set(there.map(({ id }) => id))
      const fresh = coming
        .filter(({ event_id }) => !known.has(event_id))
        .map(({ event_id: id, title, starts_at, ends_at, all_day }) => ({ id, title, starts_at, ends_at, all_day }))
      const isAdded = addPicks(scheduleOutbox, fresh)
      return show({ text: isAdded ? t('takenToPhone', { n: fresh.length }) : t('phoneFull', { n: picksMost }) })
    }
    setBusy(true)
    const { answer, refused } = await bringIn(nextToBring(coming, there))
    setBusy(false)
    if (refused) show({ text: refused.error || t(refused.status === 0 ? 'offline' : 'failed') })
    else if (answer) show({ text: t('taken', { n: answer.added, already: answer.already, full: answer.full }) })
  }
  return (
    <>
      {hasAll ? (
        <p className="inline-flex min-h-11 items-center">
          {t('allTaken', { n: coming.length, guest: isGuest ? 'yes' : 'no' })}
        </p>
      ) : (
        <Button
          variant="primary"
          loading={busy}
          icon={<CalendarPlus aria-hidden="true" className="size-5" />}
          onClick={() => void take()}
        >
          {t('takeAll', { n: coming.length })}
        </Button>
      )}
      {isGuest && (
        <a href={savedEventsPage} className="link inline-flex min-h-11 items-center">
          {t('savedHere')}
        </a>
      )}
      <Toast note={note} onClose={close} closeLabel={t('close')} />
    </>
  )
}
