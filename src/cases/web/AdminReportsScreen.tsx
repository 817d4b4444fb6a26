import 'texts:accountForms,forms,reports,staff'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { useTranslations } from 'use-intl'
import { useKnownSession } from '../../accounts/web/session.ts'
import { EmptyState } from '../../kit/browser/ui/EmptyState.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { Segments } from '../../kit/browser/ui/Segments.tsx'
import { useAnswer } from '../../kit/browser/use-answer.ts'
import { useHandledRows } from '../../kit/browser/use-handled-rows.ts'
import { page } from '../../site-map.ts'
import { Said } from '../../staff/web/Said.tsx'
import { StaffPage } from '../../staff/web/StaffPage.tsx'
import { listReports, type ReportCase } from '../contract.ts'
import { ReportedCase } from './ReportedCase.tsx'
import { SuspendedList, type Told } from './Suspensions.tsx'

const views = ['open', 'decided', 'suspended'] as const
const atOnce = 50

/** What was reported, the last reported first; each is decided by one tap and can be taken back in the log. */
export default function AdminReportsScreen() {
  const t = useTranslations('reports')
  const [address] = useSearchParams()
  const session = useKnownSession()
  const view = views.find((each) => each === address.get('state')) ?? 'open'
  const after = address.get('after') || undefined
  const isIn = session !== 'guest' && session !== 'unknown'
  const state = view === 'decided' ? view : 'open'
  const query = { state, limit: atOnce, after } as const
  const isSuspended = view === 'suspended'
  const { body, refused, next, again } = useAnswer(
    listReports,
    isIn && !isSuspended ? { query, as: 'background' } : null,
  )
  const [said, setSaid] = useState<Told | null>(null)
  const told = (news: Told) => {
    setSaid(news)
    again()
  }
  return (
    <StaffPage title={t('title')} current="reports" refused={refused} again={again}>
      <Segments
        label={t('state')}
        segments={views.map((key) => ({
          key,
          href: key === 'open' ? page.adminReports : `${page.adminReports}?state=${key}`,
          label: t(key),
          current: key === view,
        }))}
      />
      {/* what was done is told in its place too, which then stays in sight */}
      {said?.kind === 'success' ? <Notice kind="success" title={said.text} /> : <Said said={said} />}
      {isSuspended ? (
        isIn && <SuspendedList after={after} onDone={setSaid} />
      ) : (
        <>
          {body && <Cases key={`${view} ${after}`} listed={body} onTold={told} />}
          {next !== null && (
            <a
              href={`${page.adminReports}?state=${state}&after=${encodeURIComponent(next)}`}
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

/** What is decided stays in its place until the page is opened again. */
function Cases({ listed, onTold }: { listed: ReportCase[]; onTold: (said: Told) => void }) {
  const t = useTranslations('reports')
  const { shown, handledOf, markHandled } = useHandledRows(listed, ({ case_id }) => case_id)
  if (shown.length === 0) return <EmptyState title={t('none')} />
  return (
    <ul className="grid gap-3">
      {shown.map((found) => (
        <ReportedCase
          key={found.case_id}
          found={found}
          decided={handledOf(found)?.text ?? null}
          onDecided={(text) => markHandled(found, text)}
          onTold={onTold}
        />
      ))}
    </ul>
  )
}
