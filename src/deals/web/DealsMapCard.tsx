import { useEffect, useEffectEvent, useRef, type ReactNode } from 'react'
import X from 'lucide-react/icons/x'
import { useTranslations } from 'use-intl'
import { PremiumBadge, SponsoredBadge } from '../../brand/Badge.tsx'
import { IconButton } from '../../kit/browser/ui/Button.tsx'
import { CardPicture } from '../../kit/browser/ui/Card.tsx'
import { Skeleton } from '../../kit/browser/ui/Skeleton.tsx'
import { useAnswer } from '../../kit/browser/use-answer.ts'
import { businessPage, dealPage } from '../../site-map.ts'
import { type Deal, getDeal } from '../contract.ts'
import type { MapListDeal } from './card-deal.ts'
import { dealPicture } from './DealCard.tsx'
import { DealPrice } from './DealPrice.tsx'
import { DealSlots } from './DealSlots.tsx'
import { DealsMapMerchant } from './DealsMapMerchant.tsx'
import { MapActions } from './MapActions.tsx'
import { whyMissing, type MapMerchant, type Missing } from './use-merchant.ts'
import { useLang } from './use-lang.ts'

/** Height of the bar at the lower edge of phones. */
const barPx = 64

/**
 * The card of a pin: one deal or merchant, or a small list of the things at one place. Opened by hand it takes the focus; Escape and
 * the cross close it.
 */
export function DealsMapCard({
  dealId,
  known,
  merchant,
  stack,
  stackName,
  onClose,
}: {
  dealId: string | null
  known: Deal | MapListDeal | null
  /** Null: the card shows no merchant. */
  merchant: { merchant: MapMerchant | null; missing: Missing | null } | null
  /** Content other than a deal or merchant: a venue, a useful place, a list. */
  stack: ReactNode
  /** Name of `stack`; null: a list of things at one place. */
  stackName: string | null
  onClose: () => void
}) {
  const t = useTranslations('dealsMap')
  const box = useRef<HTMLElement>(null)
  const isFirstPage = useRef(true)
  useEffect(() => {
    // a card opened by the address does not take the focus
    if (isFirstPage.current && document.activeElement === document.body) {
      isFirstPage.current = false
      return
    }
    const first = box.current?.querySelector<HTMLElement>('[data-first]')
    first?.focus({ preventScroll: true })
    // on low screens it opens out of sight
    if (first && first.getBoundingClientRect().bottom > innerHeight - barPx)
      box.current!.scrollIntoView({ block: 'nearest' })
  }, [])
  const closeOnEscape = useEffectEvent((event: KeyboardEvent) => {
    // Escape closes an open dialog first
    if (event.key !== 'Escape' || event.defaultPrevented || document.querySelector('dialog[open]')) return
    event.preventDefault()
    onClose()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => closeOnEscape(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
  const { body, refused } = useAnswer(getDeal, dealId && !known ? { params: { deal_id: dealId } } : null)
  const deal = known ?? body
  const why = refused ? whyMissing(refused) : merchant?.missing

  return (
    <article
      ref={box}
      aria-label={deal?.deal_name ?? merchant?.merchant?.business_name ?? stackName ?? t('here')}
      className="relative flex min-h-0 animate-open flex-col overflow-y-auto overscroll-contain beside:flex-1"
    >
      <IconButton
        label={t('close')}
        icon={<X aria-hidden="true" className="size-6" />}
        onClick={onClose}
        className="absolute top-2 right-2 z-10 border-rule! bg-surface"
      />
      {deal ? (
        <Card deal={deal} />
      ) : merchant?.merchant ? (
        <DealsMapMerchant merchant={merchant.merchant} />
      ) : stack ? (
        stack
      ) : (
        <div className="grid gap-3 p-4 pr-16">
          {why ? (
            <p data-first tabIndex={-1} className="font-semibold">
              {t(why === 'failed' ? 'cardFailed' : merchant ? 'merchantGone' : 'gone')}
            </p>
          ) : (
            <>
              <Skeleton className="h-6 w-3/4" />
              <Skeleton className="h-4 w-1/2" />
              <Skeleton className="h-11" />
            </>
          )}
        </div>
      )}
    </article>
  )
}

function Card({ deal }: { deal: Deal | MapListDeal }) {
  const t = useTranslations('dealsMap')
  const say = useTranslations('deals')
  const lang = useLang(deal)
  return (
    <>
      <div className="relative shrink-0 border-b-2 border-rule bg-well stage:h-20 beside:aspect-[4/3] beside:max-h-[35dvh]">
        <CardPicture src={dealPicture(deal)} eager />
        {deal.is_premium && (
          <span className="absolute top-2 left-2">
            {'sponsored' in deal && deal.sponsored ? (
              <SponsoredBadge>{say('sponsored')}</SponsoredBadge>
            ) : (
              <PremiumBadge>{say('premium')}</PremiumBadge>
            )}
          </span>
        )}
      </div>
      <div className="grid gap-2 p-4">
        <h2 data-first tabIndex={-1} lang={lang} className="text-xl [overflow-wrap:anywhere]">
          {deal.deal_name}
        </h2>
        <DealSlots
          deal={deal}
          where={
            deal.business_id && (
              <a href={businessPage(deal.business_id)} className="link">
                {deal.business_name || t('openMerchant')}
              </a>
            )
          }
          price={<DealPrice deal={deal} size="lg" />}
        />
        {deal.description && (
          <p className="line-clamp-3 text-sm whitespace-pre-line text-ink-soft [overflow-wrap:anywhere] stage:line-clamp-2">
            {deal.description}
          </p>
        )}
        <MapActions page={dealPage(deal.deal_id)} thing={deal} name={deal.business_name || deal.deal_name}>
          {t('openDeal')}
        </MapActions>
      </div>
    </>
  )
}
