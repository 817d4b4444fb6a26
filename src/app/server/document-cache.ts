import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Document {
  status: number
  headers: [string, string][]
  html: string
  /** Equal for pages made of the same data; null for those that are not told apart so. */
  madeOf: string | null
}

/** Returned when the data has not changed. */
export type Unchanged = 'unchanged'

/** Documents are the same for everybody who asks within this time: short enough that nobody sees an old list. */
const keptMs = 1000
const mostPages = 500
/** Of the texts together. */
const mostLetters = 12 * 1024 * 1024

/** While the database gives no answer (503), a page that was good within this time is answered again … */
const staleMs = 60_000
/** … and whoever asks for it waits no longer than this for a fresh one. */
const patienceMs = 1000

/** A document with the placeholder in place of its nonces. */
interface Page extends Document {
  /** When the data was asked for that it is made of. */
  freshAt: number
}

interface Shown {
  page: Page
  isStale: boolean
}

type Render = (nonce: string, known: string | null) => Promise<Document | Unchanged>

interface Entry {
  /** Infinite while it is being rendered. */
  until: number
  shown: Promise<Shown>
  /** Once there is one that others may get. */
  settled?: Page | undefined
}

/**
 * Caches rendered documents for a second, and renders one only once for all who ask meanwhile. After that the page's data is
 * asked for, and the page is rendered anew only if the data has changed. Documents hold nothing private. Each answer gets its
 * own nonce: pages are rendered with a placeholder, random per process, so that no text of a stranger can contain it and so
 * print a valid nonce.
 *
 * A page that was good within the last minute is answered again while the database gives no answer, and says so: `Age` and
 * a `Cache-Status` (RFC 9211) whose negative `ttl` means stale.
 */
export function documentCache() {
  const placeholder = randomBytes(24).toString('hex')
  /** The oldest first. */
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

  /** Renders for all who ask now, and leaves in `entry` what later ones may get. */
  async function rendered(key: string, entry: Entry, known: Page | undefined, render: Render): Promise<Shown> {
    const began = performance.now()
    const isKept = () => entries.get(key) === entry
    try {
      const document = await render(placeholder, known?.madeOf ?? null)
      entry.until = began + keptMs
      const page = { ...(document === 'unchanged' ? known! : document), freshAt: began }
      if (page.status === 503 && isFreshEnough(known)) {
        entry.until = performance.now() + keptMs
        return { page: known, isStale: true }
      }
      if (page.status === 200 && isKept()) settle(entry, page)
      // what is not a plain page is nobody else's answer
      else if (isKept()) forget(key)
      return { page, isStale: false }
    } catch (error) {
      if (isKept()) forget(key)
      throw error
    }
  }

  /** @param render is told the hash of the cached page's data, if there is one */
  return async function documentFor(key: string, nonce: string, render: Render): Promise<Document> {
    const now = performance.now()
    let entry = entries.get(key)
    if (!entry || entry.until <= now) {
      const known = entry?.settled
      forget(key)
      const shown = Promise.withResolvers<Shown>()
      entries.set(key, (entry = { until: Infinity, shown: shown.promise }))
      settle(entry, known)
      shown.resolve(inPatience(known, rendered(key, entry, known, render)))
      for (const oldest of entries.keys()) {
        if (letters <= mostLetters && entries.size <= mostPages) break
        if (oldest !== key) forget(oldest)
      }
    }
    const { page, isStale } = await entry.shown
    const headers = isStale ? [...page.headers, ...staleness(page)] : page.headers
    return { ...page, headers, html: page.html.replaceAll(placeholder, nonce) }
  }
}

/** What is rendered, or after a while what is known. */
function inPatience(known: Page | undefined, rendered: Promise<Shown>): Promise<Shown> {
  if (!isFreshEnough(known)) return rendered
  const patience = new AbortController()
  const stale = sleep(patienceMs, { page: known, isStale: true }, { signal: patience.signal })
  // whichever comes second
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
    ['cache-status', `rheinklang; hit; ttl=${keptMs / 1000 - ageS}; detail=unavailable`],
  ]
}
