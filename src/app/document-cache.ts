import { randomBytes } from 'node:crypto'
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
}

interface Kept {
  until: number
  size: number
  page: Promise<Page>
  /** Once there is one that others may get. */
  settled?: Page
}

/** One answer's own copy of a page. */
export interface Copy extends Answer<Buffer> {
  /** To be called once the bytes are handed to the system; whoever's connection broke just lets the copy go. */
  done: () => void
}

/** Cuts a rendered page at its nonces, leaving room for those of the answers. */
const pageOf =
  (placeholder: string) =>
  ({ status, headers, html, madeOf }: Document): Page => {
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
    return { status, headers, bytes: Buffer.concat(pieces, length), nonces, free: [], madeOf }
  }
const room = Buffer.alloc(nonceLength)

/**
 * Remembers rendered documents for a second, and renders one only once for all who ask meanwhile. After that it is asked
 * what the document is made of now, and rendered anew only if that has changed. Documents hold nothing private. Each
 * answer gets its own nonce: pages are rendered with a placeholder, random per process, so that no text of a stranger can
 * contain it and so print a valid nonce. Pages are kept and answered as bytes, into whose copies the nonce is written: a
 * text would be encoded anew for each answer, and thousands of fresh copies a second would fill the memory.
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

  /**
   * @param nonce of the length of `nonceLength`
   * @param render is told what the page known so far is made of, if there is one
   */
  return async function documentFor(
    key: string,
    nonce: string,
    render: (nonce: string, known: string | null) => Promise<Document | Unchanged>,
  ): Promise<Copy> {
    const now = performance.now()
    let entry = kept.get(key)
    if (!entry || entry.until <= now) {
      const known = entry?.settled
      forget(key)
      const made = async () => {
        const document = await render(placeholder, known?.madeOf ?? null)
        return document === 'unchanged' ? known! : cut(document)
      }
      const fresh: Kept = { until: now + keptMs, size: 0, page: made() }
      fresh.page = fresh.page.then(
        (page) => {
          // what is not a plain page is nobody else's answer
          if (page.status !== 200) forget(key)
          else if (kept.get(key) === fresh) {
            fresh.settled = page
            total += fresh.size = page.bytes.length * (1 + keptCopies)
          }
          return page
        },
        (error: unknown) => {
          forget(key)
          throw error
        },
      )
      kept.set(key, (entry = fresh))
      for (const oldest of kept.keys()) {
        if (total <= largestTotal && kept.size <= 500) break
        if (oldest !== key) forget(oldest)
      }
    }
    const { status, headers, bytes, nonces, free } = await entry.page
    const html = free.pop() ?? Buffer.from(bytes)
    for (const at of nonces) html.write(nonce, at, nonceLength, 'latin1')
    return { status, headers, html, done: () => free.length < keptCopies && free.push(html) }
  }
}
