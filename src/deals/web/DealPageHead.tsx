import { useTranslations } from 'use-intl'
import { toCategory } from '../../brand/category.ts'
import { PageHead } from '../../kit/browser/PageHead.tsx'
import { breadcrumbs } from '../../kit/browser/structured-data.ts'
import { dealPage, dealsPage, page, sharingPicture } from '../../site-map.ts'
import type { Deal } from '../contract.ts'
import { offerData, sellerData } from './deal-data.ts'

/** Title, description and structured data, for search engines and shared links. */
export function DealPageHead({ deal, address }: { deal: Deal; address: string | null }) {
  const t = useTranslations('deal')
  const categoryName = useTranslations('categories')
  const category = toCategory(deal.category)
  return (
    <PageHead
      title={deal.deal_name}
      description={
        deal.description?.trim() ||
        (deal.business_name ? t('description', { deal: deal.deal_name, merchant: deal.business_name }) : deal.deal_name)
      }
      address={dealPage(deal.deal_id)}
      hidden={deal.status === 'expired'}
      picture={{
        path: sharingPicture('deal', { id: deal.deal_id, updated_at: deal.updated_at }),
        alt: [deal.deal_name, deal.business_name].filter(Boolean).join(', '),
      }}
      kind="ItemPage"
      data={
        import.meta.env.SSR
          ? (site) => [
              { ...offerData(site, deal), seller: deal.business_id ? sellerData(site, deal, address) : undefined },
              breadcrumbs(site, [
                { name: t('deals'), path: page.deals },
                { name: categoryName(category), path: dealsPage({ category: deal.category }) },
                { name: deal.deal_name, path: dealPage(deal.deal_id) },
              ]),
            ]
          : undefined
      }
    />
  )
}
