import { request } from 'node:http'

const password = 'a long walk by the Rhine'
/** As long as a browser waits. */
const patienceMs = 15_000

export interface LoadRequest {
  kind: string
  isWrite: boolean
  /** 0: the connection was cut, or there was no answer. */
  status: number
  hasRetryAfter: boolean
  beganAt: number
  endedAt: number
  /** Value that must be in the database, for an acknowledged write. */
  proof: string | null
  /** Recipient of the mail that an acknowledged write promises. */
  mailTo: string | null
}

let made = 0

/** Ten writes are 1 signup, 4 newsletters and 5 messages. */
function writeOf(turn: number) {
  const id = `${Date.now().toString(36)}${(made++).toString(36)}`
  const email = `${id}@example.org`
  const kind = turn % 10 === 0 ? 'signup' : turn % 5 < 2 ? 'newsletter' : 'contact'
  return {
    signup: {
      kind,
      path: '/api/auth/signup',
      body: { display_name: 'Lena', email, password, accepts_terms: true },
      proof: () => email,
      mailTo: email,
    },
    newsletter: {
      kind,
      path: '/api/newsletter',
      body: { email, language: 'en' },
      proof: () => email,
      mailTo: email,
    },
    contact: {
      kind,
      path: '/api/contact',
      body: { name: 'Lena', email, topic: 'visitor', message: 'Where is the lost and found?' },
      proof: (text: string) => (JSON.parse(text) as { ticket: string }).ticket,
      mailTo: null,
    },
  }[kind]
}

/** Ten reads are 5 searches, 2 items and 3 pages. */
function readOf(turn: number, deals: string[]) {
  const deal = deals[(turn * 7) % deals.length]
  const kinds = [
    ['search', `/api/deals/search?limit=20&q=${['coffee', 'beer', 'pizza', 'lunch'][turn % 4]}`],
    ['item', `/api/deals/${deal}`],
    ['search', '/api/deals/search?limit=20&latitude=47.56&longitude=7.59&radius=5'],
    ['home page', '/'],
    ['search', `/api/deals/search?limit=${1 + (turn % 20)}`],
    ['item', `/api/deals/${deal}`],
    ['search', '/api/deals?limit=20'],
    ['list page', '/deals'],
    ['search', '/api/deals/search?limit=20&openNow=true'],
    ['deal page', `/deal/${deal}`],
  ] as const
  const [kind, path] = kinds[turn % kinds.length]!
  return { kind, path }
}

export interface Load {
  /** Drops the results so far. */
  forget(): void
  stop(): Promise<LoadRequest[]>
}

/**
 * Sends `perSecond` writes and as many reads per second to instances or proxies in turn, each over a new connection and from another IP
 * address.
 */
export async function startLoad(bases: string[], { perSecond = 20 } = {}): Promise<Load> {
  const listed = await (await fetch(`${bases[0]}/api/deals?limit=50`)).json()
  const deals = (listed as { deal_id: string }[]).map(({ deal_id }) => deal_id)
  let all: LoadRequest[] = []
  const open = new Set<Promise<void>>()
  let turn = 0
  const ask = async (isWrite: boolean, n: number) => {
    const write = isWrite ? writeOf(n) : null
    const read = readOf(n, deals)
    const beganAt = performance.now()
    const answer = await send(bases[(n + (isWrite ? 1 : 0)) % bases.length]! + (write?.path ?? read.path), {
      method: write ? 'POST' : 'GET',
      body: write ? JSON.stringify(write.body) : null,
      from: `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`,
    })
    const isYes = answer.status >= 200 && answer.status < 300
    all.push({
      kind: write?.kind ?? read.kind,
      isWrite,
      status: answer.status,
      hasRetryAfter: answer.hasRetryAfter,
      beganAt,
      endedAt: performance.now(),
      proof: isYes && write ? write.proof(answer.text) : null,
      mailTo: isYes && write ? write.mailTo : null,
    })
  }
  const clock = setInterval(() => {
    const n = turn++
    for (const isWrite of [true, false]) {
      const asking = ask(isWrite, n).finally(() => open.delete(asking))
      open.add(asking)
    }
  }, 1000 / perSecond)
  return {
    forget: () => void (all = []),
    async stop() {
      clearInterval(clock)
      await Promise.all(open)
      return all
    },
  }
}

/** Never rejects. */
function send(url: string, { method, body, from }: { method: string; body: string | null; from: string }) {
  return new Promise<{ status: number; hasRetryAfter: boolean; text: string }>((resolve) => {
    const nothing = () => resolve({ status: 0, hasRetryAfter: false, text: '' })
    const asking = request(
      url,
      {
        method,
        agent: false,
        timeout: patienceMs,
        headers: {
          'x-forwarded-for': from,
          ...(body ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) } : {}),
        },
      },
      (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('error', nothing)
        answer.on('end', () =>
          resolve({
            status: answer.statusCode!,
            hasRetryAfter: answer.headers['retry-after'] !== undefined,
            text: Buffer.concat(chunks).toString(),
          }),
        )
      },
    )
    asking.on('timeout', () => asking.destroy())
    asking.on('error', nothing)
    asking.end(body ?? undefined)
  })
}
