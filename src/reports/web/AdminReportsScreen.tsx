import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { useTranslations } from 'use-intl'
import { Badge } from '../../brand/Badge.tsx'
import { ask } from '../../kit/browser/asking.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { useKnownSession } from '../../accounts/web/session.ts'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { EmptyState } from '../../kit/browser/ui/EmptyState.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { Segments } from '../../kit/browser/ui/Segments.tsx'
import { TextField } from '../../kit/browser/ui/TextField.tsx'
import { useAnswer } from '../../kit/browser/use-answer.ts'
import { useWhen } from '../../kit/browser/when.ts'
import { dealPage, page } from '../../site-map.ts'
import { StaffPage } from '../../staff/web/StaffPage.tsx'
import type { ReportCase } from '../contract.ts'
import { decideReport, listReports } from './calls.ts'
import { LiftButton, SuspendButton, SuspendedList, type Told } from './Suspensions.tsx'

const views = ['open', 'decided', 'suspended'] as const
type Decision = 'hide' | 'dismiss' | 'restore'
const atOnce = 50

/** What was reported, the last reported first; each is decided by one tap and can be taken back in the log. */
export default function AdminReportsScreen() {
  const t = useTranslations('reports')
  const [address] = useSearchParams()
  const session = useKnownSession()
  const view = views.find((each) => each === address.get('state')) ?? 'open'
  const offset = Math.min(1000, Math.max(0, Number(address.get('offset')) || 0))
  const isIn = session !== 'guest' && session !== 'unknown'
  const state = view === 'decided' ? view : 'open'
  const query = { state, limit: atOnce, offset } as const
  const { body, refused, again } = useAnswer(listReports, isIn ? { query, as: 'background' } : null)
  const [said, setSaid] = useState<Told | null>(null)
  const told = (news: Told) => {
    setSaid(news)
    again()
  }
  async function decide(found: ReportCase, decision: Decision, reason: string) {
    const { refused: no } = await ask(callByFetch, decideReport, {
      params: { case_id: found.case_id },
      body: { decision, ...(reason ? { reason } : {}) },
      as: 'action',
    })
    told(no ? { kind: 'error', text: no.error || t('failed') } : { kind: 'success', text: t(`${decision}Done`) })
  }
  return (
    <StaffPage title={t('title')} current="reports" refused={refused}>
      <Segments
        label={t('state')}
        segments={views.map((key) => ({
          key,
          href: key === 'open' ? page.adminReports : `${page.adminReports}?state=${key}`,
          label: t(key),
          current: key === view,
        }))}
      />
      {said && <Notice kind={said.kind} title={said.text} />}
      {view === 'suspended' ? (
        body && <SuspendedList offset={offset} onDone={setSaid} />
      ) : (
        <>
          {body?.length === 0 && <EmptyState title={t('none')} />}
          <ul className="grid gap-3">
            {body?.map((found) => (
              <Case key={found.case_id} found={found} onDecide={decide} onTold={told} />
            ))}
          </ul>
          {body?.length === atOnce && (
            <a
              href={`${page.adminReports}?state=${state}&offset=${offset + atOnce}`}
              className="link inline-flex min-h-11 items-center justify-self-center"
            >
              {t('more')}
            </a>
          )}
        </>
      )}
    </StaffPage>
  )
}

const tones = { open: 'lantern', dismissed: 'plain', hidden: 'wine' } as const

function Case({
  found,
  onDecide,
  onTold,
}: {
  found: ReportCase
  onTold: (said: Told) => void
  onDecide: (found: ReportCase, decision: Decision, reason: string) => Promise<void>
}) {
  const t = useTranslations('reports')
  const when = useWhen()
  const [reason, setReason] = useState('')
  const [sending, setSending] = useState<Decision | null>(null)
  const decide = async (decision: Decision) => {
    setSending(decision)
    await onDecide(found, decision, reason.trim())
    setSending(null)
  }
  const { rating } = found
  const deal = found.deal_name ?? t('gone')
  const decisions: Decision[] =
    found.state === 'open' ? ['hide', 'dismiss'] : found.state === 'hidden' ? ['restore'] : ['hide']
  return (
    <li className="grid grid-cols-1 gap-3 rounded-6 border-2 border-rule bg-surface p-4">
      <div className="grid gap-1 wrap-anywhere">
        <p className="flex flex-wrap items-center gap-2">
          <Badge tone={tones[found.state]}>{t(`states.${found.state}`)}</Badge>
          {found.business_suspended && <Badge tone="wine">{t('suspend.is')}</Badge>}
          <span className="text-sm text-ink-soft">
            {t(found.kind)} ·{' '}
            {t('count', { count: found.reports, when: `${when.day(found.last_at)}, ${when.clock(found.last_at)}` })}
          </span>
        </p>
        <h2 className="text-lg leading-tight">
          {rating ? t('by', { name: rating.author_name ?? t('deletedUser'), deal }) : deal}
        </h2>
        {rating && (
          <p>
            {t('stars', { n: rating.stars })}
            {rating.comment && `: ${rating.comment}`}
          </p>
        )}
        <p className="flex flex-wrap gap-x-4 text-sm text-ink-soft">
          <span>{found.business_name}</span>
          {found.deal_id && found.state !== 'hidden' && !found.business_suspended && (
            <a href={dealPage(found.deal_id)} className="link">
              {t('see')}
            </a>
          )}
        </p>
      </div>
      {(found.whys.length > 0 || found.notes.length > 0) && (
        <ul className="list-disc pl-5 text-sm wrap-anywhere">
          {found.whys.map(({ why, count }) => (
            <li key={why}>{t('whyCount', { why: t(`whys.${why}`), count })}</li>
          ))}
          {found.notes.map((note, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- notes have no ids and never change
            <li key={index}>{note}</li>
          ))}
        </ul>
      )}
      <TextField
        label={t('reason')}
        value={reason}
        maxLength={500}
        onChange={(event) => setReason(event.target.value)}
      />
      <p className="flex flex-wrap gap-3">
        {decisions.map((decision) => (
          <Button
            key={decision}
            variant={decision === 'dismiss' ? 'secondary' : 'primary'}
            loading={sending === decision}
            disabled={sending !== null}
            onClick={() => void decide(decision)}
          >
            {t(decision)}
          </Button>
        ))}
        {found.business_suspended ? (
          <LiftButton business={found} onDone={onTold} />
        ) : (
          <SuspendButton business={found} onDone={onTold} />
        )}
      </p>
    </li>
  )
}
