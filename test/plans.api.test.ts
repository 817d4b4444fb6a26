import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fillScaledData } from './scaled-data.ts'
import * as merchants from '../src/businesses/server/store.ts'
import * as store from '../src/deals/server/store.ts'
import { openDatabase, type Database } from '../src/kit/server/database.ts'
import { recordSql } from './recorded-sql.ts'
import { startTestApp, type TestApp } from './start-app.ts'

/**
 * Checks PostgreSQL's generic plans of the most frequent statements, with 100,000 deals. The statements are recorded from the store, not
 * copied.
 */
const deals = 100_000
const now = '2026-06-20T17:30:00Z'
const centre = { latitude: 47.5596, longitude: 7.5886 }
const circle = { centre, radiusKm: 5, bbox: null }
const town = { ...circle, bbox: { west: 7.3, south: 47.4, east: 7.9, north: 47.7 } }
const quarter = { west: 7.5, south: 47.5, east: 7.68, north: 47.62 }
const streets = { west: 7.58, south: 47.55, east: 7.61, north: 47.57 }
/** Categories that deals of other categories have as a tag, and one that none has. */
const food = { key: 'food', tag: 'food' } as const
const foodAlone = { key: 'food', tag: null } as const

const wanted = (more: Partial<store.DealFilter> = {}): store.DealFilter => ({
  moment: { now: new Date(now), asOf: new Date(now), tonight: new Date('2026-06-21T04:00:00Z') },
  words: null,
  fewHaveThem: false,
  wordsCategory: null,
  category: null,
  openNow: false,
  maxRappen: null,
  premiumOnly: false,
  ...more,
})
const page = { offset: 0, limit: 21, paid: null, excludedIds: [] as string[], cap: null }
const firstPage = { ...page, sort: 'best', paid: { turn: 5_000_000 }, cap: 1001 } as const
const map = { compact: true, cell: 0.005, most: 2000, mostPremium: 500 }
const list = { after: null, offset: 0, limit: 21, cap: 1001 }
const id = '0190a000-0000-7000-8000-000000000000'

interface Hot {
  ask: (db: Database) => Promise<unknown>
  /** Index that the plan must use. */
  index: string
  /** Most rows that it may read. */
  most: number
  /** Most rows that it may sort. */
  sorts?: number
}
const hot: Record<string, Hot> = {
  'nearest of a category, open now': {
    ask: (db) => store.searchDeals(db, wanted({ category: food, openNow: true }), circle, { ...page, sort: 'best' }),
    index: 'deals_near',
    most: 700,
  },
  'nearest of a category that is no tag elsewhere': {
    ask: (db) =>
      store.searchDeals(db, wanted({ category: foodAlone, openNow: true }), circle, { ...page, sort: 'best' }),
    index: 'deals_near',
    most: 700,
  },
  'whether a category is a tag elsewhere': {
    ask: (db) => store.isTagElsewhere(db, 'food', 'food'),
    index: 'deals_by_facet',
    most: 10,
  },
  'nearest of all': {
    ask: (db) => store.searchDeals(db, wanted(), circle, { ...page, sort: 'best' }),
    index: 'deals_near',
    most: 700,
  },
  'nearest by true distance': {
    ask: (db) => store.searchDeals(db, wanted({ category: food }), circle, { ...page, sort: 'distance' }),
    index: 'deals_near',
    most: 700,
  },
  'nearest, twelfth page': {
    ask: (db) => store.searchDeals(db, wanted({ category: food }), circle, { ...page, sort: 'best', offset: 220 }),
    index: 'deals_near',
    // expired deals are skipped
    most: 1800,
  },
  'nearest without the paid ones': {
    ask: (db) =>
      store.searchDeals(db, wanted({ category: food }), circle, { ...page, sort: 'best', excludedIds: [id] }),
    index: 'deals_near',
    most: 700,
  },
  'how many a search finds': {
    ask: (db) => store.countFound(db, wanted({ category: food, openNow: true }), circle, 1001),
    index: 'deals_near',
    most: 3000,
  },
  'first page: paid places, the nearest, and how many there are': {
    ask: (db) => store.searchDeals(db, wanted({ category: food, openNow: true }), circle, firstPage),
    index: 'deals_of_business',
    most: 3800,
  },
  'first page for words': {
    ask: (db) => store.searchDeals(db, wanted({ category: food, openNow: true, words: "'piza':*" }), circle, firstPage),
    index: 'deals_of_business',
    // the total reads the index entries of all deals with the words, 2 ms for 10,000: a scan by place would read the whole area
    most: 12_000,
  },
  'first page for words that few have': {
    ask: (db) =>
      store.searchDeals(
        db,
        wanted({ category: food, openNow: true, words: "'zamara':*", fewHaveThem: true }),
        { ...circle, radiusKm: 50 },
        firstPage,
      ),
    index: 'deals_by_words',
    // three times all that the town has, and the promoted ones
    most: 500,
  },
  'whether a live deal has the words as they were typed': {
    ask: (db) => store.searchWords(db, 'concert', new Date(now)),
    index: 'deals_by_words',
    // index entries of a word and its synonyms, which 5 % of all deals contain
    most: 9000,
  },
  'a page amid the paid places': {
    ask: (db) =>
      store.searchDeals(db, wanted({ category: food, openNow: true }), circle, {
        ...firstPage,
        paid: { ids: [id] },
        offset: 1,
      }),
    index: 'deals_near',
    most: 3800,
  },
  'newest first': {
    ask: (db) => store.listDeals(db, wanted(), { ...list, sort: 'new' }),
    index: 'deals_newest',
    most: 1300,
  },
  'newest first, a later page': {
    ask: (db) => store.listDeals(db, wanted(), { ...list, sort: 'new', after: { value: '2026-01-01T00:00:00Z', id } }),
    index: 'deals_newest',
    most: 1300,
  },
  'newest of a category': {
    ask: (db) => store.listDeals(db, wanted({ category: food }), { ...list, sort: 'new' }),
    index: 'deals_newest_of_category',
    most: 1300,
  },
  'best rated': {
    ask: (db) => store.listDeals(db, wanted(), { ...list, sort: 'rating' }),
    index: 'deals_rated',
    most: 1300,
  },
  'ending soon': {
    ask: (db) => store.listDeals(db, wanted(), { ...list, sort: 'ending_soon' }),
    index: 'deals_ending',
    // events that are over come first in the index
    most: 8000,
  },
  'cheapest first': {
    ask: (db) => store.listDeals(db, wanted(), { ...list, sort: 'price' }),
    index: 'deals_by_price',
    most: 1300,
  },
  'cheapest first, a later page': {
    ask: (db) => store.listDeals(db, wanted(), { ...list, sort: 'price', after: { value: 900, id } }),
    index: 'deals_by_price',
    most: 1300,
  },
  'nearest for less than ten francs': {
    ask: (db) => store.searchDeals(db, wanted({ maxRappen: 999 }), circle, { ...page, sort: 'best' }),
    index: 'deals_near',
    most: 3000,
  },
  'a map of a few streets': {
    ask: (db) => store.dealsOnMap(db, wanted({ category: foodAlone }), { ...town, bbox: streets }, map),
    index: 'deals_near',
    most: 2000,
    sorts: 1000,
  },
  'a map of a quarter, in squares': {
    ask: (db) => store.dealsOnMap(db, wanted(), { ...town, bbox: quarter }, map),
    index: 'deals_near',
    // all of them
    most: 100_000,
    // the premium ones
    sorts: 30_000,
  },
  'one deal': { ask: (db) => store.findDeal(db, id, new Date(now)), index: 'deals_pkey', most: 1 },
  'deals of a business': {
    ask: (db) => store.listDealsOfBusiness(db, id, new Date(now), 200),
    index: 'deals_of_business',
    most: 200,
  },
}

const atoz = { named: null, now: new Date(now), limit: 61 }
Object.assign(hot, {
  'merchants A–Z': {
    ask: (db) => merchants.listBusinesses(db, { ...atoz }),
    index: 'businesses_by_name',
    most: 500,
  },
  'merchants from a letter on': {
    ask: (db) => merchants.listBusinesses(db, { ...atoz, from: 's' }),
    index: 'businesses_by_name',
    most: 500,
  },
  'merchants after a name': {
    ask: (db) => merchants.listBusinesses(db, { ...atoz, after: { name: 'm', id } }),
    index: 'businesses_by_name',
    most: 500,
  },
  'merchants before a name': {
    ask: (db) => merchants.listBusinesses(db, { ...atoz, before: { name: 'm', id } }),
    index: 'businesses_by_name',
    most: 500,
  },
  'merchants of a name': {
    ask: (db) => merchants.namedBusinesses(db, 'bar zamara'),
    index: 'businesses_named',
    most: 3000,
  },
  'merchants by name, a few': {
    ask: (db) => merchants.listBusinesses(db, { ...atoz, named: { words: "'x'", ids: [id] } }),
    index: 'businesses_pkey',
    most: 500,
  },
  'merchants by name, very many': {
    ask: (db) => merchants.listBusinesses(db, { ...atoz, named: { words: "'bar':*", ids: null } }),
    index: 'businesses_by_name',
    most: 20_000,
  },
  'merchants near, by name, very many': {
    ask: (db) =>
      merchants.searchBusinesses(
        db,
        {
          named: { words: "'bar':*", ids: null },
          category: undefined,
          openNow: false,
          now: new Date(now),
          area: circle,
        },
        { after: null, offset: 0, limit: 21 },
      ),
    index: 'businesses_near',
    most: 20_000,
  },
  'letters of merchants': { ask: (db) => merchants.firstLetters(db), index: 'businesses_by_name', most: 100 },
} satisfies Record<string, Hot>)

let app: TestApp
let client: pg.Client
beforeAll(async () => {
  app = await startTestApp({ now })
  const { db } = openDatabase({ connectionString: app.databaseUrl }, { patient: true })
  await fillScaledData(db, { deals, centre, now: Temporal.Instant.from(now), alike: 5 })
  await db.destroy()
  client = new pg.Client({
    connectionString: app.databaseUrl,
    options: '-c TimeZone=UTC -c plan_cache_mode=force_generic_plan',
  })
  await client.connect()
  await client.query('vacuum analyze deals, businesses')
}, 400_000)
afterAll(async () => {
  await client?.end()
  await app?.close()
})

interface Node {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Node[]
}

let prepared = 0
/** All nodes of the executed generic plans. */
async function plansOf(statements: { sql: string; parameters: unknown[] }[]): Promise<Node[]> {
  const nodes: Node[] = []
  for (const each of statements) nodes.push(...(await planOf(each)))
  return nodes
}

async function planOf({ sql, parameters }: { sql: string; parameters: unknown[] }): Promise<Node[]> {
  const name = `hot_${prepared++}`
  await client.query(`prepare ${name} as ${sql}`)
  const values = parameters.map((value) =>
    value === null || value === undefined
      ? 'null'
      : client.escapeLiteral(
          Array.isArray(value) ? `{${value.map((each) => JSON.stringify(each)).join()}}` : String(value),
        ),
  )
  const { rows } = await client.query<{ 'QUERY PLAN': { Plan: Node }[] }>(
    `explain (analyze, format json) execute ${name}${values.length > 0 ? `(${values.join()})` : ''}`,
  )
  await client.query(`deallocate ${name}`)
  const nodes = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodes)]
  return nodes(rows[0]!['QUERY PLAN'][0]!.Plan)
}

const rowsOf = (node: Node) => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']

/** Faults of a plan, as sentences. */
function faultsOf(plan: Node[], { index, most, sorts = 500 }: Hot): string[] {
  const faults = plan
    .filter((node) => node['Node Type'] === 'Seq Scan')
    .map((node) => `reads all of ${node['Relation Name']}`)
  for (const node of plan.filter((each) => /Sort/.test(each['Node Type']))) {
    const sorted = (node.Plans ?? []).reduce((sum, child) => sum + child['Actual Rows'] * child['Actual Loops'], 0)
    if (sorted > sorts) faults.push(`sorts ${sorted} rows`)
  }
  if (!plan.some((node) => node['Index Name'] === index)) faults.push(`does not use ${index}`)
  const read = plan
    .filter((node) => /Scan/.test(node['Node Type']) && !node.Plans)
    .reduce((sum, node) => sum + rowsOf(node), 0)
  if (read > most) faults.push(`looks at ${read} rows`)
  return faults
}

async function recorded(name: string) {
  const statements = await recordSql(app.databaseUrl, hot[name]!.ask)
  // statements for the typed words, the search, and the rows of the found deals
  expect(statements.length).toBeLessThanOrEqual(3)
  return statements
}

describe('the generic plan', () => {
  it.each(Object.keys(hot))('of "%s" uses its index and reads few rows', async (name) => {
    expect(faultsOf(await plansOf(await recorded(name)), hot[name]!)).toEqual([])
  })
  // proves that the test above can fail
  it.each([...new Set(Object.values(hot).map(({ index }) => index))].filter((index) => !index.endsWith('_pkey')))(
    'is noticed to be worse without %s',
    async (index) => {
      const names = Object.keys(hot).filter((name) => hot[name]!.index === index)
      const statements = await Promise.all(names.map(recorded))
      await client.query('begin')
      try {
        await client.query(`drop index ${index}`)
        for (const [at, name] of names.entries())
          expect(faultsOf(await plansOf(statements[at]!), hot[name]!), name).not.toEqual([])
      } finally {
        await client.query('rollback')
      }
    },
  )
})
