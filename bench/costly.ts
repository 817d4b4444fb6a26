import { visit, type Visits } from './visitors.ts'
import { asked, randomFrom } from './crowd-questions.ts'
import { openSite, type Site } from './crowd.ts'

const deals = 50_000
/** Who ask for maps and misspelt words, all the time. */
const greedy = 100
const simple = 200

export interface CostlyRow {
  /** Simple searches: alone, and while 100 others ask for what is costly; ms. */
  calmP99Ms: number
  p99Ms: number
  /** Simple searches that were not answered with 200. */
  failed: number
  costly: Visits
}

/**
 * 100 visitors ask for maps and for misspelt words as fast as they are answered; four others search at a place, and should not
 * feel it. `beside`: another checkout, after ours, in a town of its own.
 */
export async function measureCostly(beside: string | null): Promise<{ ours: CostlyRow; before: CostlyRow | null }> {
  console.log(`\nCostly searches in a town with ${deals.toLocaleString('en')} deals …`)
  const ours = await at(null)
  return { ours, before: beside ? await at(beside) : null }
}

async function at(root: string | null): Promise<CostlyRow> {
  const site = await openSite({ root }, deals)
  try {
    return await crowded(site)
  } finally {
    await site.close()
  }
}

async function crowded({ app, known }: Site): Promise<CostlyRow> {
  const places = asked('searchAtPlace', known, 2 * simple, 21)
  const calm = await visit(app.base, places.slice(0, simple), { connections: 4 })
  const enough = new AbortController()
  const costly = visit(app.base, costlyPaths(known.words), { connections: greedy, until: enough.signal })
  const meanwhile = await visit(app.base, places.slice(simple), { connections: 4 })
  enough.abort()
  const failed = [...meanwhile.statuses].reduce((sum, [status, count]) => sum + (status === 200 ? 0 : count), 0)
  return { calmP99Ms: calm.p99Ms, p99Ms: meanwhile.p99Ms, failed, costly: await costly }
}

/** Half maps of a place, half words of the town with two letters changed; without end, none twice. */
function* costlyPaths(words: string[]): Generator<string> {
  const random = randomFrom(22)
  const known = { deals: [], merchants: [], words }
  for (let seed = 1000; ; seed++) {
    const word = words[Math.floor(random() * words.length)]!
    const letter = () => String.fromCharCode(97 + Math.floor(random() * 26))
    const at = 1 + Math.floor(random() * (word.length - 1))
    const misspelt = word.slice(0, at) + letter() + letter() + word.slice(at + 1)
    yield `/api/deals/search?limit=20&q=${encodeURIComponent(misspelt)}`
    yield asked('map', known, 1, seed)[0]!
  }
}

const count = ({ statuses }: Visits, status: number) => statuses.get(status) ?? 0

export function tellCostly({ calmP99Ms, p99Ms, failed, costly }: CostlyRow): string {
  const others = [...costly.statuses].filter(([status]) => status !== 200 && status !== 503)
  return `p99 ${p99Ms.toFixed(0)} ms (alone ${calmP99Ms.toFixed(0)}), ${failed} failed; costly p99 ${costly.p99Ms.toFixed(0)} ms, ${count(costly, 200)} × 200, ${count(costly, 503)} × 503 of which ${costly.withoutRetryAfter} without Retry-After${others.map(([status, n]) => `, ${n} × ${status}`).join('')}`
}

export const isBounded = ({ p99Ms, failed, costly }: CostlyRow) =>
  p99Ms <= 1000 &&
  failed === 0 &&
  costly.withoutRetryAfter === 0 &&
  [...costly.statuses.keys()].every((status) => status === 200 || status === 503)
