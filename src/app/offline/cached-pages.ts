import { page } from '../../site-map.ts'

/**
 * Pages whose documents the service worker caches. Each is the same for everybody: scripts add private data from the phone's
 * own storage. Every other page opens through `page.offline`, with cached answers of the API.
 */
export const cachedPages: readonly string[] = [
  page.offline,
  page.mySchedule,
  page.favorites,
  page.myCodes,
  page.logout,
  page.help,
]

/** Pictures shown in place of the map, and the data of the drawn map. */
export const cachedPictures: readonly string[] = [
  '/map/outline-paper.svg',
  '/map/outline-river.svg',
  '/map/outline-near-paper.svg',
  '/map/outline-near-river.svg',
  '/map/drawing.json',
]

/** Whether the worker caches answers at this path: public ones that people look up, never one whose address holds a secret. */
export const isCachedAnswer = (path: string): boolean =>
  /^\/api\/(events|places|deals|business|forum|map|favorites\/preview|urgent)(\/|$)/.test(path)

/** Answers that are needed most without a network, in a cache of their own: the programme of each day and urgent notices. */
export const isNeededAnswer = ({ pathname, searchParams }: URL): boolean =>
  /^\/api\/(events\/programme|urgent)$/.test(pathname) ||
  (pathname === '/api/events' && [...searchParams.keys()].every((name) => name === 'day'))

/** Sent by a page to its worker. The worker may be of another version, so the names stay. */
export type WorkerMessage =
  /** Cache the pages in this language and theme. */
  | { type: 'keep'; choice: string }
  /** Asks a waiting worker to take over a page of `build`. It answers with `TakeOver`. */
  | { type: 'take-over'; build: string }
  | { type: 'skip-waiting' }

/**
 * `taken`: the worker is of the same build and takes over, nothing changes for the page; `same`: of the same build, but another
 * page is open; `newer`: of a newer build, so the person decides when to reload.
 */
export type TakeOver = 'taken' | 'same' | 'newer'
