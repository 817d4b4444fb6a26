import { randomBytes } from 'node:crypto'
import { nonceLength } from './protection.ts'

export interface Document<Html = string> {
  status: number
  headers: [string, string][]
  html: Html
}

/** Documents are the same for everybody who asks within this time: short enough that nobody sees an old list. */
const keptMs = 1000
const largestTotal = 24 * 1024 * 1024

/** How many copies of a page wait for the next answer: more are let go. */
const keptCopies = 2

interface Page {
  status: number
  headers: [string, string][]
  bytes: Buffer
  /** Where nonces begin in `bytes`. */
  nonces: number[]
  /** Copies whose answers are out. */
  free: Buffer[]
}

interface Kept {
  until: number
  size: number
  page: Promise<Page>
}

/** One answer's own copy of a page. */
export interface Copy extends Document<Buffer> {
  /** To be called once the bytes are handed to the system; whoever's connection broke just lets the copy go. */
  done: () => void
}

/** Cuts a rendered page at its nonces, leaving room for those of the answers. */
const pageOf =
  (placeholder: string) =>
  ({ status, headers, html }: Document): Page => {
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
    return { status, headers, bytes: Buffer.concat(pieces, length), nonces, free: [] }
  }
const room = Buffer.alloc(nonceLength)

/**
 * Remembers rendered documents for a second, and renders one only once for all who ask meanwhile. Documents hold nothing
 * private. Each answer gets its own nonce: pages are rendered with a placeholder, random per process, so that no text of
 * a stranger can contain it and so print a valid nonce. Pages are kept and answered as bytes, into whose copies the nonce is
 * written: a text would be encoded anew for each answer, and thousands of fresh copies a second would fill the memory.
 */
export function documentCache() {
  const placeholder = randomBytes(24).toString('hex')
  const kept = new Map<string, Kept>()
  let total = 0

  const forget = (key: string) => {
    total -= kept.get(key)?.size ?? 0
    kept.delete(key)
  }

  /** @param nonce of the length of `nonceLength` */
  return async function documentFor(
    key: string,
    nonce: string,
    render: (nonce: string) => Promise<Document>,
  ): Promise<Copy> {
    const now = performance.now()
    let entry = kept.get(key)
    if (!entry || entry.until <= now) {
      forget(key)
      const fresh: Kept = { until: now + keptMs, size: 0, page: render(placeholder).then(pageOf(placeholder)) }
      fresh.page = fresh.page.then(
        (page) => {
          // what is not a plain page is nobody else's answer
          if (page.status !== 200) forget(key)
          else if (kept.get(key) === fresh) total += fresh.size = page.bytes.length
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
