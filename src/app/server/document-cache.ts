import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Document {
  status: number
  headers: [string, string][]
  html: string
  /** Hash of the page's data; null: unknown, so the page is always rendered. */
  madeOf: string | null
}

/** Returned when the data has not changed. */
export type Unchanged = 'unchanged'

/** Everybody gets the same document for this long: short enough that nobody sees an old list. */
const freshMs = 1000
const mostPages = 500
/** Length of all documents together. */
const mostLetters = 12 * 1024 * 1024

/** While the database does not answer (503), a stale page may be used for this long … */
const staleMs = 60_000
/** … and a visitor waits this long for a fresh one before getting it. */
const usualPatienceMs = 1000

/** A document with the placeholder instead of its nonces. */
interface Page extends Document {
  /** When its data was loaded, as `performance.now()`. */
  freshAt: number
}

interface ServedPage {
  page: Page
  isStale: boolean
}

type Render = (nonce: string, known: string | null) => Promise<Document | Unchanged>

interface Entry {
  /** When the page stops being fresh; Infinity while it is being rendered. */
  until: number
  served: Promise<ServedPage>
  /** The last good page, which later visitors may get. */
  settled?: Page | undefined
}

/**
 * Caches rendered documents for a second; visitors who ask meanwhile share one rendering. After a second the page's data is loaded,
 * and the page is rendered again only if the data has changed. Documents hold nothing private. Each answer gets its own
 * nonce: pages are rendered with a placeholder that is random per process, so that no text of a stranger can contain it and
 * get a valid nonce.
 *
 * While the database does not answer, a page of the last minute is used again, with `Age` and a `Cache-Status` (RFC 9211)
 * whose negative `ttl` means stale.
 */
export function documentCache(patienceMs = usualPatienceMs) {
  const placeholder = randomBytes(24).toString('hex')
  /** Oldest first. */
  const entries = new Map<string, Entry>()
  let letters = 0

  const forget = (key: string) => {
    letters -= entries.get(key)?.settled?.html.length ?? 0
    entries.delete(key)
  }

  const settle = (entry: Entry, page: Page | undefined) => {
    letters += (page?.html.length ?? 0) - (entry.settled?.html.length ?? 0)
    entry.settled = page
  }

  /** Renders for everybody who waits now, and leaves the page in `entry` for later visitors. */
  async function rendered(key: string, entry: Entry, known: Page | undefined, render: Render): Promise<ServedPage> {
    const began = performance.now()
    const isCurrent = () => entries.get(key) === entry
    try {
      const document = await render(placeholder, known?.madeOf ?? null)
      entry.until = began + freshMs
      const page = { ...(document === 'unchanged' ? known! : document), freshAt: began }
      if (page.status === 503 && isFreshEnough(known)) {
        entry.until = performance.now() + freshMs
        return { page: known, isStale: true }
      }
      if (page.status === 200 && isCurrent()) settle(entry, page)
      // redirects and errors are not cached
      else if (isCurrent()) forget(key)
      return { page, isStale: false }
    } catch (error) {
      if (isCurrent()) forget(key)
      throw error
    }
  }

  /** @param render gets the hash of the cached page's data, or null; may answer "unchanged" for the same hash */
  return async function documentFor(key: string, nonce: string, render: Render): Promise<Document> {
    const now = performance.now()
    let entry = entries.get(key)
    if (!entry || entry.until <= now) {
      const known = entry?.settled
      forget(key)
      const served = Promise.withResolvers<ServedPage>()
      entries.set(key, (entry = { until: Infinity, served: served.promise }))
      settle(entry, known)
      served.resolve(inPatience(known, rendered(key, entry, known, render), patienceMs))
      for (const oldest of entries.keys()) {
        if (letters <= mostLetters && entries.size <= mostPages) break
        if (oldest !== key) forget(oldest)
      }
    }
    const { page, isStale } = await entry.served
    const headers = isStale ? [...page.headers, ...staleness(page)] : page.headers
    return { ...page, headers, html: page.html.replaceAll(placeholder, nonce) }
  }
}

/** The rendered page, or after `patienceMs` the known one. */
function inPatience(known: Page | undefined, rendered: Promise<ServedPage>, patienceMs: number): Promise<ServedPage> {
  if (!isFreshEnough(known)) return rendered
  const patience = new AbortController()
  const stale = sleep(patienceMs, { page: known, isStale: true }, { signal: patience.signal })
  // the one that loses the race may fail unnoticed
  for (const each of [rendered, stale]) each.catch(() => {})
  return Promise.race([rendered, stale]).finally(() => patience.abort())
}

function isFreshEnough(page: Page | undefined): page is Page {
  return page !== undefined && performance.now() - page.freshAt <= staleMs
}

function staleness({ freshAt }: Page): [string, string][] {
  const ageS = Math.ceil((performance.now() - freshAt) / 1000)
  return [
    ['age', String(ageS)],
    ['cache-status', `rheinklang; hit; ttl=${freshMs / 1000 - ageS}; detail=unavailable`],
  ]
}
