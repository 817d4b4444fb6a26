import type { Site } from '../../kit/browser/site.ts'
import { geo, type Thing } from '../../kit/browser/structured-data.ts'
import { businessPage, dealPage, sharingPicture } from '../../site-map.ts'
import type { Deal } from '../contract.ts'
import { amountOf } from './DealPrice.tsx'

/** None for `scheduled`, whose start is in `validFrom`. */
const availability: Partial<Record<Deal['status'], string>> = {
  active: 'https://schema.org/InStock',
  sold_out: 'https://schema.org/SoldOut',
  paused: 'https://schema.org/OutOfStock',
  expired: 'https://schema.org/Discontinued',
}

/** A deal as a schema.org Offer, with a price only if it is a number. */
export function offerData({ origin }: Site, deal: Deal): Thing {
  const url = origin + dealPage(deal.deal_id)
  const price = amountOf(deal)
  const place = geo(deal)
  return {
    '@type': 'Offer',
    '@id': `${url}#offer`,
    url,
    name: deal.deal_name,
    description: deal.description || undefined,
    image: origin + sharingPicture('deal', { id: deal.deal_id, updated_at: deal.updated_at }),
    ...(price === null ? {} : { price, priceCurrency: 'CHF' }),
    availability: availability[deal.status],
    validFrom: deal.starts_at ?? undefined,
    validThrough: deal.ends_at ?? undefined,
    availableAtOrFrom: place && { '@type': 'Place', geo: place },
  }
}

/** The merchant with what the page of a deal shows; the rest is at its own address. */
export function sellerData({ origin }: Site, deal: Deal, address: string | null): Thing {
  const url = origin + businessPage(deal.business_id)
  return {
    '@type': 'LocalBusiness',
    '@id': `${url}#business`,
    url,
    name: deal.business_name,
    address: address || undefined,
  }
}
