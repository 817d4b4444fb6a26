import { join } from 'node:path'
import { builtServer, startServer } from '../test/built-server.ts'
import { medianPair, pidsOf } from './bare.ts'
import { temporaryFolder } from './folder.ts'
import { load, type Figure } from './load.ts'
import { rateRow, type Row } from './report.ts'
import { places } from './statements.ts'
import { buildTown, buildTownAt, type Town } from './town.ts'

const deals = 10_000
/** Many, because two equal processes differ by up to a tenth, for as long as they live. */
const pairs = 9

/** P6: apps on two new towns in turn: one in the embedded database, one on the server at the address `admin`. */
export async function embeddedRows(admin: string, seconds: number): Promise<Row[]> {
  await using embedded = await buildTown(deals)
  await using reached = await buildTownAt(admin, deals)
  using folder = temporaryFolder()
  const near = places(100).map(({ latitude, longitude }) => `lat=${latitude}&lon=${longitude}`)
  const paths: Record<string, (town: Town) => string[]> = {
    list: () => ['/api/deals?limit=20'],
    search: () => near.map((place) => `/api/deals/search?${place}&category=food&openNow=true&limit=20`),
    item: ({ dealIds }) => dealIds.slice(0, 200).map((id) => `/api/deals/${id}`),
  }
  const found: Record<string, [Figure, Figure][]> = { list: [], search: [], item: [] }
  for (let n = 0; n < pairs; n++) {
    const start = (town: Town, name: string) =>
      startServer(builtServer, { DATABASE_URL: town.url, DATA_DIR: join(folder.path, name) }, { probe: '/readyz' })
    await using mine = await start(embedded, `embedded-${n}`)
    await using theirs = await start(reached, `reached-${n}`)
    for (const [name, of] of Object.entries(paths)) {
      const ask = (app: typeof mine, town: Town, forS: number) =>
        load(app.base, of(town), { seconds: forS, pids: pidsOf(app, town) })
      await ask(mine, embedded, 1)
      await ask(theirs, reached, 1)
      found[name]!.push([await ask(mine, embedded, seconds), await ask(theirs, reached, seconds)])
    }
  }
  return Object.entries(found).map(([name, all]) =>
    rateRow(`P6 embedded database beside DATABASE_URL, ${name}`, ...medianPair(all, 'requestsPerSecond'), 0.9),
  )
}
