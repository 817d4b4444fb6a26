import { randomBytes } from 'node:crypto'

export interface Document<Html = string> {
  status: number
  headers: [string, string][]
  html: Html
}

/** Documents are the same for everybody who asks within this time: short enough that nobody sees an old list. */
const keptMs = 1000
const largestTotal = 24 * 1024 * 1024

interface Kept {
  until: number
  size: number
  document: Promise<{ status: number; headers: [string, string][]; parts: Buffer[] } | null>
}

/**
 * Remembers rendered documents for a second, and renders one only once for all who ask meanwhile. Documents hold nothing
 * private. Each answer gets its own nonce: pages are rendered with a placeholder, random per process, so that no text of
 * a stranger can contain it and so print a valid nonce. Pages are kept and answered as bytes: a text would be encoded anew
 * for each answer, and a page under load would fill the heap with copies.
 */
export function documentCache() {
  const placeholder = randomBytes(24).toString('hex')
  const kept = new Map<string, Kept>()
  let total = 0

  const forget = (key: string) => {
    total -= kept.get(key)?.size ?? 0
    kept.delete(key)
  }

  return async function documentFor(
    key: string,
    nonce: string,
    render: (nonce: string) => Promise<Document>,
  ): Promise<Document<Buffer>> {
    const now = performance.now()
    let entry = kept.get(key)
    if (!entry || entry.until <= now) {
      forget(key)
      const fresh: Kept = { until: now + keptMs, size: 0, document: Promise.resolve(null) }
      fresh.document = render(placeholder).then(
        ({ status, headers, html }) => {
          const parts = html.split(placeholder).map((part) => Buffer.from(part))
          // what is not a plain page is nobody else's answer
          if (status !== 200) forget(key)
          else if (kept.get(key) === fresh) total += fresh.size = parts.reduce((sum, part) => sum + part.length, 0)
          return { status, headers, parts }
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
    const document = await entry.document
    const own = Buffer.from(nonce)
    const pieces = document!.parts.flatMap((part, n) => (n === 0 ? [part] : [own, part]))
    return { status: document!.status, headers: document!.headers, html: Buffer.concat(pieces) }
  }
}
