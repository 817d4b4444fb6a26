import 'texts:accountForms,adminEvents,events,forms,staff'
import { useState } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { useTranslations } from 'use-intl'
import { ask } from '../../kit/browser/asking.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { useKnownSession } from '../../accounts/web/session.ts'
import { Badge } from '../../brand/Badge.tsx'
import { Button, ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { EmptyState } from '../../kit/browser/ui/EmptyState.tsx'
import { controlClass } from '../../kit/browser/ui/Field.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { SearchBar } from '../../kit/browser/ui/SearchBar.tsx'
import { TextField } from '../../kit/browser/ui/TextField.tsx'
import { useAnswer } from '../../kit/browser/use-answer.ts'
import { listLog } from '../../staff/contract.ts'
import { ReachText, thingsOf } from '../../staff/web/ReachText.tsx'
import { StaffPage } from '../../staff/web/StaffPage.tsx'
import { adminEventPage, page } from '../../site-map.ts'
import { EditVenue } from './EditVenue.tsx'
import { importEvents, listStaffEvents, listStaffStages } from '../contract.ts'
import { useEventWhen } from './use-event-when.ts'

const perPage = 50
/** Past events show on request or in a search: the programmes of past years stay stored. */
const shownBackMs = 12 * 3_600_000

/** The programme for staff: edit events, and import a file after a look at its changes. */
export default function AdminProgrammeScreen() {
  const t = useTranslations('adminEvents')
  const status = useTranslations('events')
  const when = useEventWhen()
  const [address, setAddress] = useSearchParams()
  const session = useKnownSession()
  const isIn = session !== 'guest' && session !== 'unknown'
  const after = address.get('after') || undefined
  const [openedAt] = useState(Date.now)
  const isAll = address.get('all') !== null
  const q = address.get('q') || undefined
  const from = q || isAll ? undefined : new Date(openedAt - shownBackMs).toISOString()
  const query = { q, from, limit: perPage, after }
  const { body, refused, next, again } = useAnswer(listStaffEvents, isIn ? { query, as: 'background' } : null)
  const stages = useAnswer(listStaffStages, isIn ? { as: 'background' } : null)
  const go = (changes: Record<string, string>) => setAddress({ q: q ?? '', ...(isAll ? { all: '' } : {}), ...changes })
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
        <ButtonLink href={adminEventPage('new')} variant="primary">
          {t('create')}
        </ButtonLink>
      </div>
      {isIn && (
        <Import
          onDone={() => {
            again()
            // the import may have made stages
            stages.again()
          }}
        />
      )}
      {isIn && <EditVenue stages={stages.body} onSaved={stages.set} />}
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

type Report = NonNullable<Awaited<ReturnType<typeof send>>['answer']>['body']

const send = (file: File, source: string, how: { dry_run: true } | { confirmed: number }) =>
  ask(callByFetch, importEvents, { body: { source, ...how }, files: { file }, as: 'action' })

const lastImport = { query: { action: 'import-events', limit: 1 }, as: 'background' } as const

/** Shows what a file would change, then imports it. */
function Import({ onDone }: { onDone: () => void }) {
  const t = useTranslations('adminEvents')
  const [file, setFile] = useState<File | null>(null)
  const last = useAnswer(listLog, lastImport)
  const [source, setSource] = useState('')
  const lastSource = String(last.body?.[0]?.after?.['source'] ?? '')
  const [report, setReport] = useState<(Report & { isDry: boolean }) | null>(null)
  // under another source name all events are new; without a name the file's counts, which differs for each download
  const isOther =
    report?.isDry && lastSource && lastSource !== report.source && report.counts.changed + report.counts.same === 0
  const forms = useTranslations('forms')
  const [fault, setFault] = useState('')
  const [isSending, setSending] = useState(false)
  async function run(isDry: boolean) {
    if (!file) return
    setSending(true)
    setFault('')
    const { answer, refused } = await send(
      file,
      source,
      isDry ? { dry_run: true } : { confirmed: report ? thingsOf(report.reach) : 0 },
    )
    setSending(false)
    if (refused) return setFault(refused.error || (refused.status === 0 ? forms('offlineTap') : t('failed')))
    setReport({ ...answer.body, isDry })
    if (!isDry) onDone()
  }
  return (
    <details className="rounded-6 border-2 border-rule bg-surface p-3">
      <summary className="cursor-pointer py-2.5 font-semibold">{t('import')}</summary>
      <div className="grid gap-3 pt-3">
        <label className="grid gap-1.5">
          <span className="text-sm font-semibold">{t('file')}</span>
          <input
            type="file"
            accept=".json,.xml,.ics,.csv"
            className={controlClass}
            onChange={(event) => {
              setFile(event.target.files?.[0] ?? null)
              setReport(null)
            }}
          />
        </label>
        <TextField
          label={t('source')}
          help={t('sourceHelp')}
          maxLength={40}
          value={source}
          onChange={({ target }) => {
            setSource(target.value)
            setReport(null)
          }}
        />
        <p className="flex flex-wrap gap-3">
          <Button disabled={!file} loading={isSending} onClick={() => void run(true)}>
            {t('check')}
          </Button>
          {report?.isDry && report.counts.new + report.counts.changed > 0 && (
            <Button variant="primary" loading={isSending} onClick={() => void run(false)}>
              {t('take')}
            </Button>
          )}
        </p>
        {fault && <Notice kind="error" title={fault} />}
        {report && (
          <>
            <Notice kind={report.isDry ? 'info' : 'success'} title={t(report.isDry ? 'wouldChange' : 'hasChanged')}>
              <p>{t('counts', report.counts)}</p>
              {report.isDry && thingsOf(report.reach) > 0 && <ReachText reach={report.reach} />}
            </Notice>
            {isOther && (
              <Notice
                kind="warn"
                action={
                  <Button
                    onClick={() => {
                      setSource(lastSource)
                      setReport(null)
                    }}
                  >
                    {t('asLast', { last: lastSource })}
                  </Button>
                }
              >
                {t('otherName', { last: lastSource, source: report.source })}
              </Notice>
            )}
            <ul className="grid gap-1 text-sm" aria-label={t('remarks')}>
              {report.remarks.map((remark) => (
                <li key={`${remark.place} ${remark.kind} ${remark.text}`} className="[overflow-wrap:anywhere]">
                  <span className="font-semibold">{t(`remark.${remark.kind}`)}:</span>{' '}
                  {[remark.title, remark.place].filter(Boolean).join(', ')}: {remark.text}
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </details>
  )
}
