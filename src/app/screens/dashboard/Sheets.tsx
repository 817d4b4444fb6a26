import type { ReactNode } from 'react'
import Pencil from 'lucide-react/icons/pencil'
import ReceiptText from 'lucide-react/icons/receipt-text'
import { useTranslations } from 'use-intl'
import { NotLoaded } from '../../../accounts/web/guards.tsx'
import { LanternShape } from '../../../brand/Badge.tsx'
import type * as contract from '../../../businesses/contract.ts'
import { BusinessLogo } from '../../../businesses/web/BusinessLogo.tsx'
import { ButtonLink } from '../../../kit/browser/ui/Button.tsx'
import { Card } from '../../../kit/browser/ui/Card.tsx'
import { Waiting } from '../../../kit/browser/ui/Skeleton.tsx'
import type { AnswerState } from '../../../kit/browser/use-answer.ts'
import type { AnswerBody } from '../../../kit/shared/endpoint.ts'
import type { MySubscription } from '../../../payments/contract.ts'
import { PlanControls } from '../../../payments/web/PlanControls.tsx'
import { businessPage, page } from '../../../site-map.ts'
import { TextLink } from './TextLink.tsx'

type Subscription = AnswerBody<typeof contract.getSubscription>

export function Sheet({ title, icon, children }: { title: string; icon?: ReactNode; children: ReactNode }) {
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

export function Profile({
  businessId,
  subscription: { body, refused },
}: {
  businessId: string
  subscription: AnswerState<Subscription>
}) {
  const t = useTranslations('dashboard')
  if (!body && !refused) return <Waiting sizes={['h-56']} />
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
        {!body?.suspended_at && <TextLink href={businessPage(businessId)}>{t('publicPage')}</TextLink>}
      </p>
    </Card>
  )
}

export function Tier({
  subscription,
  payment,
}: {
  subscription: AnswerState<Subscription>
  payment: AnswerState<MySubscription>
}) {
  const t = useTranslations('dashboard')
  // the payment says the tier too, if the subscription could not be loaded
  const known = subscription.body?.subscription_tier ?? payment.body?.subscription_tier
  const tier = known ?? 'FREE'
  // FREE while it loads, but not when loading failed: a merchant who pays must not read "FREE"
  const isShown = known !== undefined || !subscription.refused
  return (
    <Sheet title={t('subscription')} icon={<ReceiptText aria-hidden="true" className="size-6" />}>
      {subscription.refused && (
        <NotLoaded refused={subscription.refused} again={subscription.again} text={t('failedTier')} />
      )}
      {isShown && (
        <>
          <p>
            <span className="text-sm text-ink-soft">{t('tier')}</span>
            <span className="figure flex items-center gap-2 text-2xl">
              {tier}
              {tier !== 'FREE' && <LanternShape className="size-6 fill-lantern-text" />}
            </span>
          </p>
          <p className="text-sm text-ink-soft">{t(`tiers.${tier}`)}</p>
        </>
      )}
      {tier === 'FREE' && (
        <ButtonLink href={page.upgrade} className="justify-self-start">
          {t('upgrade')}
        </ButtonLink>
      )}
      <PlanControls tier={tier} payment={payment} />
    </Sheet>
  )
}
