import { useEffect, useState, type ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { ask } from '../../kit/browser/ask.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { chfShort } from '../../kit/shared/numbers.ts'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { onReturn } from '../../kit/browser/on-return.ts'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import type { Tier } from '../../businesses/contract.ts'
import { useAnswer, type AnswerState } from '../../kit/browser/use-answer.ts'
import { page } from '../../site-map.ts'
import {
  cancelSubscription,
  createPortalSession,
  getMySubscription,
  type MySubscription,
  resumeSubscription,
  switchInterval,
} from '../contract.ts'
import { statuses, testCardLabel } from '../limits.ts'
import { leaveFor } from './leave-for.ts'
import { CancelDialog, YearDialog } from './PlanDialogs.tsx'
import { useDay } from '../../kit/browser/use-day.ts'

/** The business's subscription. A refusal is only logged: the card then shows the tier alone. */
export function useMySubscription(): AnswerState<MySubscription> {
  const subscription = useAnswer(getMySubscription, { as: 'background' })
  const { refused } = subscription
  useEffect(() => {
    if (refused) console.info('No payment subscription:', refused.status, refused.code)
  }, [refused])
  return subscription
}

type PlanAction = 'cancel' | 'keep' | 'month' | 'year' | 'portal'

/** Facts and buttons of a paid plan, in a card of the dashboard. @param tier the current tier */
export function PlanControls({ tier, payment }: { tier: Tier; payment: AnswerState<MySubscription> }) {
  const t = useTranslations('plan')
  const [sending, setSending] = useState<PlanAction | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [openDialog, setOpenDialog] = useState<'cancel' | 'year' | null>(null)
  const { body, set, again } = payment
  const paid = body?.provider_id ? body : null

  async function change(action: PlanAction, sent: ReturnType<typeof ask<typeof cancelSubscription>>) {
    setSending(action)
    setFailure(null)
    const { answer, refused } = await sent
    setSending(null)
    setOpenDialog(null)
    if (answer) return set(answer.body)
    setFailure(refused.error || t('failed'))
    // Load again: another tab may have changed the plan, or this request did and its answer got lost.
    again()
  }
  async function openPortal() {
    setSending('portal')
    setFailure(null)
    const { answer, refused } = await ask(callByFetch, createPortalSession, { as: 'action' })
    if (answer?.body.sessionUrl && leaveFor(answer.body.sessionUrl)) return
    setSending(null)
    setFailure(refused?.error || t('failed'))
  }
  const cancel = () => change('cancel', ask(callByFetch, cancelSubscription, { as: 'action' }))
  const keep = () => change('keep', ask(callByFetch, resumeSubscription, { as: 'action' }))
  const switchTo = (interval: 'month' | 'year') =>
    change(interval, ask(callByFetch, switchInterval, { as: 'action', body: { interval } }))
  const common = (action: PlanAction) => ({ loading: sending === action, disabled: sending !== null })
  const isEnding = paid?.cancel_at_period_end === true
  // An overdue plan may still be charged, even after the tier fell to FREE: it must stay cancellable.
  const isOverdue = paid?.status === 'past_due'
  const nextInterval = paid?.pending_change?.interval ?? paid?.interval

  return (
    <>
      {paid && <PlanFacts paid={paid} again={again} />}
      {failure && <Notice kind="error">{failure}</Notice>}
      {(isEnding || paid?.pending_change) && (
        <Button {...common('keep')} onClick={() => void keep()} className="justify-self-start">
          {t('keep')}
        </Button>
      )}
      {(tier !== 'FREE' || isOverdue) && (
        <div className="flex flex-wrap gap-2">
          <Button
            {...common('month')}
            disabled={sending !== null || isEnding || tier === 'FREE' || nextInterval === 'month'}
            onClick={() => void switchTo('month')}
          >
            {t('monthly')}
          </Button>
          <Button
            {...common('year')}
            disabled={sending !== null || isEnding || tier === 'FREE' || nextInterval === 'year'}
            // With a planned lower tier the year starts later too, so nothing is charged now and no dialog is needed.
            onClick={() =>
              paid?.interval === 'year' || paid?.pending_change ? void switchTo('year') : setOpenDialog('year')
            }
          >
            {t('yearly')}
          </Button>
          <Button disabled={sending !== null || (isEnding && !isOverdue)} onClick={() => setOpenDialog('cancel')}>
            {t('cancel')}
          </Button>
          {isEnding && <p className="w-full text-sm text-ink-soft">{t('keepFirst')}</p>}
        </div>
      )}
      {body && (body.has_invoices || body.has_portal) && (
        <p className="flex flex-wrap items-center gap-x-5">
          {body.has_invoices && (
            <a href={page.invoices} className="link inline-flex min-h-11 items-center">
              {t('invoices')}
            </a>
          )}
          {body.has_portal && (
            <button
              type="button"
              disabled={sending !== null}
              onClick={() => void openPortal()}
              className="link inline-flex min-h-11 cursor-pointer items-center"
            >
              {t('portal')}
            </button>
          )}
          <a href={`${page.contact}?topic=merchant`} className="link inline-flex min-h-11 items-center">
            {t('contact')}
          </a>
        </p>
      )}
      <CancelDialog
        open={openDialog === 'cancel'}
        until={paid?.current_period_end ?? null}
        isOverdue={isOverdue}
        sending={sending === 'cancel'}
        onClose={() => setOpenDialog(null)}
        onCancel={() => void cancel()}
      />
      {tier !== 'FREE' && (
        <YearDialog
          open={openDialog === 'year'}
          tier={tier}
          paid={paid}
          sending={sending === 'year'}
          onClose={() => setOpenDialog(null)}
          onPay={() => void switchTo('year')}
        />
      )}
    </>
  )
}

function PlanFacts({ paid, again }: { paid: MySubscription; again: () => void }) {
  const t = useTranslations('plan')
  const day = useDay()
  const status = statuses.find((each) => each === paid.status)
  const isEnding = paid.cancel_at_period_end === true
  const facts: [string, string | null][] = [
    [t('status'), status ? t(`statuses.${status}`) : paid.status],
    // No next billing date for an overdue plan: its notice says until when it must be paid.
    [t('nextBilling'), paid.status === 'past_due' ? null : paid.current_period_end && day(paid.current_period_end)],
    [
      t('price'),
      paid.amount_chf !== null && paid.interval
        ? t(`per.${paid.interval}`, { amount: chfShort(paid.amount_chf) })
        : null,
    ],
    [t('method'), paid.payment_method === testCardLabel ? t('testCard') : paid.payment_method],
  ]
  return (
    <>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
        {facts.map(
          ([name, value]) =>
            value && (
              <div key={name} className="contents">
                <dt className="text-ink-soft">{name}</dt>
                <dd className="font-semibold wrap-anywhere">{value}</dd>
              </div>
            ),
        )}
      </dl>
      {isEnding && <p className="font-semibold text-lantern-text">{t('cancelNote')}</p>}
      <Overdue paid={paid} again={again} />
      {paid.pending_change && !isEnding && (
        <p className="font-semibold text-lantern-text">
          {t('changes', {
            plan: `${paid.pending_change.tier}_${paid.pending_change.interval}`,
            date: day(paid.pending_change.at),
          })}
        </p>
      )}
    </>
  )
}

/** Notice that the last payment failed, and until when the business keeps its tier. Nothing if no payment is overdue. */
export function Overdue({
  paid,
  again,
  action,
}: {
  paid: MySubscription
  again: () => void
  /** Link to change the payment method, on pages that have none near the notice. */
  action?: ReactNode
}) {
  const t = useTranslations('plan')
  const day = useDay()
  const isOverdue = paid.status === 'past_due'
  // Load again when the person comes back: the payment may have been made in another tab.
  useEffect(() => (isOverdue ? onReturn(again) : undefined), [isOverdue, again])
  if (!isOverdue) return null
  const { overdue_until: until } = paid
  return (
    <Notice kind="warn" action={action}>
      {until ? t('overdue', { date: day(until) }) : t('overdueEnded')}
    </Notice>
  )
}

/** Says until when the business is featured; nothing if it is not. */
export function PromotionLine({ payment: { body } }: { payment: AnswerState<MySubscription> }) {
  const t = useTranslations('plan')
  const day = useDay()
  if (!body?.featured_until) return null
  return <p className="font-semibold text-lantern-text">{t('featuredUntil', { date: day(body.featured_until) })}</p>
}
