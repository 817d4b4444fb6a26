import { useEffect, useRef, type FocusEvent } from 'react'
import MapPinOff from 'lucide-react/icons/map-pin-off'
import { useTranslations } from 'use-intl'
import type { NearbyBusiness } from '../../businesses/contract.ts'
import { BusinessLogo } from '../../businesses/web/BusinessLogo.tsx'
import { distance, footMinutes } from '../../kit/browser/measures.ts'
import { Badge, StarShape } from '../../brand/Badge.tsx'
import { categoryFill, toCategory } from '../../brand/category.ts'
import { CategoryGlyph } from '../../brand/CategoryGlyph.tsx'
import { OpenState } from '../../kit/browser/ui/OpenState.tsx'
import { useWhen } from '../../kit/browser/when.ts'
import { placeOf } from './with-distance.ts'
import type { MapListDeal } from './card-deal.ts'
import { useDealWhen } from './deal-when.ts'
import { DealPrice } from './DealPrice.tsx'
import { useLang } from './use-lang.ts'

export interface ItemProps {
  /** Id of the link, to which the focus returns. */
  id?: string
  /** Address that opens its card. */
  href: string
  isMarked?: boolean
  onFocus: (id: string | null) => void
}

export const item =
  'relative flex items-start gap-3 border-b border-hair px-4 py-3 data-marked:bg-well hover:bg-well has-[a:focus-visible]:bg-well'
export const itemLink =
  'text-ink no-underline after:absolute after:inset-0 focus-visible:shadow-none focus-visible:outline-none focus-visible:after:outline-3 focus-visible:after:-outline-offset-4 focus-visible:after:outline-focus'

/** Handlers for the link, which fills the item: they mark its pin on hover and focus. */
export const pointing = (id: string, onFocus: (id: string | null) => void) => ({
  onMouseEnter: () => onFocus(id),
  onMouseLeave: () => onFocus(null),
  onFocus: ({ currentTarget }: FocusEvent<HTMLElement>) => {
    onFocus(id)
    // by keyboard the browser scrolls to the link's first line; show the whole item
    if (currentTarget.matches(':focus-visible')) currentTarget.closest('li')?.scrollIntoView({ block: 'nearest' })
  },
  onBlur: () => onFocus(null),
})

export function DealItem({
  id,
  deal,
  href,
  isMarked = false,
  onFocus,
}: ItemProps & {
  deal: MapListDeal
}) {
  const t = useTranslations('deals')
  const say = useTranslations('dealsMap')
  const name = useTranslations('categories')
  const when = useDealWhen(deal)
  const lang = useLang(deal)
  const category = toCategory(deal.category)
  const box = useSeenWhen<HTMLLIElement>(isMarked)
  return (
    <li ref={box} data-marked={isMarked || undefined} className={item}>
      <span
        className={`grid size-11 shrink-0 place-items-center rounded-6 border-2 border-rule ${categoryFill[category]}`}
      >
        <CategoryGlyph category={category} label={name(category)} className="size-6" />
      </span>
      <div className="grid min-w-0 flex-1 gap-0.5">
        <h2 lang={lang} className="line-clamp-2 text-base leading-tight font-bold [overflow-wrap:anywhere]">
          <a href={href} id={id} className={itemLink} {...pointing(deal.deal_id, onFocus)}>
            {deal.deal_name}
          </a>
        </h2>
        <p className="flex flex-wrap gap-x-2 text-sm text-ink-soft">
          <span className="line-clamp-1 [overflow-wrap:anywhere]">{deal.business_name}</span>
          {deal.distance_km !== null && (
            <span className="font-semibold">
              {distance(deal.distance_km)}
              {footMinutes(deal.distance_km) !== null && `, ${t('foot', { n: footMinutes(deal.distance_km)! })}`}
            </span>
          )}
          {!placeOf(deal) && (
            <span className="inline-flex items-center gap-1 whitespace-nowrap">
              <MapPinOff aria-hidden="true" className="size-4" />
              {say('noLocation')}
            </span>
          )}
        </p>
        <p className="flex flex-wrap items-center gap-x-3">
          <OpenState state={when.state}>{when.text}</OpenState>
        </p>
        <p className="flex flex-wrap items-center gap-2">
          <DealPrice deal={deal} />
          {deal.sponsored ? (
            <Badge tone="lantern" icon={<StarShape />}>
              {t('sponsored')}
            </Badge>
          ) : (
            deal.is_premium && (
              <Badge tone="lantern" icon={<StarShape />}>
                {t('premium')}
              </Badge>
            )
          )}
        </p>
      </div>
    </li>
  )
}

export function MerchantItem({
  id,
  merchant,
  href,
  isMarked = false,
  onFocus,
}: ItemProps & {
  merchant: NearbyBusiness
}) {
  const t = useTranslations('dealsMap')
  const say = useTranslations('deals')
  const when = useWhen().opening(merchant)
  const box = useSeenWhen<HTMLLIElement>(isMarked)
  return (
    <li ref={box} data-marked={isMarked || undefined} className={item}>
      <span className="relative size-11 shrink-0 overflow-clip rounded-6 border-2 border-rule">
        <BusinessLogo business={merchant} />
      </span>
      <div className="grid min-w-0 flex-1 gap-0.5">
        <h3 className="line-clamp-2 text-base leading-tight font-bold [overflow-wrap:anywhere]">
          <a href={href} id={id} className={itemLink} {...pointing(merchant.business_id, onFocus)}>
            {merchant.business_name}
          </a>
        </h3>
        <p className="flex flex-wrap gap-x-2 text-sm text-ink-soft">
          {merchant.address && <span className="line-clamp-1 [overflow-wrap:anywhere]">{merchant.address}</span>}
          {merchant.distance_km !== null && (
            <span className="font-semibold">
              {distance(merchant.distance_km)}
              {footMinutes(merchant.distance_km) !== null &&
                `, ${say('foot', { n: footMinutes(merchant.distance_km)! })}`}
            </span>
          )}
        </p>
        <p className="flex flex-wrap items-center gap-x-3 text-sm">
          <OpenState state={when.state}>{when.text}</OpenState>
          {merchant.live_deals > 0 && <span>{t('dealsHere', { n: merchant.live_deals })}</span>}
        </p>
      </div>
    </li>
  )
}

/** Scrolls an item into view while its pin is hovered, unless the item is hovered itself. */
export function useSeenWhen<E extends HTMLElement>(isMarked: boolean) {
  const box = useRef<E>(null)
  useEffect(() => {
    const element = box.current
    // not on touch screens, which have no hover
    if (!isMarked || !element || !matchMedia('(hover: hover)').matches) return
    if (!element.matches(':hover, :focus-within')) element.scrollIntoView({ block: 'nearest' })
  }, [isMarked])
  return box
}
