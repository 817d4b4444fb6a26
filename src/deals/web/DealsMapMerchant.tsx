import { useTranslations } from 'use-intl'
import { BusinessLogo } from '../../businesses/web/BusinessLogo.tsx'
import { BusinessSlots } from '../../businesses/web/BusinessSlots.tsx'
import { CategoryTag } from '../../brand/Badge.tsx'
import { toCategory } from '../../brand/category.ts'
import { businessPage } from '../../site-map.ts'
import { MapActions } from './MapActions.tsx'
import { useWayTo } from './reach.ts'
import type { MapMerchant } from './use-merchant.ts'

/** The card of a merchant on the map. */
export function DealsMapMerchant({ merchant }: { merchant: MapMerchant }) {
  const t = useTranslations('dealsMap')
  const categoryName = useTranslations('categories')
  const category = toCategory(merchant.category)
  return (
    <div className="grid gap-3 p-4">
      <div className="flex items-start gap-3 pr-12">
        <span className="relative size-14 shrink-0 overflow-clip rounded-6 border-2 border-rule">
          <BusinessLogo business={merchant} eager />
        </span>
        <div className="grid min-w-0 justify-items-start gap-1">
          <h2 data-first tabIndex={-1} className="text-xl [overflow-wrap:anywhere]">
            {merchant.business_name}
          </h2>
          <CategoryTag category={category}>{categoryName(category)}</CategoryTag>
        </div>
      </div>
      <BusinessSlots
        business={merchant}
        where={merchant.address}
        way={useWayTo(merchant)}
        deals={'live_deals' in merchant && merchant.live_deals > 0 && t('dealsHere', { n: merchant.live_deals })}
      />
      <MapActions page={businessPage(merchant.business_id)} thing={merchant} name={merchant.business_name}>
        {t('openMerchant')}
      </MapActions>
    </div>
  )
}
