import Tag from 'lucide-react/icons/tag'
import { useTranslations } from 'use-intl'
import { LanternShape } from '../../brand/Badge.tsx'
import { categoryText, toCategory } from '../../brand/category.ts'
import { CategoryGlyph } from '../../brand/CategoryGlyph.tsx'
import { useNumbers } from '../../kit/browser/measures.ts'
import { Card, CardLink } from '../../kit/browser/ui/Card.tsx'
import { OpenState } from '../../kit/browser/ui/OpenState.tsx'
import { useWhen } from '../../kit/browser/when.ts'
import { businessPage } from '../../site-map.ts'
import { BusinessLogo } from './BusinessLogo.tsx'
import type { ListedBusiness } from './load-businesses.ts'

/** A merchant in a list: logo, name, address or whereabouts, opening state, number of live deals. */
export function BusinessRow({ business }: { business: ListedBusiness }) {
  const t = useTranslations('businesses')
  const categoryName = useTranslations('categories')
  const { distance } = useNumbers()
  const when = useWhen()
  const category = toCategory(business.category)
  const open = when.opening(business)
  return (
    <Card
      as="div"
      layout="row"
      className="h-full max-sm:grid-cols-[clamp(2.5rem,75vw-8rem,5.5rem)_minmax(0,1fr)] max-[22rem]:grid-cols-[clamp(2.5rem,75vw-8rem,4rem)_minmax(0,1fr)]"
      picture={<BusinessLogo business={business} />}
    >
      <h3 className="flex items-start gap-2 leading-tight [overflow-wrap:anywhere] max-[22rem]:text-base">
        <CategoryGlyph
          category={category}
          label={categoryName(category)}
          className={`mt-0.5 size-5 ${categoryText[category]}`}
        />
        <CardLink href={businessPage(business.business_id)}>{business.business_name}</CardLink>
        {business.subscription_tier !== 'FREE' && (
          <span className="mt-0.5 shrink-0">
            <LanternShape className="size-5 fill-lantern stroke-lantern-text" />
            <span className="sr-only">{t('premium')}</span>
          </span>
        )}
      </h3>
      {(business.address || business.whereabouts) && (
        <p className="line-clamp-2 text-sm text-ink-soft">
          {business.address ||
            t('whereabouts', {
              distance: distance(business.whereabouts!.km),
              direction: business.whereabouts!.direction,
            })}
        </p>
      )}
      <p className="mt-auto flex flex-wrap items-center gap-x-4 gap-y-1">
        <OpenState state={open.state}>{open.text}</OpenState>
        {business.live_deals > 0 && (
          <span className="inline-flex items-center gap-1.5 text-sm font-semibold text-action-text">
            <Tag aria-hidden="true" className="size-4" />
            {t('deals', { n: business.live_deals })}
          </span>
        )}
      </p>
    </Card>
  )
}
