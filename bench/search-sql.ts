import type { Socket } from 'node:net'
import pg from 'pg'
import { serialize } from 'pg-protocol'
import * as store from '../src/deals/server/store.ts'
import { places, wanted } from './asked.ts'
import { recordSql } from './recorded-sql.ts'
import type { Position } from '../src/kit/shared/geo.ts'
import type { Area } from '../src/kit/server/nearby.ts'
import type { Town } from './town.ts'

/**
 * Our search statement (5 km, a category, open now, 20 rows in the order `best`) beside "variant I", the fastest plain
 * statement known for such a search: two ordered walks of a GiST index on (category, point) over a narrow table, one for
 * paid rows and one for the rest. In its table those deals are open that ours finds open, so that both walk past the same
 * rows. Both with one generic plan, by turns, prepared, and
 * timed from sending the values to the end of the answer without making objects of it, as pgbench does. Medians, in ms.
 */
export async function timeSearchSql(
  town: Pick<Town, 'url'>,
): Promise<{ ours: number; reference: number; count: number }> {
  const spots = places(50)
  const w = wanted({ category: { key: 'food', tag: null }, openNow: true })
  const recorded = await recordSql(town.url, async (db) => {
    for (const centre of spots) await store.searchDeals(db, w, circle(centre), firstPage)
    for (const centre of spots) await store.countFound(db, w, circle(centre), 1001)
  })
  let found: string[] = []
  const world = { west: -180, south: -85, east: 180, north: 85 }
  await recordSql(town.url, async (db) => {
    const everywhere = { ...circle(spots[0]!), bbox: world }
    const all = { share: 1, found: 2_000_000, limit: 2_000_000 } as const
    const open = await store.findPins(db, wanted({ openNow: true }), everywhere, all)
    found = open.map(({ deal_id }) => deal_id)
  })
  const client = new pg.Client({
    connectionString: town.url,
    options: '-c TimeZone=UTC -c plan_cache_mode=force_generic_plan',
  })
  await client.connect()
  try {
    await client.query('create temporary table open_now as select unnest($1::uuid[]) as deal_id', [found])
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
    const text = `select * from (${half('is_premium')} union all ${half('not is_premium')}) s order by is_premium desc, d limit 20`
    const statements = {
      ours: recorded.filter(({ sql }) => sql === recorded[0]!.sql),
      reference: spots.map(({ longitude, latitude }) => ({
        sql: text,
        parameters: [longitude, latitude, 720, 'food'],
      })),
      count: recorded.filter(({ sql }) => sql === recorded.at(-1)!.sql),
    }
    const run = await onTheWire(client, statements)
    const times = { ours: [] as number[], reference: [] as number[], count: [] as number[] }
    const names = ['ours', 'reference', 'count'] as const
    for (let n = 0; n < 2 * spots.length; n++) for (const name of names) await run(name, n)
    // in short turns, so that what else the machine does falls on all of them
    for (let n = 0; n < 60; n++) {
      for (const name of names) {
        const began = performance.now()
        for (let k = 0; k < 10; k++) await run(name, n * 10 + k)
        times[name].push((performance.now() - began) / 10)
      }
    }
    const median = (name: (typeof names)[number]) => times[name].sort((a, b) => a - b)[times[name].length >> 1]!
    return { ours: median('ours'), reference: median('reference'), count: median('count') }
  } finally {
    await client.end().catch(() => {})
  }
}

const circle = (centre: Position): Area => ({ centre, radiusKm: 5, bbox: null })

type Statements = Record<string, { sql: string; parameters: readonly unknown[] }[]>

/** Prepares each statement, then takes over the connection: the answer's bytes are awaited and left unread. */
async function onTheWire(client: pg.Client, statements: Statements) {
  for (const [name, [first]] of Object.entries(statements))
    await client.query({ name, text: first!.sql, values: [...first!.parameters] })
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
  stream.removeAllListeners('data')
  const messages = Object.fromEntries(
    Object.entries(statements).map(([name, each]) => [
      name,
      each.map(({ parameters }) =>
        Buffer.concat([
          serialize.bind({ statement: name, values: parameters.map(asText) }),
          serialize.execute({}),
          serialize.sync(),
        ]),
      ),
    ]),
  )
  return (name: string, n: number) =>
    new Promise<void>((resolve) => {
      const onData = (bytes: Buffer) => {
        // ReadyForQuery ends every answer
        if (bytes.length < 6 || bytes.readUInt32BE(bytes.length - 5) !== 5 || bytes[bytes.length - 6] !== 0x5a) return
        stream.off('data', onData)
        resolve()
      }
      stream.on('data', onData)
      const ring = messages[name]!
      stream.write(ring[n % ring.length]!)
    })
}

function asText(value: unknown): string | null {
  if (value === null || value === undefined) return null
  return Array.isArray(value) ? `{${value.join()}}` : String(value)
}

/** The search alone, as the reference: without paid places and without counting. */
const firstPage = {
  sort: 'best',
  offset: 0,
  limit: 21,
  paid: null,
  excludedIds: [] as string[],
  cap: null,
} satisfies Parameters<typeof store.searchDeals>[3]
