import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { asked, knownOf, type Question } from './crowd-questions.ts'
import { cpuMsOf } from './load.ts'
import { startFlags, startServer, type RunningServer } from './servers.ts'
import { buildTown } from './town.ts'
import { visit } from './visitors.ts'

/** A cache by its name in docs/performance.md, and what visitors ask that would use it. */
const measured: [name: string, asks: Question][] = [
  ['rows of deals by version', 'list'],
  ['rows of deals by version', 'search'],
  ['opening hours, read', 'search'],
  ['opening hours, read', 'dealPage'],
  ['similar words', 'searchForWords'],
  ['categories used as tags', 'searchForWords'],
  ['totals', 'list'],
  ['totals', 'searchAtPlace'],
  ['maps of one view', 'map'],
  ['texts of statements', 'item'],
  ['texts of statements', 'search'],
]

export interface CacheFigure {
  name: string
  asks: Question
  /** ms of CPU a request, app and database, with the cache and without it: what nobody asked before. */
  cold: [number, number]
  /** The same of 50 questions that everybody asks. */
  warm: [number, number]
}

const turns = 3
const requests = 1000

/**
 * What each cache saves: two servers over one town of 10,000 deals, one of which has the cache, asked the same by turns; first what nobody asked
 * before (cold), then the same fifty again and again (warm). The middle of three turns.
 */
export async function measureCaches(only: string | null): Promise<CacheFigure[]> {
  const town = await buildTown(10_000)
  const figures: CacheFigure[] = []
  try {
    const known = await knownOf(town)
    for (const [name, asks] of measured.filter(([each]) => only === null || each === only)) {
      const folder = mkdtempSync(join(tmpdir(), 'rheinklang-bench-caches-'))
      const servers: RunningServer[] = []
      try {
        for (const without of ['', name])
          servers.push(
            await startServer(
              'src/app/main.ts',
              { DATABASE_URL: town.url, DATA_DIR: join(folder, without || 'with'), WITHOUT_CACHE: without },
              { probe: '/readyz', nodeArgs: [...startFlags, '--import', './bench/without-cache.ts'] },
            ),
          )
        const cpu = async ({ pid, base }: RunningServer, paths: string[]) => {
          const before = cpuMsOf([pid, town.postmaster])
          await visit(base, paths, { connections: 32 })
          return (cpuMsOf([pid, town.postmaster]) - before) / paths.length
        }
        // compiled code and plans
        for (const server of servers) await cpu(server, asked(asks, known, requests, 1000))
        const cold: number[][] = [[], []]
        const warm: number[][] = [[], []]
        for (let turn = 0; turn < turns; turn++)
          for (const at of turn % 2 ? [1, 0] : [0, 1]) {
            cold[at]!.push(await cpu(servers[at]!, asked(asks, known, requests, 1 + turn)))
            const fifty = asked(asks, known, 50, 100 + turn)
            const again = Array.from({ length: requests }, (_, nth) => fifty[(nth * 7) % fifty.length]!)
            warm[at]!.push(await cpu(servers[at]!, again))
          }
        const middle = (times: number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!
        const figure: CacheFigure = {
          name,
          asks,
          cold: [middle(cold[0]!), middle(cold[1]!)],
          warm: [middle(warm[0]!), middle(warm[1]!)],
        }
        figures.push(figure)
        console.log(cacheLine(figure))
      } finally {
        for (const server of servers) await server.stop()
        rmSync(folder, { recursive: true, force: true })
      }
    }
  } finally {
    await town.close()
  }
  return figures
}

export const cacheHead = [
  '| cache | asked for | cold: with, without, ms of CPU | saves | warm: with, without | saves |',
  '|---|---|--:|--:|--:|--:|',
].join('\n')

export function cacheLine({ name, asks, cold, warm }: CacheFigure): string {
  const saves = ([having, lacking]: [number, number]) => `${Math.round((1 - having / lacking) * 100)} %`
  const both = (pair: [number, number]) => pair.map((each) => each.toFixed(2)).join(', ')
  return `| ${[name, asks, both(cold), saves(cold), both(warm), saves(warm)].join(' | ')} |`
}
