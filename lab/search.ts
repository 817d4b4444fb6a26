import pg from 'pg'
import { builtServer, startServer } from '../test/built-server.ts'
import type { Statement } from '../test/recorded-sql.ts'
import { pidsOf } from './bare.ts'
import { temporaryFolder } from './folder.ts'
import { load } from './load.ts'
import { count, median, plain, type Row } from './report.ts'
import { openDeals, places, searchAndCount } from './statements.ts'
import { buildTown } from './town.ts'

interface Figures {
  deals: number
  /** Medians of answers, ms. */
  p50Ms: { list: number; item: number }
  /** Medians of statements without the app, ms. */
  searchMs: number
  countMs: number
  referenceMs: number
}

/** P10 and P11: times that grow with the number of deals. */
export async function searchRows(sizes: number[], seconds: number): Promise<Row[]> {
  const towns: Figures[] = []
  for (const deals of sizes) {
    console.log(`A town with ${count(deals)} deals …`)
    await using town = await buildTown(deals)
    using folder = temporaryFolder()
    const env = { DATABASE_URL: town.url, DATA_DIR: folder.path }
    await using app = await startServer(builtServer, env, { probe: '/readyz' })
    const p50Of = async (paths: string[]) => (await load(app.base, paths, { seconds, pids: pidsOf(app, town) })).p50Ms
    const item = town.dealIds.slice(0, 200).map((id) => `/api/deals/${id}`)
    await p50Of(item)
    const p50Ms = { list: await p50Of(['/api/deals?limit=20']), item: await p50Of(item) }
    towns.push({ deals, p50Ms, ...(await timeStatements(town.url)) })
  }
  const [smallest, largest] = [towns[0]!, towns.at(-1)!]
  const rows: Row[] = []
  for (const name of ['list', 'item'] as const) {
    const [small, large] = [smallest.p50Ms[name], largest.p50Ms[name]]
    const what = `P10 ${name}, median with ${count(largest.deals)} deals beside ${count(smallest.deals)}`
    rows.push(beside(what, large, small, 1.3))
  }
  for (const { deals, searchMs, countMs, referenceMs } of towns) {
    rows.push(beside(`P11 search statement beside variant I, ${count(deals)} deals`, searchMs, referenceMs, 1.3))
    rows.push(beside(`counting up to 1,000 beside variant I, ${count(deals)} deals`, countMs, referenceMs, null))
  }
  const growth = Math.log(largest.searchMs / smallest.searchMs) / Math.log(largest.deals / smallest.deals)
  if (largest !== smallest)
    rows.push(plain('P11 growth of the search statement, exponent', growth.toFixed(2), '≤ 0.5', growth <= 0.5))
  return rows
}

function beside(what: string, ms: number, besideMs: number, atMost: number | null): Row {
  const ratio = ms / besideMs
  return {
    what,
    ours: `${ms.toFixed(2)} ms`,
    beside: `${besideMs.toFixed(2)} ms`,
    bar: `${ratio.toFixed(2)} ×${atMost === null ? '' : ` ≤ ${atMost}`}`,
    met: atMost === null ? null : ratio <= atMost,
  }
}

/**
 * The product's search (5 km, a category, open now, 20 rows in the order `best`) beside "variant I", the fastest plain statement known for
 * such a search: two ordered scans of a GiST index on (category, point) over a narrow table, one for paid rows and one for the others. The
 * same deals are open in that table, so both read the same rows. Both are prepared with a generic plan and run in turn; PostgreSQL measures
 * the time of each execution.
 */
async function timeStatements(url: string) {
  const spots = places(50)
  const { search, count: counting } = await searchAndCount(url, spots)
  const client = new pg.Client({
    connectionString: url,
    options: '-c TimeZone=UTC -c plan_cache_mode=force_generic_plan',
  })
  await client.connect()
  try {
    await client.query('create temporary table open_now as select unnest($1::uuid[]) as deal_id', [
      await openDeals(url),
    ])
    await client.query(`
      create temporary table narrow as
      select d.deal_id, deal_name, d.description, price, discount, d.category, d.latitude as lat, d.longitude as lon,
        random() < 0.1 as is_premium, case when o.deal_id is null then 1440 else 0 end as opens, 1440 as closes,
        point(d.longitude * 0.6748, d.latitude) as xy
      from deals d left join open_now o using (deal_id) where d.latitude is not null;
      create index on narrow using gist (category, xy);
      create index on narrow using gist (category, xy) where is_premium;
      analyze narrow`)
    const columns = 'deal_id, deal_name, description, price, discount, category, lat, lon, is_premium'
    const distance =
      '12742000 * asin(sqrt(power(sin(radians(lat - $2) / 2), 2) + cos(radians($2)) * cos(radians(lat)) * power(sin(radians(lon - $1) / 2), 2)))'
    const half = (paid: string) => `(select ${columns}, ${distance} as d from narrow
      where category = $4 and $3::int between opens and closes and ${paid}
        and xy <@ circle(point($1 * 0.6748, $2), 0.044966) order by xy <-> point($1 * 0.6748, $2) limit 20)`
    const sql = `select * from (${half('is_premium')} union all ${half('not is_premium')}) s order by is_premium desc, d limit 20`
    const reference = spots.map(({ longitude, latitude }) => ({ sql, parameters: [longitude, latitude, 720, 'food'] }))
    const statements: Record<string, Statement[]> = { search, counting, reference }
    const times: Record<string, number[]> = { search: [], counting: [], reference: [] }
    for (const [name, [first]] of Object.entries(statements)) await client.query(`prepare ${name} as ${first!.sql}`)
    for (let n = 0; n < 600; n++)
      for (const [name, all] of Object.entries(statements)) {
        const values = all[n % all.length]!.parameters.map((value) => literal(client, value)).join(', ')
        const explained = await client.query<{ 'QUERY PLAN': [{ 'Execution Time': number }] }>(
          `explain (analyze, timing off, format json) execute ${name} (${values})`,
        )
        // the first hundred are a warm-up
        if (n >= 100) times[name]!.push(explained.rows[0]!['QUERY PLAN'][0]['Execution Time'])
      }
    return {
      searchMs: median(times['search']!),
      countMs: median(times['counting']!),
      referenceMs: median(times['reference']!),
    }
  } finally {
    await client.end()
  }
}

function literal(client: pg.Client, value: unknown): string {
  if (value === null || value === undefined) return 'null'
  return client.escapeLiteral(Array.isArray(value) ? `{${value.join()}}` : `${value as string | number | boolean}`)
}
