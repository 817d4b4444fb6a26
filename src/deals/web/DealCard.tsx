import { memo, type ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { SponsoredBadge, LanternShape } from '../../brand/Badge.tsx'
import { Card, CardLink, CardPicture } from '../../kit/browser/ui/Card.tsx'
import { categoryFill, toCategory } from '../../brand/category.ts'
import { CategoryGlyph } from '../../brand/CategoryGlyph.tsx'
import { SaveSlot } from '../../kit/browser/ui/SaveSlot.tsx'
import { dealPage, posterImage } from '../../site-map.ts'
import type { Deal, FoundDeal } from '../contract.ts'
import type { CardDeal } from './card-deal.ts'
import { DealSlots } from './DealSlots.tsx'
import { Marked } from './Marked.tsx'
import { useLang } from './use-lang.ts'

/** Only own paths: images of other hosts are never shown. */
export function dealPicture(deal: Pick<Deal, 'deal_id' | 'deal_name' | 'category' | 'image_url'>): string {
  if (deal.image_url && /^\/(?![/\\])/.test(deal.image_url)) return deal.image_url
  return posterImage('deal', { id: deal.deal_id, category: deal.category, title: deal.deal_name })
}

/**
 * A deal at a glance; the whole card is the link. `eager`: the image is loaded at once, for cards visible first. `memo`, because a
 * list renders again whenever loading starts.
 */
export const DealCard = memo(function DealCard({
  deal,
  eager = false,
  headingLevel: Heading = 'h3',
  hideMerchant = false,
  price,
  children,
}: {
  deal: CardDeal
  eager?: boolean
  headingLevel?: 'h2' | 'h3' | 'h4'
  hideMerchant?: boolean
  /** In other words than a card's own. */
  price?: ReactNode
  /** Stands below the name. */
  children?: ReactNode
}) {
  const t = useTranslations('deals')
  const lang = useLang(deal)
  const { match, rank_reason: rankReason, sponsored = false } = deal
  const quote = match?.tag ?? match?.excerpt
  // marked words show by themselves that they match
  const reason = rankReason && !(match && rankReason === 'match') && isWorthShowing(rankReason)
  return (
    <Card layout="auto" className="h-full" picture={<Picture deal={deal} eager={eager} sponsored={sponsored} />}>
      <Heading lang={lang} className="line-clamp-3 text-lg leading-tight font-bold [overflow-wrap:anywhere]">
        <CardLink href={dealPage(deal.deal_id)}>
          <Marked text={deal.deal_name} spans={match?.name ?? []} />
        </CardLink>
      </Heading>
      {children}
      {quote && (
        <p lang={lang} className="text-sm text-ink-soft [overflow-wrap:anywhere]">
          {match?.tag && '#'}
          <Marked {...quote} />
        </p>
      )}
      {reason && <p className="text-xs text-ink-soft">{t(`reason.${reason}`)}</p>}
      <DealSlots
        deal={deal}
        where={
          !hideMerchant && (
            <span className="line-clamp-2">
              <Marked text={deal.business_name} spans={match?.merchant ?? []} />
            </span>
          )
        }
        price={price}
      />
    </Card>
  )
})

function Picture({ deal, eager, sponsored }: { deal: CardDeal; eager: boolean; sponsored: boolean }) {
  const t = useTranslations('deals')
  const categoryName = useTranslations('categories')
  const category = toCategory(deal.category)
  return (
    <>
      <CardPicture src={dealPicture(deal)} eager={eager} />
      <SaveSlot kind="deal" id={deal.deal_id} name={deal.deal_name} />
      <span
        className={`absolute bottom-0 left-0 grid size-8 place-items-center rounded-tr-6 border-t-2 border-r-2 border-rule ${categoryFill[category]}`}
      >
        <CategoryGlyph category={category} label={categoryName(category)} className="size-5" />
      </span>
      {sponsored ? (
        <span className="absolute top-1.5 left-1 max-w-[calc(100%-0.5rem)]">
          <SponsoredBadge>{t('sponsored')}</SponsoredBadge>
        </span>
      ) : (
        deal.is_premium && (
          <span className="absolute top-0 right-0 grid size-8 place-items-center rounded-bl-6 border-b-2 border-l-2 border-rule bg-lantern text-on-lantern">
            <LanternShape className="size-5 fill-current" />
            <span className="sr-only">{t('premium')}</span>
          </span>
        )
      )}
    </>
  )
}

/** Whether the card does not show the reason by itself. */
function isWorthShowing(reason: FoundDeal['rank_reason']) {
  return reason === 'well_rated' || reason === 'match' || reason === 'no_location' ? reason : null
}
