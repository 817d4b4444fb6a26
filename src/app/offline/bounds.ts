import { personalCachePrefix } from '../../kit/browser/offline-caches.ts'

export interface Bound {
  entries: number
  bytes: number
}

/** All that a browser stores of this site, bytes. */
export const storageMost = 15_000_000

/** The files of the app itself; twice while a new version waits. The build holds them to it. */
export const appMost = 2_000_000
/** The kept pages, which are as long as the build makes them; twice while a new version waits. */
export const documentsMost = 400_000
/** The pictures of the map and its drawing. */
export const mapMost = 500_000
/** What pages store by themselves, of an account with all that it may have: schedule, favourites, codes. */
export const pagesMost = 2_000_000

/**
 * The caches that grow with what a person looks at. Each loses its own oldest, so that no number of lists and pictures displaces
 * what is needed: the programme, and urgent notices.
 */
export const caching = {
  needed: { name: `${personalCachePrefix}needed`, entries: 60, bytes: 1_500_000 },
  answers: { name: `${personalCachePrefix}answers`, entries: 200, bytes: 2_000_000 },
  pictures: { name: `${personalCachePrefix}pictures`, entries: 120, bytes: 1_500_000 },
  files: { name: 'files', entries: 150, bytes: 2_500_000 },
} as const satisfies Record<string, Bound & { name: string }>
