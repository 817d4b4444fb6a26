import { useTranslations } from 'use-intl'
import { chfDisplay } from '../../kit/shared/numbers.ts'
import { Badge } from '../../brand/Badge.tsx'
import { Price } from '../../kit/browser/ui/Price.tsx'
import type { Deal } from '../contract.ts'
import { amountIn } from '../policy.ts'

type Priced = Pick<Deal, 'price' | 'price_chf' | 'discount' | 'regular_price_chf' | 'regular_price_since'>

/** The price in display type; the regular price struck out only if it is known since when it was asked. */
export function DealPrice({ deal, size = 'md' }: { deal: Priced; size?: 'md' | 'lg' }) {
  const t = useTranslations('deals')
  const { main, isAmount, rest } = priceOf(deal)
  const was = struckPrice(deal)
  if (!main) return null
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
      {isAmount ? (
        <Price size={size} was={was} wasLabel={t('insteadOf')}>
          {main === '0' ? t('free') : main}
        </Price>
      ) : (
        <span
          className={`figure min-w-0 text-ink [overflow-wrap:anywhere] ${size === 'lg' ? 'text-2xl' : 'line-clamp-2 text-base leading-tight'}`}
        >
          {main}
        </span>
      )}
      {/* on a card the struck price says how much less it is */}
      {rest && rest.length <= 14 && !(was && size === 'md') && <Badge tone="coral">{rest}</Badge>}
      {rest && rest.length > 14 && size === 'lg' && (
        <span className="min-w-0 basis-full font-semibold text-action-text [overflow-wrap:anywhere]">{rest}</span>
      )}
    </span>
  )
}

/** The amount, else the merchant's own words, else the discount; `rest` is the discount beside a price. */
function priceOf(deal: Priced): { main: string | null; isAmount: boolean; rest: string | null } {
  const amount = amountOf(deal)
  // no discount that only says "free" again
  if (amount === 0) return { main: '0', isAmount: true, rest: isFree(deal.discount) ? null : deal.discount }
  if (amount !== null) return { main: chfDisplay(amount), isAmount: true, rest: deal.discount }
  if (deal.price) return { main: deal.price, isAmount: false, rest: deal.discount }
  return { main: deal.discount, isAmount: false, rest: null }
}

const isFree = (text: string | null) => /^(free|gratis|kostenlos|gratuit|offert)$/i.test(text?.trim() ?? '')

/** The price in CHF; null where it is no number. */
export const amountOf = (deal: Pick<Deal, 'price' | 'price_chf'>): number | null =>
  deal.price_chf ?? amountIn(deal.price)

function struckPrice(deal: Priced): string | undefined {
  if (deal.regular_price_chf === null || deal.regular_price_since === null || deal.price_chf === null) return undefined
  return deal.regular_price_chf > deal.price_chf ? chfDisplay(deal.regular_price_chf) : undefined
}
