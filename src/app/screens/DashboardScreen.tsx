import type { ReactNode } from 'react'
import { CircleHelp, Eye, MousePointerClick, Pencil, ReceiptText } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { NoBusinessHere, useBusinessHere } from '../../accounts/web/guards.tsx'
import { LateScript, NoScript } from '../../accounts/web/parts.tsx'
import { VerifyBanner } from '../../accounts/web/VerifyBanner.tsx'
import type * as contract from '../../businesses/contract.ts'
import { BusinessLogo } from '../../businesses/web/BusinessLogo.tsx'
import { PageHead } from '../../kit/browser/PageHead.tsx'
import { StarShape } from '../../brand/Badge.tsx'
import { Button, ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { Card } from '../../kit/browser/ui/Card.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { Skeleton } from '../../kit/browser/ui/Skeleton.tsx'
import { WaveRule } from '../../kit/browser/ui/WaveRule.tsx'
import { useAnswer, type Asked } from '../../kit/browser/use-answer.ts'
import type { AnswerBody } from '../../kit/shared/endpoint.ts'
import type { PaymentRecord } from '../../payments/web/calls.ts'
import { PlanControls, PromotionLine, usePayment } from '../../payments/web/PlanControls.tsx'
import { businessPage, page } from '../../site-map.ts'
import { getStats, getSubscription } from '../../businesses/web/calls.ts'
import { listOwnDeals } from '../../deals/web/editing/calls.ts'
import { Checklist } from './dashboard/Checklist.tsx'
import { OwnDeals } from './dashboard/OwnDeals.tsx'

type Stats = AnswerBody<typeof contract.getStats>
type Subscription = AnswerBody<typeof contract.getSubscription>

/** The same document for everybody; what is private comes by script. */
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
        <>
          <Band />
          <div className="shell py-10 md:py-14">
            {known ? (
              <NoBusinessHere text={t('guest')} />
            ) : (
              <>
                <NoScript kind="dashboard" />
                <div className="not-empty:pb-5">
                  <LateScript kind="page" />
                </div>
                <div className="grid gap-5 md:grid-cols-3 noscript:hidden">
                  <Skeleton className="h-40" />
                  <Skeleton className="h-40" />
                  <Skeleton className="h-40" />
                </div>
              </>
            )}
          </div>
        </>
      )}
    </>
  )
}

/** The four calls of the specification, side by side; each part shows as soon as its own answer is there. */
function Dashboard({ businessId }: { businessId: string }) {
  const at = { as: 'background', params: { business_id: businessId } } as const
  const subscription = useAnswer(getSubscription, at)
  const deals = useAnswer(listOwnDeals, at)
  const stats = useAnswer(getStats, at)
  const payment = usePayment()
  const t = useTranslations('dashboard')
  const isOver = [subscription, deals, stats].some(({ refused }) => refused?.status === 401)
  const { body } = subscription
  const wishes = body?.requested_tier === 'PREMIUM' && body.subscription_tier === 'FREE'
  return (
    <>
      <Band name={body ? body.business_name || t('unnamed') : null} />
      <div className="shell grid gap-8 py-8 md:gap-10 md:py-12">
        {isOver && <NoBusinessHere text={t('guest')} />}
        {body?.email_verified === false && <VerifyBanner email={null} must={body.must_verify === true} />}
        {body?.suspended_at && <Suspended reason={body.suspended_reason ?? null} />}
        {wishes && <Wish />}
        {body && deals.body && (
          <Checklist
            steps={{
              profile: Boolean(body.description) && body.has_address !== false,
              hours: body.has_hours !== false,
              location: body.has_location !== false,
              deal: deals.body.length > 0,
            }}
          />
        )}
        <Stats stats={stats} />
        <OwnDeals deals={deals} tier={body?.subscription_tier ?? null} />
        <div>
          <div className="grid content-start gap-5 sm:grid-cols-2 xl:grid-cols-4">
            <Profile businessId={businessId} subscription={subscription} />
            <Tier subscription={subscription} payment={payment} />
            <Sheet title={t('promote')} icon={<StarShape className="size-6 fill-lantern-text" />}>
              <p>{t('promoteText')}</p>
              <PromotionLine payment={payment} />
              <ButtonLink href={page.promote} className="justify-self-start">
                {t('promoteNow')}
              </ButtonLink>
            </Sheet>
            <Sheet title={t('help')} icon={<CircleHelp aria-hidden="true" className="size-6" />}>
              <p>{t('helpText')}</p>
              <p className="flex flex-wrap gap-x-5">
                <Way href={page.help}>{t('helpCenter')}</Way>
                <Way href={`${page.contact}?topic=merchant`}>{t('contact')}</Way>
                <Way href={page.dealAnalytics}>{t('analytics')}</Way>
                <Way href={page.redeem}>{t('redeem')}</Way>
              </p>
            </Sheet>
          </div>
        </div>
      </div>
    </>
  )
}

function Band({ name }: { name?: string | null }) {
  const t = useTranslations('dashboard')
  return (
    <div className="river overflow-clip bg-river">
      <div className="shell grid gap-1 pt-8 pb-4 md:pt-12">
        <h1 className="text-paper">{t('title')}</h1>
        <p className="figure min-h-[1.3em] text-xl text-lantern [overflow-wrap:anywhere]">{name}</p>
      </div>
      <WaveRule className="text-coral" />
    </div>
  )
}

/** By staff: why, what of it goes on, and whom to ask. */
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

/** Chosen at signup, not paid yet. */
function Wish() {
  const t = useTranslations('dashboard')
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-3 rounded-6 border-2 border-night bg-lantern p-4 text-on-lantern sm:p-5">
      <StarShape className="size-8 fill-night max-sm:hidden" />
      <p className="min-w-[min(100%,13rem)] flex-1">{t('completeText')}</p>
      <ButtonLink href={page.upgrade} variant="primary">
        {t('complete')}
      </ButtonLink>
    </div>
  )
}

function Sheet({ title, icon, children }: { title: string; icon?: ReactNode; children: ReactNode }) {
  return (
    <Card as="section" className="grid content-start gap-3">
      <h2 className="flex items-center gap-2 text-lg">
        {icon}
        {title}
      </h2>
      {children}
    </Card>
  )
}

function Way({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a href={href} className="link inline-flex min-h-11 items-center">
      {children}
    </a>
  )
}

/** Why a part is missing: the server's words where it has some, else the specification's. */
function faultOf({ refused }: Pick<Asked<unknown>, 'refused'>, text: string): string | null {
  return refused && (refused.error || text)
}

function Failed({ text, again }: { text: string; again: () => void }) {
  const t = useTranslations('dashboard')
  return (
    <Notice kind="warn" action={<Button onClick={again}>{t('again')}</Button>}>
      {text}
    </Notice>
  )
}

function Profile({
  businessId,
  subscription: { body, refused },
}: {
  businessId: string
  subscription: Asked<Subscription>
}) {
  const t = useTranslations('dashboard')
  if (!body && !refused) return <Skeleton className="h-56" />
  const name = body?.business_name || t('unnamed')
  const logo = {
    business_id: businessId,
    business_name: name,
    category: body?.category ?? 'other',
    logo_url: body?.logo_url ?? null,
    logo_image: body?.logo_image ?? null,
  }
  return (
    <Card as="section" className="grid content-start gap-3">
      <div className="flex items-center gap-4">
        <span className="relative size-16 shrink-0 overflow-clip rounded-6 border-2 border-rule">
          <BusinessLogo business={logo} eager />
        </span>
        <h2 className="min-w-0 text-xl [overflow-wrap:anywhere]">{name}</h2>
      </div>
      <p className="line-clamp-3 text-ink-soft [overflow-wrap:anywhere]">{body?.description || t('profileText')}</p>
      <p className="flex flex-wrap items-center gap-x-5 gap-y-2">
        <ButtonLink href={page.editBusiness} icon={<Pencil aria-hidden="true" className="size-5" />}>
          {t('editProfile')}
        </ButtonLink>
        {!body?.suspended_at && <Way href={businessPage(businessId)}>{t('publicPage')}</Way>}
      </p>
    </Card>
  )
}

function Tier({ subscription, payment }: { subscription: Asked<Subscription>; payment: Asked<PaymentRecord> }) {
  const t = useTranslations('dashboard')
  const fault = faultOf(subscription, t('failedTier'))
  const tier = subscription.body?.subscription_tier ?? 'FREE'
  return (
    <Sheet title={t('subscription')} icon={<ReceiptText aria-hidden="true" className="size-6" />}>
      {fault && <Failed text={fault} again={subscription.again} />}
      <p>
        <span className="text-sm text-ink-soft">{t('tier')}</span>
        <span className="figure flex items-center gap-2 text-2xl">
          {tier}
          {tier !== 'FREE' && <StarShape className="size-6 fill-lantern-text" />}
        </span>
      </p>
      <p className="text-sm text-ink-soft">{t(`tiers.${tier}`)}</p>
      {tier === 'FREE' && (
        <ButtonLink href={page.upgrade} className="justify-self-start">
          {t('upgrade')}
        </ButtonLink>
      )}
      <PlanControls tier={tier} payment={payment} />
    </Sheet>
  )
}

const figures = [
  ['profileViews', 'views', <Eye key="views" aria-hidden="true" className="size-5" />],
  ['dealClicks', 'clicks', <MousePointerClick key="clicks" aria-hidden="true" className="size-5" />],
  ['sales', 'sales', <ReceiptText key="sales" aria-hidden="true" className="size-5" />],
] as const

/** Three figures as large as on a poster; 0 until they are known. */
function Stats({ stats }: { stats: Asked<Stats> }) {
  const t = useTranslations('dashboard')
  const fault = faultOf(stats, t('failedStats'))
  const waiting = !stats.body && !stats.refused
  return (
    <section aria-labelledby="quick-stats" className="grid gap-4">
      <h2 id="quick-stats">{t('stats')}</h2>
      {fault && <Failed text={fault} again={stats.again} />}
      <dl
        aria-busy={waiting || undefined}
        className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,max(8.5rem,40%)),1fr))] gap-3 sm:grid-cols-3 sm:gap-5"
      >
        {figures.map(([field, label, icon]) => {
          const count = stats.body?.[field] ?? 0
          return (
            <div
              key={field}
              className="grid content-between gap-2 rounded-6 border-2 border-rule bg-surface p-4 last:max-sm:col-[1/-1]"
            >
              <dt className="flex items-center gap-2 text-sm font-semibold wrap-anywhere">
                {icon}
                {t(label)}
              </dt>
              <dd
                className={`figure text-3xl leading-none [overflow-wrap:anywhere] ${waiting ? 'animate-breathe' : ''}`}
              >
                {field === 'sales' ? t('salesCHF', { amount: francs(count) }) : grouped(count)}
              </dd>
            </div>
          )
        })}
      </dl>
    </section>
  )
}

const grouped = (value: number) => new Intl.NumberFormat('de-CH').format(value)
const francs = (value: number) =>
  new Intl.NumberFormat('de-CH', { minimumFractionDigits: value % 1 ? 2 : 0, maximumFractionDigits: 2 }).format(value)
