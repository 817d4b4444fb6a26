import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { asked, knownOf, type Known, type Question } from './crowd-questions.ts'
import { cpuMsOf, residentMb } from './load.ts'
import { startTown, type Checkout, type ForeignTown } from './checkouts.ts'
import { programOf, startServer, type RunningServer } from './servers.ts'
import { visit, type Visits } from './visitors.ts'

const connections = 32
/** As browsers send it. */
const compressed = { 'accept-encoding': 'br, gzip' }

interface Part {
  what: string
  asks: Question | 'evening'
  /** ms of CPU a request at 10,000 deals. */
  most?: number
  /** CPU at 100,000 deals, times that at 10,000. */
  grows?: number
  headers?: Record<string, string>
}
const parts: Part[] = [
  { what: 'search, as asked in the evening', asks: 'search', most: 0.8, grows: 2.5 },
  { what: 'search with category and words', asks: 'searchForWords', most: 0.8, grows: 2.5 },
  { what: 'search with a place alone', asks: 'searchAtPlace', most: 0.8, grows: 2.5 },
  { what: 'search, compressed', asks: 'search', headers: compressed },
  { what: 'list of 20', asks: 'list', most: 0.3 },
  { what: 'deal page', asks: 'dealPage', most: 2.8 },
  { what: 'deal page, compressed', asks: 'dealPage', headers: compressed },
  { what: 'map view', asks: 'map' },
  { what: 'home', asks: 'home' },
  { what: 'merchant page', asks: 'merchant' },
  { what: 'API item', asks: 'item', most: 0.19 },
  { what: 'the whole evening', asks: 'evening' },
]

/** Figures of a part in one town. */
export interface CrowdFigure extends Visits {
  /** ms a request. */
  appMs: number
  databaseMs: number
}
export interface CrowdRow {
  what: string
  size: number
  ours: CrowdFigure
  /** Of the other checkout, asked by turns in the same run. */
  before: CrowdFigure | null
  bar: string
  met: boolean | null
}

/**
 * A festival evening of visitors who each ask what nobody asked before, 32 at a time: every part alone, then all
 * together. The seed is fixed, so each run asks the same. `beside`: another checkout of this repository, which is asked the
 * same by turns, in a town of its own.
 */
export async function measureCrowd(
  sizes: number[],
  { visitors, beside }: { visitors: number; beside: string | null },
): Promise<CrowdRow[]> {
  const rows: CrowdRow[] = []
  for (const size of sizes) {
    console.log(`\nA crowd in a town with ${size.toLocaleString('en')} deals …`)
    const checkouts: Checkout[] = [{ root: null }, ...(beside ? [{ root: beside }] : [])]
    const sites: Site[] = []
    try {
      for (const checkout of checkouts) sites.push(await openSite(checkout, size))
      for (const [at, part] of parts.entries()) {
        const figures: CrowdFigure[] = []
        for (const site of sites) figures.push(await crowdOf(part, site, visitors, at + 1))
        const [ours, before = null] = figures as [CrowdFigure, CrowdFigure?]
        rows.push({ what: part.what, size, ours, before, ...barOf(part, ours, size, rows) })
        console.log(lineOf(rows.at(-1)!))
      }
      console.log(
        `Memory of the Node process: ${sites.map(({ app }) => `${residentMb(app.pid).toFixed(0)} MB`).join('; before ')}`,
      )
    } finally {
      for (const site of sites) await site.close()
    }
  }
  return rows
}

function barOf(part: Part, ours: CrowdFigure, size: number, rows: CrowdRow[]) {
  const cpu = ours.appMs + ours.databaseMs
  const small = rows.find(({ what, size }) => what === part.what && size === 10_000)?.ours
  if (size === 10_000 && part.most) return { bar: `≤ ${part.most} ms`, met: cpu <= part.most }
  if (size === 100_000 && part.grows && small) {
    const times = cpu / (small.appMs + small.databaseMs)
    return { bar: `${times.toFixed(2)} ×, ≤ ${part.grows} ×`, met: times <= part.grows }
  }
  return { bar: '', met: null }
}

export interface Site {
  app: RunningServer
  town: ForeignTown
  known: Known
  close(): Promise<void>
}

export async function openSite(checkout: Checkout, size: number, env: Record<string, string> = {}): Promise<Site> {
  const town = await startTown(checkout, size)
  const folder = mkdtempSync(join(tmpdir(), 'rheinklang-bench-crowd-'))
  const app = await startServer(
    programOf(checkout.root ?? '.'),
    { DATABASE_URL: town.url, DATA_DIR: folder, ...env },
    {
      probe: '/readyz',
      nodeArgs: ['--max-old-space-size=768', '--max-semi-space-size=16'],
      ...(checkout.root ? { cwd: checkout.root } : {}),
    },
  )
  const known = await knownOf(town)
  // compiled code and plans, not answers: it asks other questions
  await visit(app.base, asked('evening', known, 1000, 1000), { connections })
  return {
    app,
    town,
    known,
    async close() {
      await app.stop()
      await town.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function crowdOf(part: Part, { app, town, known }: Site, visitors: number, seed: number): Promise<CrowdFigure> {
  const paths = asked(part.asks, known, visitors, seed)
  const before = [cpuMsOf([app.pid]), cpuMsOf([town.postmaster])] as const
  const visits = await visit(app.base, paths, { connections, ...(part.headers ? { headers: part.headers } : {}) })
  const after = [cpuMsOf([app.pid]), cpuMsOf([town.postmaster])] as const
  return { ...visits, appMs: (after[0] - before[0]) / visitors, databaseMs: (after[1] - before[1]) / visitors }
}

export const crowdHead = [
  '| deals | what | req/s | p50, p99 ms | CPU app + database, ms | before: req/s | p50, p99 ms | CPU | bar | |',
  '|--:|---|--:|--:|--:|--:|--:|--:|---|---|',
].join('\n')

export function lineOf({ what, size, ours, before, bar, met }: CrowdRow): string {
  const cells = (figure: CrowdFigure | null) => (figure ? figureCells(figure) : ['', '', ''])
  const isMet = met === null ? '' : met ? 'met' : '**missed**'
  return `| ${[size.toLocaleString('en'), what, ...cells(ours), ...cells(before), bar, isMet].join(' | ')} |`
}

function figureCells({ requestsPerSecond, p50Ms, p99Ms, appMs, databaseMs, statuses }: CrowdFigure): string[] {
  const failed = [...statuses].filter(([status]) => status !== 200).map(([status, count]) => `${count} × ${status}`)
  return [
    `${Math.round(requestsPerSecond).toLocaleString('en')}${failed.length > 0 ? ` (${failed.join(', ')})` : ''}`,
    `${p50Ms.toFixed(1)}, ${p99Ms.toFixed(1)}`,
    `${appMs.toFixed(2)} + ${databaseMs.toFixed(2)} = ${(appMs + databaseMs).toFixed(2)}`,
  ]
}
