import 'texts:accountForms,adminEvents,events,forms,importFile,staff'
import { useState } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { useTranslations } from 'use-intl'
import { useKnownSession } from '../../accounts/web/session.ts'
import { Badge } from '../../brand/Badge.tsx'
import { Button, ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { EmptyState } from '../../kit/browser/ui/EmptyState.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { SearchBar } from '../../kit/browser/ui/SearchBar.tsx'
import { serverTime } from '../../kit/browser/server-time.ts'
import { useAnswer } from '../../kit/browser/use-answer.ts'
import { StaffPage } from '../../staff/web/StaffPage.tsx'
import { adminEventPage, page } from '../../site-map.ts'
import { EditVenue } from './EditVenue.tsx'
import { ProgrammeSources } from './ProgrammeSources.tsx'
import { ImportProgramme } from './ImportProgramme.tsx'
import { listStaffEvents, listStaffStages } from '../contract.ts'
import { useEventWhen } from './use-event-when.ts'

const perPage = 50

/** The programme for staff: edit events, and import a file after a look at its changes. */
export default function AdminProgrammeScreen() {
  const t = useTranslations('adminEvents')
  const status = useTranslations('events')
  const when = useEventWhen()
  const [address, setAddress] = useSearchParams()
  const session = useKnownSession()
  const isIn = session !== 'guest' && session !== 'unknown'
  const after = address.get('after') || undefined
  const [openedAt] = useState(serverTime)
  const isAll = address.get('all') !== null
  const q = address.get('q') || undefined
  // what is over shows on request or in a search: the programmes of past years stay stored
  const from = q || isAll ? undefined : new Date(openedAt).toISOString()
  const query = { q, from, limit: perPage, after }
  const { body, refused, next, again } = useAnswer(listStaffEvents, isIn ? { query, as: 'background' } : null)
  const stages = useAnswer(listStaffStages, isIn ? { as: 'background' } : null)
  const go = (changes: Record<string, string>) => setAddress({ q: q ?? '', ...(isAll ? { all: '' } : {}), ...changes })
  const changed = () => {
    again()
    // an import may have made stages
    stages.again()
  }
  const { state } = useLocation() as { state: { deleted?: string } | null }
  return (
    <StaffPage title={t('title')} current="events" refused={refused} again={again}>
      {state?.deleted && (
        <Notice
          kind="success"
          title={t('deleted', { title: state.deleted })}
          action={<ButtonLink href={page.adminLog}>{t('undoInLog')}</ButtonLink>}
        />
      )}
      <div className="flex flex-wrap items-center gap-3">
        <SearchBar
          key={q}
          className="min-w-[min(100%,16rem)] flex-1"
          label={t('search')}
          button={t('searchButton')}
          defaultValue={q}
          onSearch={(q) => go({ q })}
        />
        <ButtonLink href={adminEventPage('new')}>{t('create')}</ButtonLink>
      </div>
      {isIn && (
        <div className="grid grid-cols-1 gap-2">
          <ImportProgramme onDone={changed} />
          <ProgrammeSources onChanged={changed} />
          <EditVenue stages={stages.body} onSaved={stages.set} />
        </div>
      )}
      {body?.length === 0 && <EmptyState title={t('nothing')} />}
      {!q && (
        <ButtonLink href={isAll ? page.adminEvents : `${page.adminEvents}?all`} className="justify-self-start">
          {t(isAll ? 'fromNow' : 'past')}
        </ButtonLink>
      )}
      <ul className="grid gap-2">
        {body?.map((event) => (
          <li
            key={event.event_id}
            className="flex flex-wrap items-center justify-between gap-3 rounded-6 border-2 border-rule bg-surface p-3"
          >
            <div className="grid min-w-[min(100%,14rem)] flex-1 gap-0.5">
              <p className="font-semibold [overflow-wrap:anywhere]">{event.title}</p>
              <p className="text-sm text-ink-soft">
                {when.dayOf(event)}, {when.span(event)}
                {event.stage && ` · ${event.stage}`}
              </p>
              {(event.status === 'cancelled' || event.status === 'moved' || event.status === 'delayed') && (
                <Badge tone={event.status === 'cancelled' ? 'wine' : 'lantern'}>
                  {status(`status.${event.status}`)}
                </Badge>
              )}
              {event.status === 'draft' && <Badge>{t('draft')}</Badge>}
            </div>
            <ButtonLink href={adminEventPage(event.event_id)} aria-label={t('editNamed', { title: event.title })}>
              {t('edit')}
            </ButtonLink>
          </li>
        ))}
      </ul>
      <p className="flex flex-wrap gap-3">
        {after !== undefined && <Button onClick={() => go({})}>{t('first')}</Button>}
        {next !== null && <Button onClick={() => go({ after: next })}>{t('next')}</Button>}
      </p>
    </StaffPage>
  )
}
