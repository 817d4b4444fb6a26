import { builtServer, startServer, type RunningServer } from '../test/built-server.ts'
import { pidsOf } from './bare.ts'
import { buildTownOf, type Checkout } from './checkouts.ts'
import { asked, knownOf, type Known, type Question } from './crowd-questions.ts'
import { temporaryFolder } from './folder.ts'
import { cpuMsOf, residentMb } from './load.ts'
import { count } from './report.ts'
import { visit, type Visits } from './visit.ts'

const connections = 32
const compressed = { 'accept-encoding': 'br, gzip' }
/** Most CPU of a compressed answer, as a multiple of the uncompressed one. */
const compressedAtMost = 1.4

const parts: { what: string; asks: Question | 'evening'; headers?: Record<string, string> }[] = [
  { what: 'search, as asked in the evening', asks: 'search' },
  { what: 'search, compressed', asks: 'search', headers: compressed },
  { what: 'search with category and words', asks: 'searchForWords' },
  { what: 'search with a place alone', asks: 'searchAtPlace' },
  { what: 'list of 20', asks: 'list' },
  { what: 'deal page', asks: 'dealPage' },
  { what: 'deal page, compressed', asks: 'dealPage', headers: compressed },
  { what: 'map view', asks: 'map' },
  { what: 'home', asks: 'home' },
  { what: 'merchant page', asks: 'merchant' },
  { what: 'API item', asks: 'item' },
  { what: 'the whole evening', asks: 'evening' },
]

/** CPU in ms per request. */
interface Figure extends Visits {
  appMs: number
  databaseMs: number
}

/**
 * P14: the questions of a festival evening, each asked once, 32 at a time: every kind alone, then all together. The seed is fixed, so all
 * runs ask the same. Several checkouts are asked in turn, each with its own town; `atMost`: how many times the CPU of the other checkout
 * a row may cost here.
 */
export async function measureCrowd(
  checkouts: Checkout[],
  { deals, visitors, atMost }: { deals: number; visitors: number; atMost: number },
) {
  console.log(`A crowd in a town with ${count(deals)} deals …`)
  await using stack = new AsyncDisposableStack()
  const sites: Site[] = []
  for (const checkout of checkouts) sites.push(stack.use(await openSite(checkout, deals)))
  const others = checkouts.slice(1).map(({ name }) => ` ${name}: req/s | p50, p99 ms | CPU | ours ÷ it |`)
  console.log(`\n| what | req/s | p50, p99 ms | CPU app + database, ms |${others.join('')}`)
  console.log(`|---|--:|--:|--:|${others.map(() => '--:|--:|--:|--:|').join('')}`)
  let plain: Figure | null = null
  for (const [at, part] of parts.entries()) {
    const figures: Figure[] = []
    for (const site of sites) figures.push(await crowdAt(site, part, visitors, at + 1))
    const [ours, ...before] = figures as [Figure, ...Figure[]]
    const cells = [part.what, ...cellsOf(ours)]
    for (const each of before) cells.push(...cellsOf(each), ratio(ours, each, atMost))
    console.log(
      `| ${cells.join(' | ')} |${part.headers && plain ? ` ${ratio(ours, plain, compressedAtMost)} × uncompressed` : ''}`,
    )
    plain = ours
  }
  console.log(
    `\nMemory of the Node process: ${sites.map(({ app }) => `${residentMb(app.pid).toFixed(0)} MB`).join('; ')}`,
  )
}

type Site = AsyncDisposable & { app: RunningServer; postmaster: number | null; known: Known }

async function openSite(checkout: Checkout, deals: number): Promise<Site> {
  await using stack = new AsyncDisposableStack()
  const town = stack.use(await buildTownOf(checkout, deals))
  const folder = stack.use(temporaryFolder())
  const env = { DATABASE_URL: town.url, DATA_DIR: folder.path }
  const app = stack.use(await startServer(builtServer, env, { probe: '/readyz', cwd: checkout.root }))
  const known = await knownOf(town.url)
  // warms up code and query plans, not caches of answers: the seed is another one
  await visit(app.base, asked('evening', known, 1000, 1000), { connections })
  const open = stack.move()
  return { app, postmaster: town.postmaster, known, [Symbol.asyncDispose]: () => open.disposeAsync() }
}

async function crowdAt(
  { app, postmaster, known }: Site,
  { asks, headers }: (typeof parts)[number],
  visitors: number,
  seed: number,
): Promise<Figure> {
  const paths = asked(asks, known, visitors, seed)
  const [appPid, ...database] = pidsOf(app, { postmaster })
  const cpu = () => [cpuMsOf([appPid!]), cpuMsOf(database)] as const
  const before = cpu()
  const visits = await visit(app.base, paths, { connections, ...(headers ? { headers } : {}) })
  const after = cpu()
  return { ...visits, appMs: (after[0] - before[0]) / visitors, databaseMs: (after[1] - before[1]) / visitors }
}

const total = ({ appMs, databaseMs }: Figure) => appMs + databaseMs

function ratio(ours: Figure, other: Figure, atMost: number): string {
  const times = total(ours) / total(other)
  return times <= atMost ? times.toFixed(2) : `**${times.toFixed(2)}**`
}

function cellsOf({ requestsPerSecond, p50Ms, p99Ms, appMs, databaseMs, statuses }: Figure): string[] {
  const failed = [...statuses].filter(([status]) => status !== 200).map(([status, times]) => `${times} × ${status}`)
  return [
    `${count(requestsPerSecond)}${failed.length > 0 ? ` (${failed.join(', ')})` : ''}`,
    `${p50Ms.toFixed(1)}, ${p99Ms.toFixed(1)}`,
    `${appMs.toFixed(2)} + ${databaseMs.toFixed(2)} = ${(appMs + databaseMs).toFixed(2)}`,
  ]
}
