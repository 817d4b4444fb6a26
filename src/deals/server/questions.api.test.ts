import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addBusiness, addDeal, bridge, eastOfBridge, fillTown } from '../../../test/cast.ts'
import { saturdayEvening, startTestApp, type TestApp } from '../../../test/start-app.ts'

/** Tests the database functions for lists, searches and maps by plain SQL, as in psql. */
let app: TestApp
/** Ids of the deals by name. */
const ids = new Map<string, string>()

const open = { open_hours: 'Mo-Su 08:00-22:00' }
const closed = { open_hours: 'Mo-Su 06:00-11:00' }

beforeAll(async () => {
  app = await startTestApp({ now: saturdayEvening })
  const now = Date.parse(saturdayEvening)
  const add = async (business: string, name: string, more = {}) =>
    ids.set(name, await addDeal(app.db, business, name, more))
  const bar = await addBusiness(app.db, 'Bar am Tor', { ...open, ...eastOfBridge(100) })
  await add(bar, 'Fondue for two', { category: 'food' })
  await add(bar, 'Beer', { category: 'drinks', tags: ['Food'], rating_count: 10, rating_sum: 50 })
  const kiosk = await addBusiness(app.db, 'Kiosk', { ...open, ...eastOfBridge(600), subscription_tier: 'PREMIUM' })
  await add(kiosk, 'Pretzel', { category: 'food', ends_at: new Date(now + 3_600_000) })
  const bakery = await addBusiness(app.db, 'Bakery', { ...closed, ...eastOfBridge(10) })
  await add(bakery, 'Croissant', { category: 'food' })
  const far = new Date(now + 86_400_000)
  const promoted = await addBusiness(app.db, 'Promoted', { ...open, ...eastOfBridge(2000), featured_until: far })
  await add(promoted, 'Paid soup', { category: 'food' })
  const nowhere = await addBusiness(app.db, 'Nowhere', { ...open, latitude: null, longitude: null })
  await add(nowhere, 'By post', { category: 'shopping' })
  const away = await addBusiness(app.db, 'Away', { ...open, ...eastOfBridge(20_000) })
  await add(away, 'Far cheese', { category: 'food' })
  await add(bar, 'Tomorrow', { category: 'other', starts_at: far })
  await fillTown(app, saturdayEvening)
})
afterAll(() => app.close())

const at = `at_minute => '${saturdayEvening}', near_lat => ${bridge.latitude}, near_lon => ${bridge.longitude}`
const question = (more = '') => `deal_question(${at}${more && `, ${more}`})`

async function asked<Row>(text: string): Promise<Row[]> {
  return (await sql.raw<Row>(text).execute(app.db)).rows
}
/** Names of the deals that a function finds. */
async function names(call: string): Promise<string[]> {
  const rows = await asked<{ deal_id: string }>(`select deal_id from ${call}`)
  const nameOf = new Map([...ids].map(([name, id]) => [id, name]))
  return rows.map(({ deal_id }) => nameOf.get(deal_id) ?? '?')
}

describe('deals_search', () => {
  it('has deals that can be used now first, then others, then those without a place', async () => {
    expect(await names(`deals_search(${question()})`)).toEqual([
      'Beer',
      'Fondue for two',
      'Pretzel',
      'Paid soup',
      'Croissant',
      'By post',
    ])
  })
  it.each([
    ['distance', ['Croissant', 'Fondue for two', 'Beer', 'Pretzel', 'Paid soup', 'By post']],
    ['rating', ['Beer', 'Paid soup', 'Croissant', 'Pretzel', 'Fondue for two', 'By post']],
    ['new', ['Paid soup', 'Croissant', 'Pretzel', 'Beer', 'Fondue for two', 'By post']],
    ['ending_soon', ['Pretzel', 'Fondue for two', 'Beer', 'Croissant', 'Paid soup', 'By post']],
  ])('sorts by %s', async (sort, expected) => {
    expect(await names(`deals_search(${question()}, '${sort}')`)).toEqual(expected)
  })
  it('sorts by the next use: usable deals by distance, then by when they open or begin', async () => {
    expect(await names(`deals_search(${question('with_scheduled => true')}, 'soonest')`)).toEqual([
      'Fondue for two',
      'Beer',
      'Pretzel',
      'Paid soup',
      'Croissant',
      'Tomorrow',
      'By post',
    ])
  })
  it('has the distance, the phase, whether it ends soon, and the total of a full page', async () => {
    const call = `deals_search(${question()}, 'distance', page_size => 4, count_to => 201)`
    const rows = await asked<{ km: number }>(
      `select round(distance_km::numeric, 2)::float8 as km, phase, ending_soon, matched, sponsored, total from ${call}`,
    )
    const same = { matched: false, sponsored: false, total: 6 }
    expect(rows).toEqual([
      { km: 0.01, phase: 2, ending_soon: false, ...same },
      { km: 0.1, phase: 0, ending_soon: false, ...same },
      { km: 0.1, phase: 0, ending_soon: false, ...same },
      { km: 0.6, phase: 0, ending_soon: true, ...same },
    ])
  })
  it('begins with paid places, and later pages keep those of the first page', async () => {
    const paid = `paid_ids => array['${ids.get('Pretzel')}']::uuid[]`
    expect((await names(`deals_search(${question()}, paid_turn => 0)`))[0]).toBe('Paid soup')
    expect((await names(`deals_search(${question()}, ${paid})`)).slice(0, 2)).toEqual(['Pretzel', 'Beer'])
    const without = `without_ids => array['${ids.get('Paid soup')}']::uuid[]`
    expect(await names(`deals_search(${question()}, ${without})`)).not.toContain('Paid soup')
  })
  it('has each deal once over all pages', async () => {
    const whole = await names(`deals_search(${question()}, paid_turn => 0)`)
    const pages = await Promise.all(
      [0, 2, 4].map((offset) =>
        names(`deals_search(${question()}, paid_turn => 0, page_offset => ${offset}, page_size => 2)`),
      ),
    )
    expect(pages.flat()).toEqual(whole)
  })
  it.each([
    ["in_category => 'food'", ['Fondue for two', 'Pretzel', 'Paid soup', 'Croissant']],
    ["in_category => 'food', tagged => 'fod'", ['Beer', 'Fondue for two', 'Pretzel', 'Paid soup', 'Croissant']],
    ["tagged => 'fod'", ['Beer']],
    ['open_now => true', ['Beer', 'Fondue for two', 'Pretzel', 'Paid soup', 'By post']],
    ['premium_only => true', ['Pretzel', 'Paid soup']],
    ['radius_km => 0.3', ['Beer', 'Fondue for two', 'Croissant', 'By post']],
    ['in_box => true, west => 7.59, south => 47.5, east => 7.6, north => 47.6', ['Beer', 'Fondue for two', 'Pretzel']],
    ["words => 'fondu'", ['Fondue for two']],
    ["words => 'fondu', rare_words => true", ['Fondue for two']],
    ["words => 'fondu', words_category => 'drinks'", ['Fondue for two', 'Beer']],
  ])('finds %s', async (asks, expected) => {
    const found = await names(`deals_search(${question(asks)})`)
    expect(found).toEqual(expected)
    const [count] = await asked<{ found: number }>(`select found from deals_search_count(${question(asks)}, 201)`)
    expect(count!.found).toBe(expected.length)
  })
  it('ignores differences of spelling by search_terms and search_query', async () => {
    const [meant] = await asked<{ words: string }>(`select search_query('fondü')::text as words`)
    const call = `deals_search(${question(`words => ${literal(meant!.words)}`)})`
    expect(await names(call)).toEqual(['Fondue for two'])
    const [found] = await asked<{ found: number; are_few: boolean }>(
      `select found, are_few from deals_saying(search_query('fondü'), '${saturdayEvening}')`,
    )
    expect(found).toEqual({ found: 1, are_few: true })
  })
})

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`

describe('deals_list', () => {
  it('lists live deals in pages by keyset, and counts them', async () => {
    const newest = ['Far cheese', 'By post', 'Paid soup', 'Croissant', 'Pretzel', 'Beer', 'Fondue for two']
    expect(await names(`deals_list(${question()})`)).toEqual(newest)
    const [last] = await asked<{ at: string }>(
      `select created_at::text as at from deals where deal_id = '${ids.get('Croissant')}'`,
    )
    const after = `after_id => '${ids.get('Croissant')}', after_instant => '${last!.at}'`
    expect(await names(`deals_list(${question()}, ${after})`)).toEqual(newest.slice(4))
    const [total] = await asked(`select total from deals_list(${question()}, page_size => 2, count_to => 1001)`)
    expect(total).toEqual({ total: 7 })
  })
  it.each([
    ['rating', "in_category => 'drinks'", ['Beer']],
    ['new', "in_category => 'drinks', tagged => 'fod'", ['Beer']],
    ['ending_soon', '', ['Pretzel']],
    ['new', "words => 'soup', rare_words => true", ['Paid soup']],
  ])('by %s: %s', async (sort, asks, expected) => {
    expect(await names(`deals_list(${question(asks)}, '${sort}')`)).toEqual(expected)
    const [count] = await asked(`select found from deals_list_count(${question(asks)}, '${sort}', 1001)`)
    expect(count).toEqual({ found: expected.length })
  })
})

describe('deals_map', () => {
  it('has single deals, premium ones first, with their time', async () => {
    const rows = await asked(
      `select deal_name, is_premium, use_time, square from deals_map(${question()}, 0.01) order by is_premium desc, deal_name`,
    )
    expect(rows).toEqual([
      { deal_name: 'Paid soup', is_premium: true, use_time: 'now', square: null },
      { deal_name: 'Pretzel', is_premium: true, use_time: 'ending', square: null },
      { deal_name: 'Beer', is_premium: false, use_time: 'now', square: null },
      { deal_name: 'Croissant', is_premium: false, use_time: 'later', square: null },
      { deal_name: 'Fondue for two', is_premium: false, use_time: 'now', square: null },
    ])
  })
  it('gathers deals beyond the limit in squares, except premium ones and single ones of a square', async () => {
    const rows = await asked(
      `select deal_name, square, square_premium from deals_map(${question()}, 0.001, 3, 1) order by square, deal_name`,
    )
    expect(rows).toHaveLength(4)
    expect(rows).toContainEqual({ deal_name: null, square: 2, square_premium: 0 })
    expect(rows).toContainEqual({ deal_name: 'Croissant', square: null, square_premium: null })
  })
})
