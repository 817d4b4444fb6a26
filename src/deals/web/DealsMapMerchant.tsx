import { useTranslations } from 'use-intl'
import { BusinessLogo } from '../../businesses/web/BusinessLogo.tsx'
import { CategoryTag } from '../../brand/Badge.tsx'
import { toCategory } from '../../brand/category.ts'
import { OpenState } from '../../kit/browser/ui/OpenState.tsx'
import { useWhen } from '../../kit/browser/when.ts'
import { businessPage } from '../../site-map.ts'
import { Away } from './Away.tsx'
import { MapActions } from './MapActions.tsx'
import type { MapMerchant } from './use-merchant.ts'

/** The card of a merchant on the map. */
export function DealsMapMerchant({ merchant }: { merchant: MapMerchant }) {
  const t = useTranslations('dealsMap')
  const categoryName = useTranslations('categories')
  const open = useWhen().opening(merchant)
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
      <p className="flex flex-wrap gap-x-3 text-ink-soft">
        {merchant.address && <span className="[overflow-wrap:anywhere]">{merchant.address}</span>}
        <Away to={merchant} />
      </p>
      <p className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <OpenState state={open.state}>{open.text}</OpenState>
        {'live_deals' in merchant && merchant.live_deals > 0 && (
          <span className="text-sm font-semibold">{t('dealsHere', { n: merchant.live_deals })}</span>
        )}
      </p>
      <MapActions page={businessPage(merchant.business_id)} thing={merchant} name={merchant.business_name}>
        {t('openMerchant')}
      </MapActions>
    </div>
  )
}
