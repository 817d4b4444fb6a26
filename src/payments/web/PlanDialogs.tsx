import { useState, type ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { chfShort } from '../../kit/shared/numbers.ts'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { Dialog } from '../../kit/browser/ui/Dialog.tsx'
import { priceRappen, type PaidTier } from '../policy.ts'
import type { MySubscription } from '../contract.ts'
import { dueToday } from './due-today.ts'
import { useDay } from '../../kit/browser/use-day.ts'

interface Question {
  open: boolean
  sending: boolean
  onClose: () => void
}

/** Confirms a cancellation. @param until end of the plan; an overdue one ends at once */
export function CancelDialog({
  until,
  isOverdue,
  onCancel,
  ...question
}: Question & { until: string | null; isOverdue: boolean; onCancel: () => void }) {
  const t = useTranslations('plan')
  const day = useDay()
  return (
    <Ask
      {...question}
      title={t('cancelTitle')}
      yes={
        <Button variant="danger" loading={question.sending} onClick={onCancel}>
          {t('cancelYes')}
        </Button>
      }
    >
      {isOverdue ? t('cancelTextOverdue') : until ? t('cancelText', { date: day(until) }) : t('cancelTextSoon')}
    </Ask>
  )
}

/** Confirms a switch to a year, which is paid at once, less the rest of the paid month. */
export function YearDialog({
  tier,
  paid,
  onPay,
  ...question
}: Question & { tier: PaidTier; paid: MySubscription | null; onPay: () => void }) {
  const t = useTranslations('plan')
  const [openedAt] = useState(Date.now)
  const due = paid && dueToday(paid, { tier, interval: 'year' }, openedAt)
  return (
    <Ask
      {...question}
      title={t('yearTitle')}
      yes={
        <Button variant="primary" loading={question.sending} onClick={onPay}>
          {t('yearYes')}
        </Button>
      }
    >
      {t('yearText', { amount: chfShort(priceRappen({ tier, interval: 'year' }) / 100) })}{' '}
      {due?.kind === 'today' && t('yearToday', { amount: chfShort(due.chf) })}
    </Ask>
  )
}

function Ask({
  open,
  sending,
  onClose,
  title,
  yes,
  children,
}: Question & { title: string; yes: ReactNode; children: ReactNode }) {
  const t = useTranslations('plan')
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      closeLabel={t('close')}
      actions={
        <>
          {yes}
          <Button disabled={sending} onClick={onClose}>
            {t('cancelNo')}
          </Button>
        </>
      }
    >
      <p>{children}</p>
    </Dialog>
  )
}
