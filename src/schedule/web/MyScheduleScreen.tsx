import 'texts:accountForms,categories,deals,events,forms,friends,saving,schedule'
import { useEffect, useState, type ReactNode } from 'react'
import CalendarDays from 'lucide-react/icons/calendar-days'
import Printer from 'lucide-react/icons/printer'
import Share2 from 'lucide-react/icons/share-2'
import WandSparkles from 'lucide-react/icons/wand-sparkles'
import { useLocation, useSearchParams } from 'react-router'
import { useTranslations } from 'use-intl'
import { ForLoggedIn, NotLoaded } from '../../accounts/web/guards.tsx'
import { LateScript } from '../../accounts/web/parts.tsx'
import { VisitorsOnly } from '../../accounts/web/VisitorsOnly.tsx'
import { PageHead } from '../../kit/browser/PageHead.tsx'
import { useSession } from '../../accounts/web/session.ts'
import type { ListedEvent } from '../../events/contract.ts'
import { scheduleOutbox, usePicks } from '../../kit/browser/picks.ts'
import { Button, ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { Dialog } from '../../kit/browser/ui/Dialog.tsx'
import { EmptyState } from '../../kit/browser/ui/EmptyState.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { Segments } from '../../kit/browser/ui/Segments.tsx'
import { Waiting } from '../../kit/browser/ui/Skeleton.tsx'
import { Toast, useToast } from '../../kit/browser/ui/Toast.tsx'
import { AccountPage } from '../../kit/browser/ui/Page.tsx'
import { page } from '../../site-map.ts'
import type { ScheduleEntry } from '../contract.ts'
import { byEachFestivalDay } from '../times.ts'
import { CalendarAddress } from './CalendarAddress.tsx'
import { DayPlan } from './DayPlan.tsx'
import { DayTimeline } from './DayTimeline.tsx'
import { EntryCard } from './EntryCard.tsx'
import { FriendsHere } from './FriendsHere.tsx'
import { useFriendMarks } from './FriendMark.tsx'
import { load, renew, useMySchedule } from './my-schedule.ts'
import { PrintSheet } from './PrintSheet.tsx'
import { Sharing } from './Sharing.tsx'
import type { ShowNote } from './show-note.ts'
import { useTimes } from './use-times.ts'

/** The document is the same for everybody; private data is loaded by script. */
export const headers = () => ({ 'Cache-Control': 'no-store' })

export default function MyScheduleScreen() {
  const t = useTranslations('schedule')
  return (
    <>
      <PageHead title={t('title')} description={t('description')} hidden />
      <ForLoggedIn
        waiting={
          <Sheet>
            <noscript>
              <Notice kind="warn">{t('noScript')}</Notice>
            </noscript>
            <LateScript kind="page" />
            {waiting}
          </Sheet>
        }
      >
        <Mine />
      </ForLoggedIn>
    </>
  )
}

function Sheet({ lead, children }: { lead?: ReactNode; children: ReactNode }) {
  const t = useTranslations('schedule')
  return (
    <AccountPage title={t('title')} lead={lead ?? ''} className="print-hidden">
      {children}
    </AccountPage>
  )
}

const waiting = <Waiting sizes={['h-28', 'h-28', 'h-28']} className="grid max-w-3xl gap-4" />

/** Oldest list, ms, that is shown without a reload: people come here from notifications of moved events. */
const freshMs = 5000

function Mine() {
  const t = useTranslations('schedule')
  const session = useSession()
  const { entries, refused } = useMySchedule()
  const { key } = useLocation()
  useEffect(() => void renew(freshMs), [key])
  const unsent = usePicks(scheduleOutbox).length
  // in this component, so that the toast with its undo stays when the last event is removed
  const { note, show, close } = useToast()
  const showNote: ShowNote = (text, action) => show({ text, ...(action ? { action } : {}) })
  if (session === 'business')
    return (
      <Sheet>
        <VisitorsOnly />
      </Sheet>
    )
  return (
    <Sheet lead={entries && entries.length > 0 ? t('lead', { n: entries.length }) : undefined}>
      {refused && <NotLoaded refused={refused} again={() => void load()} />}
      {entries === null ? (
        !refused && waiting
      ) : entries.length === 0 ? (
        // a refused list may have events, so it is not called empty
        !refused &&
        (unsent > 0 ? (
          <Notice>{t('picksWait', { n: unsent })}</Notice>
        ) : (
          <EmptyState
            title={t('empty')}
            action={
              <ButtonLink href={page.events} variant="primary">
                {t('toEvents')}
              </ButtonLink>
            }
          >
            <p>{t('emptyText')}</p>
          </EmptyState>
        ))
      ) : (
        <Days entries={entries} showNote={showNote} />
      )}
      <Toast note={note} onClose={close} closeLabel={t('close')} />
    </Sheet>
  )
}

type Open = 'plan' | 'share' | 'calendar'

function Days({ entries, showNote }: { entries: readonly ScheduleEntry[]; showNote: ShowNote }) {
  const t = useTranslations('schedule')
  const events = useTranslations('events')
  const { day: dayName, shortDay, weekday, isOver } = useTimes()
  const [open, setOpen] = useState<Open | null>(null)
  const [query] = useSearchParams()
  const byDay = byEachFestivalDay(entries, ({ event }) => event)
  const markOf = useFriendMarks()
  const days = [...byDay.keys()].toSorted()
  const asked = query.get('day')
  const day =
    asked && days.includes(asked)
      ? asked
      : (days.find((each) => byDay.get(each)!.some(({ event }) => !isOver(event))) ??
        days.at(-1) ??
        entries[0]!.event.festival_day)
  const ofDay = byDay.get(day) ?? []
  const over = ofDay.filter(({ event }) => isOver(event)).length
  /** A day that is over stays open. */
  const folded = over < ofDay.length ? over : 0
  const timeline = (shows: (event: ListedEvent) => boolean) => (
    <DayTimeline events={ofDay.map(({ event }) => event)} shows={shows} withDeals>
      {(event) => (
        <EntryCard
          entry={ofDay.find((each) => each.event === event)!}
          showNote={showNote}
          mark={markOf?.(event.event_id)}
        />
      )}
    </DayTimeline>
  )
  const shut = () => setOpen(null)
  const dialog = (name: Open, title: string, content: ReactNode) => (
    <Dialog open={open === name} onClose={shut} title={title} closeLabel={t('close')}>
      {content}
    </Dialog>
  )
  return (
    <>
      <div className="grid gap-6 print-hidden">
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
          <Segments
            label={t('days')}
            segments={days.map((each) => ({
              key: each,
              href: `${page.mySchedule}?day=${each}`,
              current: each === day,
              label: (
                <>
                  {days.length > 3 ? weekday(each) : shortDay(each)}
                  <span className="figure text-sm">{byDay.get(each)?.length}</span>
                </>
              ),
            }))}
          />
          <div className="flex flex-wrap gap-2">
            <Button
              variant="primary"
              icon={<WandSparkles aria-hidden="true" className="size-5" />}
              onClick={() => setOpen('plan')}
            >
              {t('planDay')}
            </Button>
            <Button icon={<Share2 aria-hidden="true" className="size-5" />} onClick={() => setOpen('share')}>
              {t('share')}
            </Button>
            <Button icon={<CalendarDays aria-hidden="true" className="size-5" />} onClick={() => setOpen('calendar')}>
              {t('calendar')}
            </Button>
            <Button icon={<Printer aria-hidden="true" className="size-5" />} onClick={() => window.print()}>
              {t('print')}
            </Button>
          </div>
        </div>
        <section aria-label={dayName(day)} className="grid max-w-3xl gap-4">
          <h2>{dayName(day)}</h2>
          <FriendsHere />
          {folded > 0 && (
            <details>
              <summary className="link inline-flex min-h-11 cursor-pointer items-center font-semibold">
                {events('earlierToday', { n: folded })}
              </summary>
              <div className="pt-1">{timeline(isOver)}</div>
            </details>
          )}
          {timeline((event) => folded === 0 || !isOver(event))}
        </section>
      </div>
      <PrintSheet entries={entries} />
      {dialog(
        'plan',
        t('planOf', { day: dayName(day) }),
        <DayPlan
          day={day}
          entries={ofDay.filter(({ event }) => event.festival_day === day)}
          showNote={showNote}
          onClose={shut}
        />,
      )}
      {dialog('share', t('shareTitle'), <Sharing showNote={showNote} />)}
      {dialog('calendar', t('calendarTitle'), <CalendarAddress showNote={showNote} />)}
    </>
  )
}
