import { setTimeout as sleep } from 'node:timers/promises'
import { builtServer, startServer } from '../test/built-server.ts'
import { besideBare, pidsOf } from './bare.ts'
import { temporaryFolder } from './folder.ts'
import { load, residentMb } from './load.ts'
import { count, cpuRow, plain, rateRow, type Row } from './report.ts'
import { dealsById, listOfDeals, places, searches } from './statements.ts'
import { buildTown } from './town.ts'

/** P1 to P4, P7 under load and F5, beside bare servers that do the same work. */
export async function apiRows(deals: number, seconds: number): Promise<Row[]> {
  console.log(`A town with ${count(deals)} deals …`)
  await using town = await buildTown(deals)
  using folder = temporaryFolder()
  const env = { DATABASE_URL: town.url, DATA_DIR: folder.path }
  await using app = await startServer(builtServer, env, { probe: '/readyz' })
  const on = { url: town.url, postmaster: town.postmaster, seconds }
  const ask = (paths: string[]) => () => load(app.base, paths, { seconds, pids: pidsOf(app, town) })
  const some = town.dealIds.slice(0, 200)
  const near = places(100).map(({ latitude, longitude }) => `lat=${latitude}&lon=${longitude}`)
  const textOf = async (path: string) => (await fetch(app.base + path)).text()
  await sleep(5_000)
  const idleMb = residentMb(app.pid)

  const list = await listOfDeals(town.url)
  const items = await dealsById(town.url, some)
  const words = near.map((place) => `/api/deals/search?${place}&category=food&openNow=true&q=pizza&limit=20`)
  const rows: Row[] = [
    rateRow(
      'P1 list of 20, JSON',
      ...(await besideBare(on, { kind: 'pg', statements: list }, ask(['/api/deals?limit=20']))),
      0.6,
    ),
    rateRow(
      'P2 radius, category, open now, words, JSON',
      ...(await besideBare(on, { kind: 'fastify', statements: await searches(town.url, 'pizza') }, ask(words))),
      0.75,
    ),
    rateRow(
      'P3 one deal, JSON',
      ...(await besideBare(on, { kind: 'pg', statements: items }, ask(some.map((id) => `/api/deals/${id}`)))),
      0.55,
    ),
  ]
  const listPage = { kind: 'react', statements: list, body: await textOf('/deals') } as const
  rows.push(
    cpuRow('P4 list page, cached for a second', ...(await besideBare(on, listPage, ask(['/deals']), 'cpuMs')), 3.5),
  )
  const dealPage = { kind: 'react', statements: items, body: await textOf(`/deal/${some[0]}`) } as const
  for (const [what, ids, bar] of [
    ['P4 deal page, cached for a second, of 200 deals', some, 3.5],
    ['deal page, rendered each time, of 5,000 deals', town.dealIds, null],
  ] as const) {
    const pages = ids.map((id) => `/deal/${id}`)
    rows.push(cpuRow(what, ...(await besideBare(on, dealPage, ask(pages), 'cpuMs')), bar))
  }
  const loadedMb = residentMb(app.pid)
  rows.push(
    plain('P7 memory of the Node process, idle', `${idleMb.toFixed(0)} MB`, '≤ 180 MB', idleMb <= 180),
    plain('P7 memory of the Node process, loaded', `${loadedMb.toFixed(0)} MB`, '≤ 330 MB', loadedMb <= 330),
  )
  const map = '/api/deals/search?category=&openNow=false&sponsored=false&radius=5&view=map&compact=true'
  const search = { kind: 'pg', statements: await searches(town.url, null) } as const
  const first = await besideBare(on, search, ask([`${map}&lat=47.5596&lon=7.5886`]), 'cpuMs')
  rows.push(cpuRow('F5 map data of the first view, beside one bare search', ...first, 3))
  return rows
}
