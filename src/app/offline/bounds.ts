import { personalCachePrefix } from '../../kit/browser/offline-caches.ts'

export interface Bound {
  entries: number
  bytes: number
}

/** Bytes that a browser may store of this site. */
export const storageMost = 15_000_000

/** Bytes of the app's files, stored twice while a new version waits. The build fails above it. */
export const appMost = 2_000_000
/** Bytes of the cached pages, stored twice while a new version waits. */
export const documentsMost = 400_000
/** Bytes of the map's pictures and drawing. */
export const mapMost = 500_000
/** Bytes of what pages store for a full account: schedule, favorites, codes. */
export const pagesMost = 2_000_000

/**
 * The caches that grow with what a person looks at. Each deletes its own oldest entries, so that lists and pictures never
 * displace `needed`: the programme and urgent notices.
 */
export const caching = {
  needed: { name: `${personalCachePrefix}needed`, entries: 60, bytes: 1_500_000 },
  answers: { name: `${personalCachePrefix}answers`, entries: 200, bytes: 2_000_000 },
  pictures: { name: `${personalCachePrefix}pictures`, entries: 120, bytes: 1_500_000 },
  files: { name: 'files', entries: 150, bytes: 2_500_000 },
} as const satisfies Record<string, Bound & { name: string }>
