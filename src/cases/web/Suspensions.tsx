import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { NotLoaded } from '../../accounts/web/guards.tsx'
import { Refused } from '../../kit/browser/forms/Refused.tsx'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { Dialog } from '../../kit/browser/ui/Dialog.tsx'
import { EmptyState } from '../../kit/browser/ui/EmptyState.tsx'
import { TextArea } from '../../kit/browser/ui/TextArea.tsx'
import { useAnswer } from '../../kit/browser/use-answer.ts'
import { useWhen } from '../../kit/browser/when.ts'
import { page } from '../../site-map.ts'
import { ask } from '../../kit/browser/ask.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import type { RefusedAnswer } from '../../kit/shared/refusal.ts'
import type { Reach } from '../../staff/contract.ts'
import { ReachText, thingsOf } from '../../staff/web/ReachText.tsx'
import { useDecide } from '../../staff/web/use-decide.ts'
import { liftSuspension, listSuspensions, suspendBusiness } from '../contract.ts'

/** Message about the last decision. */
export type DecisionNotice = { kind: 'success' | 'error'; text: string }

interface Business {
  business_id: string
  business_name: string
}

/** Button that asks for a reason and suspends a business. The merchant sees the reason. `written`: prefills it from the report. */
export function SuspendButton({
  business,
  written = '',
  onDone,
}: {
  business: Business
  written?: string
  onDone: (notice: DecisionNotice) => void
}) {
  const t = useTranslations('reports')
  const [isOpen, setOpen] = useState(false)
  const { decide, isSending } = useDecide()
  const [refused, setRefused] = useState<RefusedAnswer | null>(null)
  const [reason, setReason] = useState('')
  const [reach, setReach] = useState<Reach | null>(null)
  async function open() {
    if (reason.trim() === '') setReason(written)
    setOpen(true)
    // A dry run, for the reach alone. The endpoint requires a reason, and none is typed yet.
    const body = { business_id: business.business_id, reason: '–', dry_run: true }
    const { answer } = await ask(callByFetch, suspendBusiness, { body, as: 'action' })
    setReach(answer?.body.reach ?? null)
  }
  async function suspend() {
    const body = { business_id: business.business_id, reason, ...(reach && { confirmed: thingsOf(reach) }) }
    const { answer, refused: suspendRefused } = await decide(suspendBusiness, { body, as: 'action' })
    setRefused(suspendRefused)
    if (!answer) return
    setOpen(false)
    const values = { business: business.business_name }
    onDone({
      kind: 'success',
      text: answer.body.mailed ? t('suspend.done', values) : t('suspend.doneNoMail', values),
    })
  }
  const fieldFault = refused?.fields?.['reason']
  return (
    <>
      <Button onClick={() => void open()}>{t('suspend.open')}</Button>
      <Dialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title={t('suspend.title', { business: business.business_name })}
        closeLabel={t('suspend.close')}
        actions={
          <Button variant="primary" loading={isSending} onClick={() => void suspend()}>
            {t('suspend.confirm')}
          </Button>
        }
      >
        <p>{t('suspend.text')}</p>
        {reach && <ReachText reach={reach} />}
        <TextArea
          label={t('suspend.reason')}
          rows={3}
          maxLength={500}
          value={reason}
          error={fieldFault}
          onChange={(event) => setReason(event.target.value)}
        />
        {refused && !fieldFault && <Refused refused={refused} />}
      </Dialog>
    </>
  )
}

export function LiftButton({ business, onDone }: { business: Business; onDone: (notice: DecisionNotice) => void }) {
  const t = useTranslations('reports')
  const { decide, isSending } = useDecide()
  async function lift() {
    const { fault } = await decide(liftSuspension, { params: { business_id: business.business_id }, as: 'action' })
    onDone({
      kind: fault ? 'error' : 'success',
      text: fault ?? t('suspend.lifted', { business: business.business_name }),
    })
  }
  return (
    <Button loading={isSending} onClick={() => void lift()}>
      {t('suspend.lift')}
    </Button>
  )
}

const pageSize = 50

/** Suspended businesses, newest suspension first. */
export function SuspendedList({
  after,
  onDone,
}: {
  after: string | undefined
  onDone: (notice: DecisionNotice) => void
}) {
  const t = useTranslations('reports')
  const when = useWhen()
  const query = { limit: pageSize, after }
  const { body, refused, next, again } = useAnswer(listSuspensions, { query, as: 'background' })
  return (
    <>
      {refused && <NotLoaded refused={refused} again={again} />}
      {body?.length === 0 && <EmptyState title={t('noneSuspended')} />}
      <ul className="grid gap-3">
        {body?.map((business) => (
          <li
            key={business.business_id}
            className="grid grid-cols-1 gap-3 rounded-6 border-2 border-rule bg-surface p-4 wrap-anywhere"
          >
            <div className="grid gap-1">
              <h2 className="text-lg leading-tight">{business.business_name}</h2>
              {business.suspended_at && (
                <p className="text-sm text-ink-soft">
                  {t('suspend.since', {
                    when: `${when.day(business.suspended_at)}, ${when.clock(business.suspended_at)}`,
                  })}
                </p>
              )}
              <p>{business.suspended_reason}</p>
            </div>
            <p>
              <LiftButton
                business={business}
                onDone={(notice) => {
                  onDone(notice)
                  again()
                }}
              />
            </p>
          </li>
        ))}
      </ul>
      {next !== null && (
        <a
          href={`${page.adminReports}?state=suspended&after=${encodeURIComponent(next)}`}
          className="link inline-flex min-h-11 items-center justify-self-center"
        >
          {t('more')}
        </a>
      )}
    </>
  )
}
