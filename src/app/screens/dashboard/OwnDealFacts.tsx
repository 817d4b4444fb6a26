import { useTranslations } from 'use-intl'
import { Badge, type Tone } from '../../../brand/Badge.tsx'
import type { OwnDeal } from '../../../deals/contract.ts'
import { useWhen } from '../../../kit/browser/when.ts'
import { withoutCurrency } from '../../../kit/shared/money.ts'
import { usePeriod } from './use-period.ts'

const tones: Record<string, Tone> = { active: 'moss', scheduled: 'ink', sold_out: 'wine', archived: 'wine' }
const statuses = ['draft', 'scheduled', 'active', 'paused', 'sold_out', 'expired', 'archived'] as const

export function Status({ deal, isArchived }: { deal: OwnDeal; isArchived: boolean }) {
  const t = useTranslations('dashboard')
  const own = useTranslations('ownDeals')
  if (isArchived) return <Badge>{own('isArchived')}</Badge>
  const status = statuses.find((each) => each === deal.status)
  return status ? <Badge tone={tones[status] ?? 'plain'}>{t(`dealStatus.${status}`)}</Badge> : null
}

const dots: Record<string, string> = {
  active: 'bg-moss',
  scheduled: 'bg-water',
  sold_out: 'bg-wine',
  archived: 'bg-wine',
}

/** The same as a dot and a word, for dense lists. */
export function StatusDot({ deal, isArchived }: { deal: OwnDeal; isArchived: boolean }) {
  const t = useTranslations('dashboard')
  const own = useTranslations('ownDeals')
  const status = statuses.find((each) => each === deal.status)
  if (!status && !isArchived) return null
  const dot = (!isArchived && status && dots[status]) || 'bg-transparent'
  return (
    <span className="font-semibold text-ink">
      <span aria-hidden="true" className={`mr-1.5 inline-block size-2.5 rounded-full border-2 border-rule ${dot}`} />
      {isArchived ? own('isArchived') : t(`dealStatus.${status!}`)}
    </span>
  )
}

/** Price and discount, without a sign between them, since the row may wrap there. */
export function Prices({ deal }: { deal: OwnDeal }) {
  const t = useTranslations('dashboard')
  return (
    <>
      {deal.price && <span>{t('price', { price: withoutCurrency(deal.price) })}</span>}
      {deal.discount && <span className="text-action-text">{t('discount', { discount: deal.discount })}</span>}
    </>
  )
}

export function Period({ deal }: { deal: OwnDeal }) {
  return usePeriod()(deal)
}

/** Hidden by staff: the merchant cannot change it. Deals that the merchant archived are not in the list. */
export const isHidden = (deal: OwnDeal) => deal.status === 'archived'

/** Why visitors do not find the deal, or not on the map, when that is not the merchant's decision. */
export function Hint({ deal }: { deal: OwnDeal }) {
  const own = useTranslations('ownDeals')
  const { now } = useWhen()
  const isOver = deal.ends_at !== null && Date.parse(deal.ends_at) <= now
  const text = isHidden(deal)
    ? deal.hidden_reason
      ? own('hiddenReason', { reason: deal.hidden_reason })
      : own(deal.hidden_with_merchant ? 'hiddenWithMerchant' : 'hidden')
    : deal.status === 'expired' && !isOver
      ? own('neverUsable')
      : deal.latitude === null
        ? own('noPlace')
        : null
  return text && <span className="block text-sm font-semibold wrap-anywhere text-lantern-text">{text}</span>
}
