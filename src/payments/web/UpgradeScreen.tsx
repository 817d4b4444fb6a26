import 'texts:accountForms,paying,plan,upgrade'
import { useEffect, useId, useState, type ReactNode } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { useTranslations } from 'use-intl'
import { NotLoaded, SessionOver } from '../../accounts/web/guards.tsx'
import { LanternShape } from '../../brand/Badge.tsx'
import { getSubscription } from '../../businesses/contract.ts'
import { MerchantPage } from '../../businesses/web/MerchantPage.tsx'
import { ask, readAs } from '../../kit/browser/ask.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { chfShort } from '../../kit/shared/numbers.ts'
import { Button, ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { useAnswer } from '../../kit/browser/use-answer.ts'
import { page } from '../../site-map.ts'
import { intervals, paidTiers } from '../limits.ts'
import { priceRappen, type Interval, type PaidTier } from '../policy.ts'
import { getMySubscription, upgradeBusiness } from '../contract.ts'
import { leaveFor } from './leave-for.ts'
import { Overdue } from './PlanControls.tsx'
import { TierComparison, tierNames } from './TierComparison.tsx'
import { useConfirmation } from './use-confirmation.ts'
import { useDay } from '../../kit/browser/use-day.ts'
import { VatLine } from './VatLine.tsx'
import { WhatHappens } from './WhatHappens.tsx'
import { readUpgrade } from './upgraded.ts'

/** The document holds nothing private; the script loads the merchant's plan. */
export const headers = () => ({ 'Cache-Control': 'no-store' })

export default function UpgradeScreen() {
  const t = useTranslations('upgrade')
  const frame = useTranslations('frame')
  return (
    <MerchantPage title={t('title')} description={t('description')} lead={t('lead')} guest={frame('guest.upgrade')}>
      {(businessId) => <Upgrade key={businessId} businessId={businessId} />}
    </MerchantPage>
  )
}

const toDashboardMs = 2000

type UpgradeOutcome =
  { kind: 'done'; tier: string } | { kind: 'later'; tier: PaidTier; at: string } | { kind: 'failed'; text: string }

function Upgrade({ businessId }: { businessId: string }) {
  const t = useTranslations('upgrade')
  const day = useDay()
  const [search, setSearch] = useSearchParams()
  const current = useAnswer(getSubscription, { as: 'background', params: { business_id: businessId } })
  const paid = useAnswer(getMySubscription, { as: 'background' })
  const [chosenTier, setTier] = useState<PaidTier | null>(null)
  const [chosen, setChosen] = useState<Interval | null>(null)
  const [sending, setSending] = useState(false)
  const [outcome, setOutcome] = useState<UpgradeOutcome | null>(null)
  const [awaited] = useState(() => search.get('paid'))
  const confirmed = useConfirmation(awaited !== null && outcome === null, ({ subscription_tier }) =>
    subscription_tier === awaited || subscription_tier === 'ULTIMATE' ? subscription_tier : null,
  )
  useEffect(() => {
    // Confirm once: coming back to this page later must not look like a new payment.
    if (confirmed) setSearch({}, { replace: true, preventScrollReset: true })
  }, [confirmed, setSearch])
  const known = chosen ?? paid.body?.pending_change?.interval ?? paid.body?.interval
  // Until the current plan is known, no interval is shown as chosen: it could change before the merchant confirms.
  const shown = known ?? (paid.body ? 'month' : null)
  const interval = shown ?? 'month'
  // If the request for the tier was refused, the subscription still tells it.
  const bought = confirmed ?? (outcome?.kind === 'done' ? outcome.tier : null)
  const knownTier = bought ?? current.body?.subscription_tier ?? paid.body?.subscription_tier
  // FREE until the tier is loaded. If loading fails: unknown, so that a paying merchant is not called FREE.
  const now = knownTier ?? (current.refused ? null : 'FREE')
  const isKnown = !!(current.body ?? current.refused) && !!(paid.body ?? paid.refused)
  // Preselect the planned or current tier, so that confirming changes nothing by accident.
  const offered = paid.body?.pending_change?.tier ?? paidTiers.find((each) => each === knownTier) ?? 'PREMIUM'
  const shownTier = chosenTier ?? (isKnown ? offered : null)
  const tier = shownTier ?? offered
  const done: UpgradeOutcome | null = bought ? { kind: 'done', tier: bought } : outcome
  useDashboardAfter(done?.kind === 'done')

  async function confirm() {
    setSending(true)
    setOutcome(null)
    // Without an interval the server keeps that of the current plan.
    const body = { newTier: tier, ...(known ? { interval: known } : {}) }
    const { answer, refused } = await ask(callByFetch, readAs(upgradeBusiness, readUpgrade), { as: 'action', body })
    const failed: UpgradeOutcome = { kind: 'failed', text: refused?.error || t('failed') }
    if (answer?.body.sessionUrl && leaveFor(answer.body.sessionUrl)) return
    setSending(false)
    if (!answer) {
      // Load again: another tab may have changed the plan, or this request did and its answer got lost.
      current.again()
      paid.again()
    }
    if (!answer || answer.body.sessionUrl) return setOutcome(failed)
    const { pending_change: later, tier: sold } = answer.body
    // Maybe only the interval changes later, while the higher tier is already paid.
    const isRisen = sold === tier && sold !== now
    setOutcome(later && !isRisen ? { kind: 'later', tier: later.tier, at: later.at } : { kind: 'done', tier: sold })
  }

  if (current.refused?.status === 401) return <SessionOver />
  return (
    <>
      {current.refused && <NotLoaded refused={current.refused} again={current.again} text={t('failedLoad')} />}
      {now !== null && (
        <p className="flex flex-wrap items-baseline gap-x-3">
          <span className="text-ink-soft">{t('current')}</span>
          <span className="figure flex items-center gap-2 text-2xl">
            {now}
            {now !== 'FREE' && <LanternShape className="size-6 fill-lantern-text" />}
          </span>
          {paid.body?.current_period_end && paid.body.status !== 'past_due' && (
            <span className="text-ink-soft">{t('paidUntil', { date: day(paid.body.current_period_end) })}</span>
          )}
        </p>
      )}
      {paid.body && (
        <Overdue
          paid={paid.body}
          again={paid.again}
          action={paid.body.has_portal && <ButtonLink href={page.dashboard}>{t('toDashboard')}</ButtonLink>}
        />
      )}
      <form
        className="grid grid-cols-1 gap-8"
        onSubmit={(event) => {
          event.preventDefault()
          void confirm()
        }}
      >
        <div className="grid gap-6 lg:grid-cols-2">
          <Choice legend={t('plan')}>
            {paidTiers.map((each) => (
              <Radio
                key={each}
                name="tier"
                value={each}
                checked={shownTier === each}
                onChoose={() => setTier(each)}
                label={t(`radio.${each}`)}
                help={t('perYear', { price: chfShort(priceRappen({ tier: each, interval: 'year' }) / 100) })}
              />
            ))}
          </Choice>
          <Choice legend={t('rhythm')}>
            {intervals.map((each) => (
              <Radio
                key={each}
                name="interval"
                value={each}
                checked={shown === each}
                onChoose={() => setChosen(each)}
                label={t(`interval.${each}`)}
                help={t(`intervalHelp.${each}`, { price: chfShort(priceRappen({ tier, interval: each }) / 100) })}
              />
            ))}
          </Choice>
        </div>
        <TierComparison current={now} chosen={tier} />
        <div className="grid justify-items-start gap-4">
          {awaited !== null && !done && <Notice kind="info">{t('waiting')}</Notice>}
          {done?.kind === 'done' && <Notice kind="success">{t('done', { tier: done.tier })}</Notice>}
          {done?.kind === 'later' && (
            <Notice kind="success">{t('later', { tier: tierNames[done.tier], date: day(done.at) })}</Notice>
          )}
          {done?.kind === 'failed' && <Notice kind="error">{done.text}</Notice>}
          {paid.body && (!done || done.kind === 'failed') && (
            <WhatHappens paid={paid.body} wanted={{ tier, interval }} />
          )}
          <Button
            type="submit"
            variant="primary"
            size="lg"
            loading={sending}
            loadingText={t('sending')}
            disabled={done?.kind === 'done' || shownTier === null}
            className="max-sm:w-full"
          >
            {t('confirm')}
          </Button>
          <p className="max-w-[60ch] text-sm text-ink-soft">
            <VatLine paid={paid.body} />{' '}
            {t.rich('small', {
              billing: (chunks) => (
                <a href={`${page.invoices}#billing`} className="link">
                  {chunks}
                </a>
              ),
              contact: (chunks) => (
                <a href={`${page.contact}?topic=merchant`} className="link">
                  {chunks}
                </a>
              ),
            })}
          </p>
        </div>
      </form>
    </>
  )
}

function useDashboardAfter(done: boolean) {
  const navigate = useNavigate()
  useEffect(() => {
    if (!done) return
    const timer = setTimeout(() => void navigate(page.dashboard), toDashboardMs)
    return () => clearTimeout(timer)
  }, [done, navigate])
}

function Choice({ legend, children }: { legend: string; children: ReactNode }) {
  return (
    <fieldset className="grid content-start gap-2">
      <legend className="pb-3 font-semibold">{legend}</legend>
      {children}
    </fieldset>
  )
}

function Radio({
  name,
  value,
  checked,
  onChoose,
  label,
  help,
}: {
  name: string
  value: string
  checked: boolean
  onChoose: () => void
  label: string
  help: string
}) {
  const id = useId()
  return (
    <label
      className={`grid cursor-pointer gap-1 rounded-6 border-2 bg-surface px-4 py-3 ${checked ? 'border-ink shadow-[inset_0_0_0_2px_var(--color-ink)]' : 'border-rule'}`}
    >
      <span className="flex items-center gap-3 text-lg font-semibold">
        <input
          type="radio"
          name={name}
          value={value}
          checked={checked}
          onChange={onChoose}
          aria-labelledby={`${id}name`}
          aria-describedby={`${id}help`}
          className="size-5 shrink-0"
        />
        <span id={`${id}name`}>{label}</span>
      </span>
      <span id={`${id}help`} className="pl-8 text-sm text-ink-soft">
        {help}
      </span>
    </label>
  )
}
