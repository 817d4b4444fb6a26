import type { Site } from './site.ts'

/** A thing in the words of schema.org; properties that are undefined are left out. */
export type Thing = { '@type': string; [property: string]: unknown }

/** The way from the top of the site to a page; the last step is the page itself. */
export function breadcrumbs({ origin }: Site, steps: { name: string; path: string }[]): Thing {
  return {
    '@type': 'BreadcrumbList',
    itemListElement: steps.map(({ name, path }, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name,
      item: origin + path,
    })),
  }
}

/** The pages that a page of a list leads to, in its order; nothing for an empty one. They tell their names themselves. */
export function itemList({ origin }: Site, paths: string[]): Thing[] {
  if (paths.length === 0) return []
  return [
    {
      '@type': 'ItemList',
      itemListElement: paths.map((path, index) => ({ '@type': 'ListItem', position: index + 1, url: origin + path })),
    },
  ]
}

/** A point on the map, where there is one. */
export function geo(place: { latitude: number | null; longitude: number | null }): Thing | undefined {
  if (place.latitude === null || place.longitude === null) return undefined
  return { '@type': 'GeoCoordinates', latitude: place.latitude, longitude: place.longitude }
}
