import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { nonceLength } from './protection.ts'

interface Answer<Html> {
  status: number
  headers: [string, string][]
  html: Html
}

export interface Document extends Answer<string> {
  /** Equal for pages made of the same data; null for those that are not told apart so. */
  madeOf: string | null
}

/** Said instead of a document that would be made of what is known already. */
export type Unchanged = 'unchanged'

/** Documents are the same for everybody who asks within this time: short enough that nobody sees an old list. */
const keptMs = 1000
const largestTotal = 24 * 1024 * 1024

/** While the database gives no answer (503), a page that was good within this time is answered again … */
const staleMs = 60_000
/** … and whoever asks for it waits no longer than this for a fresh one. */
const patienceMs = 1000

/** How many copies of a page wait for the next answer: more are let go. */
const keptCopies = 1

interface Page {
  status: number
  headers: [string, string][]
  bytes: Buffer
  madeOf: string | null
  /** Where nonces begin in `bytes`. */
  nonces: number[]
  /** Copies whose answers are out. */
  free: Buffer[]
  /** When the data was asked for that it is made of. */
  freshAt: number
}

interface Shown {
  page: Page
  isStale: boolean
}

type Render = (nonce: string, known: string | null) => Promise<Document | Unchanged>

interface Kept {
  /** Infinite while it is being rendered. */
  until: number
  size: number
  shown: Promise<Shown>
  /** Once there is one that others may get. */
  settled?: Page | undefined
}

/** One answer's own copy of a page. */
export interface Copy extends Answer<Buffer> {
  /** To be called once the bytes are handed to the system; whoever's connection broke just lets the copy go. */
  done: () => void
}

/** Cuts a rendered page at its nonces, leaving room for those of the answers. */
const pageOf =
  (placeholder: string) =>
  ({ status, headers, html, madeOf }: Document, freshAt: number): Page => {
    const nonces: number[] = []
    let length = 0
    const pieces = html.split(placeholder).flatMap((part, n) => {
      if (n > 0) {
        nonces.push(length)
        length += nonceLength
      }
      const bytes = Buffer.from(part)
      length += bytes.length
      return n === 0 ? [bytes] : [room, bytes]
    })
    return { status, headers, bytes: Buffer.concat(pieces, length), nonces, free: [], madeOf, freshAt }
  }
const room = Buffer.alloc(nonceLength)

/**
 * Remembers rendered documents for a second, and renders one only once for all who ask meanwhile. After that it is asked
 * what the document is made of now, and rendered anew only if that has changed. Documents hold nothing private. Each
 * answer gets its own nonce: pages are rendered with a placeholder, random per process, so that no text of a stranger can
 * contain it and so print a valid nonce. Pages are kept and answered as bytes, into whose copies the nonce is written: a
 * text would be encoded anew for each answer, and thousands of fresh copies a second would fill the memory.
 *
 * A page that was good within the last minute is answered again while the database gives no answer, and says so: `Age` and
 * a `Cache-Status` (RFC 9211) whose negative `ttl` means stale.
 */
export function documentCache() {
  const placeholder = randomBytes(24).toString('hex')
  const cut = pageOf(placeholder)
  const kept = new Map<string, Kept>()
  let total = 0

  const forget = (key: string) => {
    total -= kept.get(key)?.size ?? 0
    kept.delete(key)
  }

  const settle = (entry: Kept, page: Page | undefined) => {
    total -= entry.size
    entry.settled = page
    total += entry.size = page ? page.bytes.length * (1 + keptCopies) : 0
  }

  /** Renders for all who ask now, and remembers in `entry` what later ones may get. */
  async function rendered(key: string, entry: Kept, known: Page | undefined, render: Render): Promise<Shown> {
    const began = performance.now()
    const isKept = () => kept.get(key) === entry
    try {
      const document = await render(placeholder, known?.madeOf ?? null)
      entry.until = began + keptMs
      const page = document === 'unchanged' ? known! : cut(document, began)
      if (page.status === 503 && isFreshEnough(known)) {
        entry.until = performance.now() + keptMs
        return { page: known, isStale: true }
      }
      page.freshAt = began
      if (page.status === 200 && isKept()) settle(entry, page)
      // what is not a plain page is nobody else's answer
      else if (isKept()) forget(key)
      return { page, isStale: false }
    } catch (error) {
      if (isKept()) forget(key)
      throw error
    }
  }

  /**
   * @param nonce of the length of `nonceLength`
   * @param render is told what the page known so far is made of, if there is one
   */
  return async function documentFor(key: string, nonce: string, render: Render): Promise<Copy> {
    const now = performance.now()
    let entry = kept.get(key)
    if (!entry || entry.until <= now) {
      const known = entry?.settled
      forget(key)
      const shown = Promise.withResolvers<Shown>()
      kept.set(key, (entry = { until: Infinity, size: 0, shown: shown.promise }))
      settle(entry, known)
      shown.resolve(inPatience(known, rendered(key, entry, known, render)))
      for (const oldest of kept.keys()) {
        if (total <= largestTotal && kept.size <= 500) break
        if (oldest !== key) forget(oldest)
      }
    }
    const { page, isStale } = await entry.shown
    const { status, bytes, nonces, free } = page
    const headers = isStale ? [...page.headers, ...staleness(page)] : page.headers
    const html = free.pop() ?? Buffer.from(bytes)
    for (const at of nonces) html.write(nonce, at, nonceLength, 'latin1')
    return { status, headers, html, done: () => free.length < keptCopies && free.push(html) }
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
