import { useEffect, useRef, type ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import type { NearbyBusiness } from '../../businesses/contract.ts'
import { BusinessLogo } from '../../businesses/web/BusinessLogo.tsx'
import { BusinessSlots } from '../../businesses/web/BusinessSlots.tsx'
import { PremiumBadge, SponsoredBadge } from '../../brand/Badge.tsx'
import { categoryFill, toCategory } from '../../brand/category.ts'
import { CategoryGlyph } from '../../brand/CategoryGlyph.tsx'
import { placeOf } from './with-distance.ts'
import type { MapListDeal } from './card-deal.ts'
import { DealPrice } from './DealPrice.tsx'
import { DealSlots } from './DealSlots.tsx'
import { mapWith, type MapQuery } from './deals-map-query.ts'
import { useWayTo } from './reach.ts'
import { useLang } from './use-lang.ts'

/** The list that an item is in. */
export interface ItemList {
  query: MapQuery
  /** Id of the deal, merchant, venue or place that is hovered or focused; null: none. */
  focus: string | null
  onFocus: (id: string | null) => void
  /** The list beside the map: the focus returns to its items when a card is closed. */
  isMain: boolean
}

/** An item of a list: its link fills it, opens its card, and marks its pin on hover and focus. */
export function MapItem({
  list: { query, focus, onFocus, isMain },
  opens,
  id,
  name,
  lang,
  headingLevel: Heading = 'h3',
  picture,
  children,
}: {
  list: ItemList
  opens: 'deal' | 'business' | 'venue' | 'place'
  id: string
  name: string
  lang?: string | undefined
  headingLevel?: 'h2' | 'h3'
  picture: ReactNode
  children: ReactNode
}) {
  const isMarked = isMain && focus === id
  const box = useSeenWhen<HTMLLIElement>(isMarked)
  return (
    <li
      ref={box}
      data-marked={isMarked || undefined}
      className="relative flex items-start gap-3 border-b border-hair px-4 py-3 data-marked:bg-well hover:bg-well has-[a:focus-visible]:bg-well"
    >
      {picture}
      <div className="grid min-w-0 flex-1 gap-0.5">
        <Heading lang={lang} className="line-clamp-2 text-base leading-tight font-bold [overflow-wrap:anywhere]">
          <a
            href={mapWith(query, { [opens]: id })}
            id={isMain ? `item-${id}` : undefined}
            className="text-ink no-underline after:absolute after:inset-0 focus-visible:shadow-none focus-visible:outline-none focus-visible:after:outline-3 focus-visible:after:-outline-offset-4 focus-visible:after:outline-focus"
            onMouseEnter={() => onFocus(id)}
            onMouseLeave={() => onFocus(null)}
            onFocus={({ currentTarget }) => {
              onFocus(id)
              // by keyboard the browser scrolls to the link's first line; show the whole item
              if (currentTarget.matches(':focus-visible')) box.current?.scrollIntoView({ block: 'nearest' })
            }}
            onBlur={() => onFocus(null)}
          >
            {name}
          </a>
        </Heading>
        {children}
      </div>
    </li>
  )
}

export function DealItem({ deal, list }: { deal: MapListDeal; list: ItemList }) {
  const t = useTranslations('deals')
  const say = useTranslations('dealsMap')
  const name = useTranslations('categories')
  const lang = useLang(deal)
  const category = toCategory(deal.category)
  return (
    <MapItem
      list={list}
      opens="deal"
      id={deal.deal_id}
      name={deal.deal_name}
      lang={lang}
      headingLevel="h2"
      picture={
        <span
          className={`grid size-11 shrink-0 place-items-center rounded-6 border-2 border-rule ${categoryFill[category]}`}
        >
          <CategoryGlyph category={category} label={name(category)} className="size-6" />
        </span>
      }
    >
      <DealSlots
        deal={deal}
        where={[deal.business_name, !placeOf(deal) && say('noLocation')].filter(Boolean).join(', ')}
        price={
          <>
            <DealPrice deal={deal} />
            {deal.sponsored ? (
              <SponsoredBadge>{t('sponsored')}</SponsoredBadge>
            ) : (
              deal.is_premium && <PremiumBadge>{t('premium')}</PremiumBadge>
            )}
          </>
        }
      />
    </MapItem>
  )
}

export function MerchantItem({ merchant, list }: { merchant: NearbyBusiness; list: ItemList }) {
  const t = useTranslations('dealsMap')
  return (
    <MapItem
      list={list}
      opens="business"
      id={merchant.business_id}
      name={merchant.business_name}
      picture={
        <span className="relative size-11 shrink-0 overflow-clip rounded-6 border-2 border-rule">
          <BusinessLogo business={merchant} />
        </span>
      }
    >
      <BusinessSlots
        business={merchant}
        where={merchant.address}
        way={useWayTo(merchant)}
        deals={merchant.live_deals > 0 && t('dealsHere', { n: merchant.live_deals })}
      />
    </MapItem>
  )
}

/** Scrolls an item into view while its pin is hovered, unless the item is hovered itself. */
function useSeenWhen<E extends HTMLElement>(isMarked: boolean) {
  const box = useRef<E>(null)
  useEffect(() => {
    const element = box.current
    // not on touch screens, which have no hover
    if (!isMarked || !element || !matchMedia('(hover: hover)').matches) return
    if (!element.matches(':hover, :focus-within')) element.scrollIntoView({ block: 'nearest' })
  }, [isMarked])
  return box
}
