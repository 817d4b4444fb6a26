import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../src/kit/server/database.ts'
import { startEmbeddedPostgres } from '../src/kit/server/embedded-postgres.ts'
import { categories } from '../src/brand/categories.ts'
import { openSite } from './crowd.ts'
import { randomFrom } from './crowd-questions.ts'
import { established } from './forum-posts.ts'
import { cpuMsOf } from './load.ts'
import { photoOf } from './pictures.ts'
import { startServer } from './servers.ts'
import { centre, socketUrl } from './town.ts'
import { visit, type Visits } from './visitors.ts'

// Two attacks on costly work, bounded in number: they end by themselves.

const deals = 50_000
const greedy = { searches: 600, connections: 100 }
const honest = ['words', 'misspelt', 'map'] as const

export interface GreedySearches {
  /** Alone, one after the other. */
  calm: Visits
  /** Of three other addresses, while one has a hundred costly searches under way. */
  honest: Visits
  greedy: Visits
}

/**
 * One address searches 600 times with all filters, 100 at once, each time otherwise; three others search with words, with misspelt ones and on
 * a map meanwhile, one after the other. `checkout`: another one.
 */
export async function measureGreedySearches(checkout: string | null): Promise<GreedySearches> {
  console.log(
    `\nOne address with ${greedy.connections} searches at once in a town with ${deals.toLocaleString('en')} deals …`,
  )
  const site = await openSite({ root: checkout }, deals, { TRUST_PROXY: 'on' })
  try {
    const { words } = site.known
    const ask = (kind: (typeof honest)[number], address: number, until: AbortSignal | null, most: number) =>
      visit(site.app.base, honestPaths(kind, words, address, most), {
        connections: 1,
        headers: { 'x-forwarded-for': `198.18.0.${address}` },
        ...(until ? { until } : {}),
      })
    const calm = together(await Promise.all(honest.map((kind, n) => ask(kind, 10 + n, null, 30))))
    const end = new AbortController()
    const meanwhile = honest.map((kind, n) => ask(kind, 20 + n, end.signal, 100_000))
    const under = await visit(site.app.base, allFilters(words), {
      connections: greedy.connections,
      headers: { 'x-forwarded-for': '198.18.0.1' },
    })
    end.abort()
    return { calm, honest: together(await Promise.all(meanwhile)), greedy: under }
  } finally {
    await site.close()
  }
}

/** Of several kinds the slowest figures count, and all answers. */
function together(all: Visits[]): Visits {
  const statuses = new Map<number, number>()
  for (const each of all)
    for (const [status, count] of each.statuses) statuses.set(status, (statuses.get(status) ?? 0) + count)
  const most = (of: (each: Visits) => number) => Math.max(...all.map(of))
  return {
    requestsPerSecond: all.reduce((sum, each) => sum + each.requestsPerSecond, 0),
    p50Ms: most(({ p50Ms }) => p50Ms),
    p99Ms: most(({ p99Ms }) => p99Ms),
    slowestMs: most(({ slowestMs }) => slowestMs),
    statuses,
    withoutRetryAfter: all.reduce((sum, each) => sum + each.withoutRetryAfter, 0),
  }
}

const pick = <T>(random: () => number, from: readonly T[]): T => from[Math.floor(random() * from.length)]!
const near = (random: () => number) =>
  `lat=${(centre.latitude + (random() - 0.5) * 0.2).toFixed(4)}&lon=${(centre.longitude + (random() - 0.5) * 0.3).toFixed(4)}`

/** The widest circle, every filter that there is or is not, every order; a third with a common beginning of a word. */
function* allFilters(words: string[]): Generator<string> {
  const random = randomFrom(31)
  const sorts = ['best', 'distance', 'rating', 'ending_soon', 'new', 'soonest']
  for (let n = 0; n < greedy.searches; n++) {
    const word = pick(random, words)
    const asked = new URLSearchParams({
      q: n % 3 === 0 ? word.slice(0, 3) : word,
      category: n % 2 === 0 ? '' : pick(random, categories),
      openNow: 'true',
      sponsored: String(n % 4 === 0),
      radius: '50',
      sort: sorts[n % sorts.length]!,
      limit: '20',
    })
    if (n % 5 === 0) asked.delete('q')
    yield `/api/deals/search?${asked}&${near(random)}`
  }
}

function* honestPaths(kind: (typeof honest)[number], words: string[], seed: number, most: number): Generator<string> {
  const random = randomFrom(seed)
  for (let n = 0; n < most; n++) {
    const word = pick(random, words)
    if (kind === 'map') yield `/api/deals/search?view=map&compact=true&radius=2&${near(random)}`
    else {
      const q = kind === 'words' ? word : `${word.slice(0, 1)}${pick(random, ['x', 'q', 'j'])}${word.slice(2)}`
      yield `/api/deals/search?limit=20&q=${encodeURIComponent(q)}&${near(random)}`
    }
  }
}

export interface LargeUploads {
  what: string
  sent: number
  slowestMs: number
  /** CPU time of the server, ms a picture. */
  cpuMs: number
  /** Answers other than 201, by status; 0: none at all. */
  others: Map<number, number>
}

const uploads = 20
/** 24.9 megapixels: what is just taken. */
const [width, height] = [5760, 4320] as const

/** Pictures for posts of the forum, of 20 people behind one address at once: photos first, then pictures of one colour. */
export async function measureLargeUploads(): Promise<LargeUploads[]> {
  const folder = mkdtempSync(join(tmpdir(), 'rheinklang-bench-uploads-'))
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'database') })
  const url = socketUrl(postgres)
  const { db, pool } = openDatabase({ connectionString: url }, { patient: true })
  const app = await startServer(
    'build/app/main.mjs',
    { DATABASE_URL: url, DATA_DIR: folder, DEMO_DATA: 'off', TRUST_PROXY: 'on' },
    { probe: '/readyz', nodeArgs: ['--max-old-space-size=768'] },
  )
  try {
    const tokens = await established(db, folder, uploads)
    const send = async (token: string, picture: Buffer) => {
      const form = new FormData()
      form.set('image', new Blob([picture as BlobPart]), 'picture')
      const began = performance.now()
      const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': '198.19.1.1' }
      const status = await fetch(`${app.base}/api/forum/images`, { method: 'POST', headers, body: form }).then(
        async (answer) => (await answer.arrayBuffer(), answer.status),
        () => 0,
      )
      return { status, ms: performance.now() - began }
    }
    // the library behind it is loaded with the first picture
    await send(tokens[0]!, await photoOf(64, 64))
    const photo = await photoOf(width, height, { quality: 70 })
    const { default: sharp } = await import('sharp')
    const flat = await sharp({ create: { width, height, channels: 3, background: '#f2574a' } })
      .png()
      .toBuffer()
    const measured: LargeUploads[] = []
    for (const [what, picture] of [
      ['JPEG', photo],
      ['PNG', flat],
    ] as const) {
      const before = cpuMsOf([app.pid])
      const answers = await Promise.all(tokens.map((token) => send(token, picture)))
      const cpuMs = (cpuMsOf([app.pid]) - before) / answers.length
      const others = new Map<number, number>()
      for (const { status } of answers) if (status !== 201) others.set(status, (others.get(status) ?? 0) + 1)
      measured.push({
        what: `${what} of ${((width * height) / 1e6).toFixed(1)} megapixels, ${(picture.length / 1e6).toFixed(1)} MB`,
        sent: answers.length,
        slowestMs: Math.max(...answers.map(({ ms }) => ms)),
        cpuMs,
        others,
      })
    }
    return measured
  } finally {
    await pool.end()
    await app.stop()
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
