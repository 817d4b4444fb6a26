import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as store from '../../src/deals/server/store.ts'
import type { Database } from '../../src/kit/server/database.ts'
import { places, wanted } from '../asked.ts'
import { byTurns, cpuRatio } from '../beside.ts'
import { load, residentMb, type Figure } from '../load.ts'
import { measureMap } from '../map.ts'
import { recordSql, withDeals } from '../recorded-sql.ts'
import { timeSearchSql } from '../search-sql.ts'
import { startFlags, startServer } from '../servers.ts'
import { buildTown, type Town } from '../town.ts'
import { loginRow } from './accounts.ts'
import { embeddedRows } from './embedded.ts'
import type { TownFigures } from './growth.ts'
import { overloadRow } from './overload.ts'
import { compare, pageRow, perSecond, plain, type Row } from './row.ts'

/** What is measured on a town of `size` deals; without figures where that is only its map. */
export async function measureTown(
  size: number,
  { seconds, quick, onlyApi, onlyMap }: { seconds: number; quick: boolean; onlyApi: boolean; onlyMap: boolean },
): Promise<{ rows: Row[]; figures: TownFigures | null }> {
  const rows: Row[] = []
  console.log(`\nA town with ${size.toLocaleString('en')} deals …`)
  const town = await buildTown(size)
  const folder = mkdtempSync(join(tmpdir(), 'rheinklang-bench-app-'))
  const app = await startServer(
    'build/app/main.mjs',
    { DATABASE_URL: town.url, DATA_DIR: folder },
    { probe: '/readyz', nodeArgs: startFlags },
  )
  try {
    await new Promise((resolve) => setTimeout(resolve, 5_000))
    const idleMb = residentMb(app.pid)
    // below 2,000 deals in the circle, as in a real festival, everything; above, what grows
    if (!onlyApi) rows.push(...(await measureMap(app.base, size, size === 1_000)))
    if (onlyMap) return { rows, figures: null }
    const ours = (paths: string[]) => load(app.base, paths, { seconds, pids: [app.pid, town.postmaster] })
    const askList = () => ours(['/api/deals?limit=20'])
    const askItem = () => ours(town.sampleDealIds.map((id) => `/api/deals/${id}`))
    const list = await askList()
    const item = await askItem()
    const near = places(100).map(({ latitude, longitude }) => `lat=${latitude}&lon=${longitude}`)
    const search = await ours(near.map((place) => `/api/deals/search?${place}&category=food&openNow=true&limit=20`))
    const figures = {
      size,
      p50Ms: { list: list.p50Ms, item: item.p50Ms, search: search.p50Ms },
      searchMs: await timeSearchSql(town),
    }
    if (size === 10_000) {
      const askText = () =>
        ours(near.map((place) => `/api/deals/search?${place}&category=food&openNow=true&q=pizza&limit=20`))
      const now = new Date()
      const listSql = withDeals(
        await recordSql(town.url, (db) =>
          store.listDeals(db, wanted(), { sort: 'new', after: null, offset: 0, limit: 21, cap: 1001 }),
        ),
      )
      const itemSql = await recordSql(town.url, async (db) => {
        for (const id of town.sampleDealIds) await store.findDeal(db, id, now)
      })
      const words = await wordsFor(town.url, 'pizza')
      const textSql = withDeals(
        await recordSql(town.url, async (db) => {
          for (const place of places(100)) await searchAt(db, place, words)
        }),
      )
      rows.push(
        compare(
          'P1 list 20, JSON',
          ...(await byTurns(beside(town, seconds), { kind: 'pg', recorded: listSql }, askList)),
          0.6,
        ),
      )
      rows.push(
        compare(
          'P2 radius, category, open now, words, JSON',
          ...(await byTurns(beside(town, seconds), { kind: 'fastify', recorded: textSql }, askText)),
          0.75,
        ),
      )
      rows.push(
        compare(
          'P3 one deal, JSON',
          ...(await byTurns(beside(town, seconds), { kind: 'pg', recorded: itemSql }, askItem)),
          0.55,
        ),
      )
      rows.push(...(await embeddedRows(size, near, seconds)))
      const [, fixed] = await byTurns(beside(town, seconds), { kind: 'fixed' }, askItem)
      const htmlOf = async (path: string) => (await fetch(app.base + path)).text()
      const html = await byTurns(
        beside(town, seconds),
        { kind: 'react', recorded: listSql, body: await htmlOf('/deals') },
        () => ours(['/deals']),
        cpuRatio,
      )
      const pagesOf = (ids: string[]) => () => ours(ids.map((id) => `/deal/${id}`))
      const dealHtml = await htmlOf(`/deal/${town.sampleDealIds[0]}`)
      const page = await byTurns(
        beside(town, seconds),
        { kind: 'react', recorded: itemSql, body: dealHtml },
        pagesOf(town.sampleDealIds),
        cpuRatio,
      )
      const loadedMb = residentMb(app.pid)
      const fresh = await byTurns(
        beside(town, seconds),
        { kind: 'react', recorded: itemSql, body: dealHtml },
        pagesOf(town.manyDealIds),
        cpuRatio,
      )
      rows.push(pageRow('P4 list page, rendered (micro-cached)', ...html, fixed))
      rows.push(pageRow('P4 deal page, rendered (micro-cached), 200 deals', ...page, fixed))
      rows.push(pageRow('beside it: deal page, rendered each time, 5,000 deals', ...fresh, fixed))
      rows.push(plain('P7 memory of the Node process, idle', `${idleMb.toFixed(0)} MB`, '≤ 130 MB', idleMb <= 130))
      rows.push(
        plain('P7 memory of the Node process, under load', `${loadedMb.toFixed(0)} MB`, '≤ 300 MB', loadedMb <= 300),
        {
          ...plain('beside it: after pages rendered each time', `${residentMb(app.pid).toFixed(0)} MB`, '', true),
          met: null,
        },
      )
    }
    rows.push(...(await mapDataRows(town, ours, seconds)))
    if (size === 10_000) {
      rows.push(await loginRow(app, `/api/deals/${town.sampleDealIds[0]}`))
      rows.push(await overloadRow(app, quick))
    }
    return { rows, figures }
  } finally {
    await app.stop()
    await town.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** F5: what a map asks for, beside a bare server that does one search. */
async function mapDataRows(town: Town, ours: (paths: string[]) => Promise<Figure>, seconds: number): Promise<Row[]> {
  const rows: Row[] = []
  const searchSql = withDeals(
    await recordSql(town.url, async (db) => {
      for (const place of places(100)) await searchAt(db, place, null)
    }),
  )
  const asked = '/api/deals/search?category=&openNow=false&sponsored=false&radius=5&view=map&compact=true'
  const views = places(100).map(({ latitude, longitude }) => {
    const box = [longitude - 0.1, latitude - 0.05, longitude + 0.1, latitude + 0.05]
    return `${asked}&lat=47.5596&lon=7.5886&bbox=${box.map((each) => each.toFixed(4)).join(',')}`
  })
  for (const [what, paths, bar] of [
    ['F5 map data, of the view everybody begins with', [`${asked}&lat=47.5596&lon=7.5886`], 3],
    ['beside it: of a hundred views of the town that nobody else has', views, null],
  ] as const) {
    const [mine, bare] = await byTurns(
      beside(town, seconds),
      { kind: 'pg', recorded: searchSql },
      () => ours([...paths]),
      cpuRatio,
    )
    const ratio = cpuRatio(mine, bare)
    rows.push({
      what: `${what}, beside one bare search; ${town.deals.toLocaleString('en')} deals`,
      ours: perSecond(mine),
      ceiling: perSecond(bare),
      ratio: ratio.toFixed(2),
      bar: bar ? `≤ ${bar} CPU` : '',
      met: bar ? ratio <= bar : null,
    })
  }
  return rows
}

async function wordsFor(url: string, typed: string): Promise<string> {
  let words = ''
  await recordSql(url, async (db) => {
    words = (await store.searchWords(db, typed, new Date())).query
  })
  return words
}

function searchAt(db: Database, place: { latitude: number; longitude: number }, words: string | null) {
  return store.searchDeals(
    db,
    wanted({ category: { key: 'food', tag: null }, openNow: true, words }),
    { centre: place, radiusKm: 5, bbox: null },
    { sort: 'best', offset: 0, limit: 21, paid: { turn: 5_000_000 }, excludedIds: [], cap: 1001 },
  )
}

function beside(town: Town, seconds: number) {
  return { databaseUrl: town.url, postmaster: town.postmaster, seconds }
}
