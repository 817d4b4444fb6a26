import { page } from '../../site-map.ts'

/**
 * Pages whose documents a phone keeps: they are the same for everybody, and what is private in them comes by script from
 * the phone's own storage. Every other page opens through `page.offline`, with the answers that were kept of the API.
 */
export const cachedPages: readonly string[] = [page.offline, page.mySchedule, page.favorites, page.myCodes, page.logout]

/** Pictures of the map that stand in for it, and what it is drawn from. */
export const cachedPictures: readonly string[] = [
  '/map/outline-paper.svg',
  '/map/outline-river.svg',
  '/map/outline-near-paper.svg',
  '/map/outline-near-river.svg',
  '/map/drawing.json',
]

/**
 * Answers that are kept: public ones that people look up, never one that was asked for with a token, nor one whose address
 * holds a secret.
 */
export const isCachedAnswer = (path: string): boolean =>
  /^\/api\/(events|places|deals|business|forum|map|favorites\/preview|urgent)(\/|$)/.test(path)

/** Of these, what is needed most without a network, and never goes before others: the programme day by day, urgent notices. */
export const isNeededAnswer = ({ pathname, searchParams }: URL): boolean =>
  /^\/api\/(events\/(programme|now-next)|urgent)$/.test(pathname) ||
  (pathname === '/api/events' && [...searchParams.keys()].every((name) => name === 'day'))

/** What page and worker say to each other. */
export type Message =
  /** The language and theme in which the page is shown. */
  | { type: 'keep'; choice: string }
  /** Answered with `Standing`: by a worker that waits, to a page built like `build`. */
  | { type: 'take-over'; build: string }
  | { type: 'skip-waiting' }

/** `taken`: the worker takes over, nothing changes for the page; `same`: another page still needs the one before; `newer`. */
export type Standing = 'taken' | 'same' | 'newer'
