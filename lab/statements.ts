import * as store from '../src/deals/server/store.ts'
import { findTopic, listTopics } from '../src/forum/server/store/topics.ts'
import { postsBetween } from '../src/forum/server/store/posts.ts'
import type { Position } from '../src/kit/shared/geo.ts'
import { recordSql, type Statement } from '../test/recorded-sql.ts'
import { centre } from './town.ts'

// Records statements of the product's stores for the bare servers. Only this file knows the functions of stores.

/** Random places within 5 km of the centre, the same in every run. */
export function places(count: number): Position[] {
  let seed = 7
  const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647
  return Array.from({ length: count }, () => ({
    latitude: Number((centre.latitude + (random() - 0.5) * 0.1).toFixed(4)),
    longitude: Number((centre.longitude + (random() - 0.5) * 0.1).toFixed(4)),
  }))
}

export function listOfDeals(url: string): Promise<Statement[]> {
  const page = { sort: 'new', after: null, offset: 0, limit: 21, cap: 1001 } as const
  return withDeals(recordSql(url, (db) => store.listDeals(db, wanted(), page)))
}

export function dealsById(url: string, ids: string[]): Promise<Statement[]> {
  const now = new Date()
  return recordSql(url, async (db) => {
    for (const id of ids) await store.findDeal(db, id, now)
  })
}

/** Searches within 5 km of a hundred places: food, open now and, if given, `words`. */
export async function searches(url: string, words: string | null): Promise<Statement[]> {
  const page = { sort: 'best', offset: 0, limit: 21, paid: { turn: 5_000_000 }, excludedIds: [], cap: 1001 } as const
  let query: string | null = null
  if (words)
    await recordSql(url, async (db) => {
      query = (await store.searchWords(db, words, new Date())).query
    })
  return withDeals(
    recordSql(url, async (db) => {
      for (const place of places(100))
        await store.searchDeals(db, food(query), circle(place), { ...page, excludedIds: [] })
    }),
  )
}

/** The search without paid places and without its total; and the statement that counts up to 1,000. */
export async function searchAndCount(
  url: string,
  spots: Position[],
): Promise<{ search: Statement[]; count: Statement[] }> {
  const page = { sort: 'best', offset: 0, limit: 21, paid: null, excludedIds: [] as string[], cap: null } as const
  const search = await recordSql(url, async (db) => {
    for (const spot of spots) await store.searchDeals(db, food(null), circle(spot), page)
  })
  const counting = await recordSql(url, async (db) => {
    for (const spot of spots) await store.countFound(db, food(null), circle(spot), 1001)
  })
  return { search: ofOneShape(search), count: ofOneShape(counting) }
}

/** Ids of all deals that are open now. */
export async function openDeals(url: string): Promise<string[]> {
  const all = { sort: 'new', after: null, offset: 0, limit: 2_000_000, cap: 2_000_000 } as const
  let found: string[] = []
  await recordSql(url, async (db) => {
    const rows = await store.listDeals(db, wanted({ openNow: true }), all)
    found = rows.map(({ deal }) => deal.deal_id)
  })
  return found
}

export function topics(url: string, ids: string[]): Promise<Statement[]> {
  return recordSql(url, async (db) => {
    for (const id of ids) await findTopic(db, id)
  })
}

export function listsOfTopics(url: string, offsets: number[]): Promise<Statement[]> {
  const none = { category: null, tag: null, lang: null, solved: null, linked: null }
  return recordSql(url, async (db) => {
    for (const offset of offsets) await listTopics(db, none, { sort: 'latest', after: null, limit: 20, offset })
  })
}

export function postsOf(url: string, ids: string[]): Promise<Statement[]> {
  return recordSql(url, async (db) => {
    for (const id of ids) await postsBetween(db, id, 1, 20)
  })
}

const circle = (centre: Position) => ({ centre, radiusKm: 5, bbox: null })
const food = (words: string | null) => wanted({ category: { key: 'food', tag: null }, openNow: true, words })
const ofOneShape = (statements: Statement[]) => statements.filter(({ sql }) => sql === statements[0]!.sql)

/** 19:30 today, when many places are open, but not all. */
function moment(): store.Moment {
  const tonight = Temporal.Now.zonedDateTimeISO('Europe/Zurich').withPlainTime('19:30')
  return {
    now: new Date(tonight.epochMilliseconds),
    asOf: new Date(tonight.epochMilliseconds),
    tonight: new Date(tonight.add({ hours: 10, minutes: 30 }).epochMilliseconds),
  }
}

function wanted(more: Partial<store.Wanted> = {}): store.Wanted {
  const any = {
    words: null,
    fewHaveThem: false,
    wordsCategory: null,
    category: null,
    openNow: false,
    premiumOnly: false,
  }
  return { moment: moment(), ...any, ...more }
}

/** The product's statements return ids of deals whose rows it caches; for a bare server the rows are joined. */
async function withDeals(recorded: Promise<Statement[]>): Promise<Statement[]> {
  const whole = `select ${stored.map((name) => `d.${name} as stored_${name}`).join()} from deals d where d.deal_id = found.deal_id`
  return ofOneShape(await recorded).map(({ sql, parameters }) => ({
    sql: `select * from (${sql}) found cross join lateral (${whole}) d`,
    parameters,
  }))
}

const stored =
  `deal_id deal_name lang description price discount latitude longitude business_id business_name category terms tags
  starts_at ends_at active_days start_time end_time price_rappen regular_price_rappen regular_price_since total_limit
  per_user_limit redemption_mode image_url rating_sum rating_count created_at updated_at premium_until state sold_out
  over_at`.split(/\s+/)
