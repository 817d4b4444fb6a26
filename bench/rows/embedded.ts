import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { medianOf, requestRatio } from '../beside.ts'
import { load, type Figure } from '../load.ts'
import { startFlags, startServer } from '../servers.ts'
import { buildTown, buildTownAt, type Town } from '../town.ts'
import { compare, type Row } from './row.ts'

/** Of P6. */
const freshPairs = 9

/**
 * P6: by turns, apps on two fresh towns: one in the database an app starts itself, one on a server reached over TCP. Two
 * processes that differ in nothing scatter by a tenth, each for as long as it lives, so nine pairs are started one after the other.
 */
export async function embeddedRows(deals: number, near: string[], seconds: number): Promise<Row[]> {
  const admin = process.env['BENCH_DATABASE_URL']
  if (!admin) return []
  const embedded = await buildTown(deals)
  const reached = await buildTownAt(admin, deals)
  const folder = mkdtempSync(join(tmpdir(), 'rheinklang-bench-url-'))
  const appOf = (town: Pick<Town, 'url'>, name: string) =>
    startServer(
      'build/app/main.mjs',
      { DATABASE_URL: town.url, DATA_DIR: join(folder, name) },
      { probe: '/readyz', nodeArgs: startFlags },
    )
  const asked: Record<string, (ids: string[]) => string[]> = {
    list: () => ['/api/deals?limit=20'],
    search: () => near.map((place) => `/api/deals/search?${place}&category=food&openNow=true&limit=20`),
    item: (ids) => ids.map((id) => `/api/deals/${id}`),
  }
  const pairs: Record<string, [Figure, Figure][]> = {}
  try {
    for (let n = 0; n < freshPairs; n++) {
      const mine = await appOf(embedded, `embedded-${n}`)
      const theirs = await appOf(reached, `reached-${n}`)
      for (const [name, paths] of Object.entries(asked)) {
        const askMine = (forS: number) =>
          load(mine.base, paths(embedded.sampleDealIds), { seconds: forS, pids: [mine.pid, embedded.postmaster] })
        const askTheirs = (forS: number) =>
          load(theirs.base, paths(reached.sampleDealIds), { seconds: forS, pids: [theirs.pid] })
        await askMine(1)
        await askTheirs(1)
        ;(pairs[name] ??= []).push([await askMine(seconds), await askTheirs(seconds)])
      }
      await mine.stop()
      await theirs.stop()
    }
    return Object.entries(pairs).map(([name, all]) =>
      compare(`P6 embedded database beside DATABASE_URL over TCP, ${name}`, ...medianOf(all, requestRatio), 0.9),
    )
  } finally {
    await reached.close()
    await embedded.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
