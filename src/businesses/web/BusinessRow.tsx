import { useTranslations } from 'use-intl'
import { LanternShape } from '../../brand/Badge.tsx'
import { categoryText, toCategory } from '../../brand/category.ts'
import { CategoryGlyph } from '../../brand/CategoryGlyph.tsx'
import { useNumbers } from '../../kit/browser/measures.ts'
import { Card, CardLink } from '../../kit/browser/ui/Card.tsx'
import { SaveSlot } from '../../kit/browser/ui/SaveSlot.tsx'
import { businessPage } from '../../site-map.ts'
import { BusinessLogo } from './BusinessLogo.tsx'
import { BusinessSlots } from './BusinessSlots.tsx'
import type { ListedBusiness } from './load-businesses.ts'

/** A merchant in a list: logo, name, address or whereabouts, opening state, number of live deals. */
export function BusinessRow({ business }: { business: ListedBusiness }) {
  const t = useTranslations('businesses')
  const categoryName = useTranslations('categories')
  const { distance } = useNumbers()
  const category = toCategory(business.category)
  return (
    <Card
      as="div"
      layout="row"
      className="h-full max-sm:grid-cols-[clamp(2.5rem,75vw-8rem,5.5rem)_minmax(0,1fr)] max-[22rem]:grid-cols-[clamp(2.5rem,75vw-8rem,4rem)_minmax(0,1fr)]"
      picture={
        <>
          <BusinessLogo business={business} />
          <SaveSlot kind="business" id={business.business_id} name={business.business_name} />
        </>
      }
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
      <BusinessSlots
        business={business}
        where={
          business.address ||
          (business.whereabouts &&
            t('whereabouts', {
              distance: distance(business.whereabouts.km),
              direction: business.whereabouts.direction,
            }))
        }
        deals={business.live_deals > 0 && t('deals', { n: business.live_deals })}
      />
    </Card>
  )
}
