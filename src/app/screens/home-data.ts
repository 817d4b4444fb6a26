import type { Festival } from '../../brand/festival.ts'
import type { Site } from '../../kit/browser/site.ts'
import { geo, type Thing } from '../../kit/browser/structured-data.ts'
import { page, siteSharingPicture } from '../../site-map.ts'

/** Featured deals on home, as specified. */
export const dealsShown = 4

export function websiteData({ origin, name, locale }: Site): Thing {
  return {
    '@type': 'WebSite',
    '@id': `${origin}/#website`,
    url: `${origin}/`,
    name,
    inLanguage: locale,
    potentialAction: {
      '@type': 'SearchAction',
      target: { '@type': 'EntryPoint', urlTemplate: `${origin}${page.deals}?q={search_term_string}` },
      'query-input': 'required name=search_term_string',
    },
  }
}

/** Structured data of the festival; empty while its days are unknown. */
export function festivalData({ origin, name }: Site, festival: Festival): Thing[] {
  if (!festival.days) return []
  return [
    {
      '@type': 'Festival',
      '@id': `${origin}/#festival`,
      url: `${origin}/`,
      name: `${name} ${festival.edition}`,
      startDate: festival.days.start,
      endDate: festival.days.end,
      image: origin + siteSharingPicture,
      eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
      location: { '@type': 'Place', name: 'Basel', address: 'Basel', geo: geo(festival) },
    },
  ]
}
