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
import { ActionNotice } from '../../staff/web/ActionNotice.tsx'
import { StaffPage } from '../../staff/web/StaffPage.tsx'
import { listReports, type ReportCase } from '../contract.ts'
import { ReportedCase } from './ReportedCase.tsx'
import { SuspendedList, type DecisionNotice } from './Suspensions.tsx'

const views = ['open', 'decided', 'suspended'] as const
const atOnce = 50

/** Reported deals and ratings, newest report first. One tap decides; the log can undo it. */
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
  const [notice, setNotice] = useState<DecisionNotice | null>(null)
  const announce = (result: DecisionNotice) => {
    setNotice(result)
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
      {/* a success also shows in place of the buttons, so the page need not scroll up to this notice */}
      {notice?.kind === 'success' ? <Notice kind="success" title={notice.text} /> : <ActionNotice notice={notice} />}
      {isSuspended ? (
        isIn && <SuspendedList after={after} onDone={setNotice} />
      ) : (
        <>
          {body && <Cases key={`${view} ${after}`} listed={body} onResult={announce} />}
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

/** Decided cases stay in place until the page is opened again. */
function Cases({ listed, onResult }: { listed: ReportCase[]; onResult: (notice: DecisionNotice) => void }) {
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
          onResult={onResult}
        />
      ))}
    </ul>
  )
}
