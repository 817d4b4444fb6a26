import 'texts:accountForms,categories,checklist,dashboard,deals,forms,ownDeals,plan,verification'
import { useEffect, useState } from 'react'
import CircleHelp from 'lucide-react/icons/circle-question-mark'
import { useTranslations } from 'use-intl'
import { NoBusinessHere, SessionOver, useBusinessHere } from '../../accounts/web/guards.tsx'
import { LateScript, NoScript } from '../../accounts/web/parts.tsx'
import { VerifyBanner } from '../../accounts/web/VerifyBanner.tsx'
import { PageHead } from '../../kit/browser/PageHead.tsx'
import { LanternShape } from '../../brand/Badge.tsx'
import { ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { AccountPage } from '../../kit/browser/ui/Page.tsx'
import { Waiting } from '../../kit/browser/ui/Skeleton.tsx'
import { staleAfterMs, onReturn } from '../../kit/browser/on-return.ts'
import { useAnswer, type AnswerState } from '../../kit/browser/use-answer.ts'
import { PromotionLine, useMySubscription } from '../../payments/web/PlanControls.tsx'
import { page } from '../../site-map.ts'
import { getStats, getSubscription } from '../../businesses/contract.ts'
import { listDealsOfBusiness } from '../../deals/contract.ts'
import { Checklist } from './dashboard/Checklist.tsx'
import { OwnDeals } from './dashboard/OwnDeals.tsx'
import { Profile, Sheet, Tier } from './dashboard/Sheets.tsx'
import { Stats } from './dashboard/Stats.tsx'
import { TonightRow } from './dashboard/TonightRow.tsx'
import { TextLink } from './dashboard/TextLink.tsx'

/** The document has no private data: it is the same for everybody, and scripts load the rest. */
export const headers = () => ({ 'Cache-Control': 'no-store' })

export default function DashboardScreen() {
  const t = useTranslations('dashboard')
  const { known, businessId } = useBusinessHere()
  return (
    <>
      <PageHead title={t('title')} description={t('description')} hidden />
      {businessId !== null ? (
        <Dashboard key={businessId} businessId={businessId} />
      ) : (
        <AccountPage title={t('title')} lead="">
          {known ? (
            <NoBusinessHere text={t('guest')} />
          ) : (
            <>
              <NoScript kind="dashboard" />
              <LateScript kind="page" />
              <Waiting sizes={['h-40', 'h-40', 'h-40']} className="grid gap-5 md:grid-cols-3" />
            </>
          )}
        </AccountPage>
      )}
    </>
  )
}

/** Makes the specified calls in parallel; each part of the page shows as soon as its own answer is there. */
function Dashboard({ businessId }: { businessId: string }) {
  const at = { as: 'background', params: { business_id: businessId } } as const
  const subscription = useLasting(useAnswer(getSubscription, at))
  const deals = useLasting(useAnswer(listDealsOfBusiness, at))
  const stats = useLasting(useAnswer(getStats, at))
  useEffect(() => {
    let since = Date.now()
    return onReturn(() => {
      if (Date.now() - since <= staleAfterMs) return
      since = Date.now()
      for (const again of [subscription.again, deals.again, stats.again]) again()
    })
  }, [subscription.again, deals.again, stats.again])
  const payment = useMySubscription()
  const t = useTranslations('dashboard')
  const isSessionOver = [subscription, deals, stats].some(({ refused }) => refused?.status === 401)
  const { body } = subscription
  // one message for the page, not one per part
  if (isSessionOver)
    return (
      <AccountPage title={t('title')} lead="">
        <SessionOver />
      </AccountPage>
    )
  const isUnpaid = body?.requested_tier === 'PREMIUM' && body.subscription_tier === 'FREE'
  return (
    <AccountPage
      title={t('title')}
      lead={<span className="figure text-lantern">{body && (body.business_name || t('unnamed'))}</span>}
    >
      {body?.email_verified === false && <VerifyBanner kind="business" email={null} must={body.must_verify === true} />}
      {body?.suspended_at && <Suspended reason={body.suspended_reason ?? null} />}
      {isUnpaid && <UnpaidTier />}
      <TonightRow tonight={stats.body?.tonight ?? null} />
      {body && deals.body && (
        <Checklist
          steps={{
            profile: Boolean(body.description) && body.has_address !== false,
            hours: body.has_hours !== false,
            location: body.has_location !== false,
            deal: deals.body.some(({ status }) => status !== 'draft'),
          }}
        />
      )}
      <OwnDeals deals={deals} tier={body?.subscription_tier ?? null} />
      <Stats stats={stats} />
      <div>
        <div className="grid items-start gap-5 sm:grid-cols-2 xl:grid-cols-4">
          <Profile businessId={businessId} subscription={subscription} />
          <Tier subscription={subscription} payment={payment} />
          <Sheet title={t('promote')} icon={<LanternShape className="size-6 fill-lantern-text" />}>
            <p>{t('promoteText')}</p>
            <PromotionLine payment={payment} />
            <ButtonLink href={page.promote} className="justify-self-start">
              {t('promoteNow')}
            </ButtonLink>
          </Sheet>
          <Sheet title={t('help')} icon={<CircleHelp aria-hidden="true" className="size-6" />}>
            <p>{t('helpText')}</p>
            <p className="flex flex-wrap gap-x-5">
              <TextLink href={page.help}>{t('helpCenter')}</TextLink>
              <TextLink href={`${page.contact}?topic=merchant`}>{t('contact')}</TextLink>
            </p>
          </Sheet>
        </div>
      </div>
    </AccountPage>
  )
}

/** Keeps the last answer when a later request fails, so that the part shows it below the error notice. */
function useLasting<Body>(answer: AnswerState<Body>): AnswerState<Body> {
  const [last, setLast] = useState(answer.body)
  if (answer.body !== null && answer.body !== last) setLast(answer.body)
  return answer.body === null && answer.refused ? { ...answer, body: last } : answer
}

/** Notice that staff suspended the business: why, what still works, and whom to ask. */
function Suspended({ reason }: { reason: string | null }) {
  const t = useTranslations('dashboard')
  return (
    <Notice
      kind="error"
      title={t('suspended.title')}
      action={<ButtonLink href={`${page.contact}?topic=merchant`}>{t('suspended.contact')}</ButtonLink>}
    >
      {reason && <p className="wrap-anywhere">{t('suspended.reason', { reason })}</p>}
      <p>{t('suspended.text')}</p>
    </Notice>
  )
}

/** Asks to pay for the tier that was chosen at signup. */
function UnpaidTier() {
  const t = useTranslations('dashboard')
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-3 rounded-6 border-2 border-night bg-lantern p-4 text-on-lantern sm:p-5">
      <LanternShape className="size-8 fill-night max-sm:hidden" />
      <p className="min-w-[min(100%,13rem)] flex-1">{t('completeText')}</p>
      <ButtonLink href={page.upgrade} variant="primary">
        {t('complete')}
      </ButtonLink>
    </div>
  )
}
