import type { Site } from '../../kit/browser/site.ts'
import { geo, type Thing } from '../../kit/browser/structured-data.ts'
import { businessPage, sharingPicture } from '../../site-map.ts'
import type { PublicBusiness } from '../contract.ts'
import { weekHours, type DayHours } from './week-hours.ts'
import { parseUrl } from '../../kit/shared/parse-url.ts'

/**
 * schema.org types of categories with one clear type. Others are plain local businesses: drinks may be a bar or a wine shop,
 * culture a cinema or a shop.
 */
const types: Record<string, string> = { shopping: 'Store', food: 'FoodEstablishment' }

/** A merchant as schema.org LocalBusiness. Unknown fields are left out. */
export function businessData({ origin }: Site, business: PublicBusiness, offers: Thing[]): Thing {
  const url = origin + businessPage(business.business_id)
  const hours = weekHours(business.opening_week)
  return {
    '@type': (Object.hasOwn(types, business.category) && types[business.category]) || 'LocalBusiness',
    '@id': `${url}#business`,
    url,
    name: business.business_name,
    description: business.description || undefined,
    image:
      origin +
      (ownLogo(business) ?? sharingPicture('business', { id: business.business_id, updated_at: business.updated_at })),
    address: business.address ? postalAddress(business.address) : undefined,
    geo: geo(business),
    telephone: business.phone || undefined,
    sameAs: website(business.website),
    openingHoursSpecification: hours?.map(hoursData),
    makesOffer: offers.length > 0 ? offers : undefined,
  }
}

const ownLogo = ({ logo_url }: PublicBusiness) => (logo_url && /^\/(?![/\\])/.test(logo_url) ? logo_url : null)

function website(text: string | null): string | undefined {
  const url = text && /^https?:\/\//i.test(text) ? parseUrl(text) : null
  return url?.href
}

/** "Rheingasse 12, 4058 Basel" in its parts; an address of another form stays one line. */
function postalAddress(address: string): Thing {
  const [, street, postcode, town] = /^([^\n]+?),\s*(?:CH[- ])?([1-9]\d{3})\s+([^,\n\d]+)$/.exec(address.trim()) ?? []
  if (!street) return { '@type': 'PostalAddress', streetAddress: address }
  return {
    '@type': 'PostalAddress',
    streetAddress: street,
    postalCode: postcode,
    addressLocality: town,
    addressCountry: 'CH',
  }
}

function hoursData({ days, opens, closes }: DayHours): Thing {
  return {
    '@type': 'OpeningHoursSpecification',
    dayOfWeek: days.map((day) => `https://schema.org/${day}`),
    opens,
    closes,
  }
}
