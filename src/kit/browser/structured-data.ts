import type { Site } from './site.ts'

/** A schema.org object; undefined properties are left out. */
export type Thing = { '@type': string; [property: string]: unknown }

/** The path from the home page to a page, as schema.org breadcrumbs; the last step is the page itself. */
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

/** The pages that a list links to, in its order; `[]` for an empty list. Names are left out: each page has its own. */
export function itemList({ origin }: Site, paths: string[]): Thing[] {
  if (paths.length === 0) return []
  return [
    {
      '@type': 'ItemList',
      itemListElement: paths.map((path, index) => ({ '@type': 'ListItem', position: index + 1, url: origin + path })),
    },
  ]
}

/** Coordinates of a place; undefined if it has none. */
export function geo(place: { latitude: number | null; longitude: number | null }): Thing | undefined {
  if (place.latitude === null || place.longitude === null) return undefined
  return { '@type': 'GeoCoordinates', latitude: place.latitude, longitude: place.longitude }
}
