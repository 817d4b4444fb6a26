import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addBusiness, addDeal, fillTown } from '../../../test/cast.ts'
import { aMerchant, get } from '../../../test/people.ts'
import { api, appForTest, saturdayEvening, startTestApp, type TestApp } from '../../../test/start-app.ts'
import { withWrittenViews } from '../../../test/views.ts'
import type { Deal, ListedDeal } from '../contract.ts'

const { rooms, written } = withWrittenViews()
let app: TestApp
let cafe: string
let ids: Record<string, string>

beforeAll(async () => {
  app = await startTestApp({ rooms })
  cafe = await addBusiness(app.db, 'Café Rhein', { open_hours: 'Mo-Su 08:00-22:00' })
  const quiet = await addBusiness(app.db, 'Zum stillen Tor')
  ids = {
    cafe,
    quiet,
    active: await addDeal(app.db, cafe, 'Coffee and cake', {
      price: 'CHF 9.50',
      price_rappen: 950,
      regular_price_rappen: 1250,
      regular_price_since: '2026-05-01',
      active_days: 0b0011111,
      start_time: '14:00',
      end_time: '17:00',
      tags: ['Kuchen'],
    }),
    scheduled: await addDeal(app.db, cafe, 'Next week', { starts_at: new Date('2026-06-27T10:00:00Z') }),
    paused: await addDeal(app.db, cafe, 'Paused', { state: 'paused' }),
    expired: await addDeal(app.db, cafe, 'Over', { ends_at: new Date('2026-06-19T10:00:00Z') }),
    sold_out: await addDeal(app.db, cafe, 'Gone', { total_limit: 2, redeemed_count: 2 }),
    draft: await addDeal(app.db, cafe, 'Draft', { state: 'draft' }),
    archived: await addDeal(app.db, cafe, 'Archived', { state: 'archived' }),
  }
  for (let n = 0; n < 45; n++) {
    await addDeal(app.db, cafe, `Slice ${n}`, {
      category: n % 2 ? 'food' : 'drinks',
      ends_at: n < 30 ? new Date(Date.parse('2026-06-21T00:00:00Z') + n * 60_000) : null,
    })
  }
  await fillTown(app, saturdayEvening)
})
afterAll(() => app.close())

async function walk(path: string): Promise<ListedDeal[]> {
  const all: ListedDeal[] = []
  let next: string | null = path
  while (next) {
    const { status, body, headers, text } = await api(app, next)
    expect(status, text).toBe(200)
    all.push(...body)
    next = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? null
  }
  return all
}

describe('one deal', () => {
  it('has every specified field, in the specified spelling', async () => {
    const { status, body } = await api(app, `/api/deals/${ids['active']}`)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      deal_id: ids['active'],
      deal_name: 'Coffee and cake',
      description: null,
      price: 'CHF 9.50',
      discount: null,
      is_premium: false,
      business_id: cafe,
      business_name: 'Café Rhein',
      status: 'active',
      price_chf: 9.5,
      regular_price_chf: 12.5,
      regular_price_since: '2026-05-01',
      active_days: [1, 2, 3, 4, 5],
      start_time: '14:00',
      end_time: '17:00',
      tags: ['Kuchen'],
      rating_mean: null,
      rating_count: 0,
      open_now: true,
    })
    expect(typeof body.latitude).toBe('number')
  })
  it.each(['scheduled', 'paused', 'expired', 'sold_out'])('that is %s is shown with its status', async (status) => {
    expect((await api(app, `/api/deals/${ids[status]}`)).body).toMatchObject({ status })
  })
  it.each(['draft', 'archived'])('that is a %s is unknown to all but its merchant', async (state) => {
    expect(await api(app, `/api/deals/${ids[state]}`)).toMatchObject({
      status: 404,
      body: { error: 'Deal not found.', code: 'deal_not_found' },
    })
  })
  it.each(['0190a000-0000-7000-8000-000000000000', 'nope', '1', '%00', '..%2F..%2Fetc', 'x'.repeat(2500)])(
    'with the unknown id %s is a 404',
    async (id) => {
      const { status, body } = await api(app, `/api/deals/${id}`)
      expect(status).toBe(404)
      expect(body).toHaveProperty('error')
    },
  )
})

describe('the list of all deals', () => {
  it('is newest first, twenty a page, with the total', async () => {
    const { body, headers } = await api(app, '/api/deals')
    expect(body).toHaveLength(20)
    expect(headers.get('x-total-count')).toBe('46')
    expect(body[0].deal_name).toBe('Slice 44')
  })
  it.each(['', '&sort=new', '&category=food', '&sort=rating'])(
    'has every deal once over all pages %s',
    async (filter) => {
      const all = await walk(`/api/deals?limit=7${filter}`)
      expect(all).toHaveLength(filter.includes('food') ? 22 : 46)
      expect(new Set(all.map((deal) => deal.deal_id)).size).toBe(all.length)
    },
  )
  it('by rating has each deal once, also with means that are no round numbers', async () => {
    const some = await app.db
      .selectFrom('deals')
      .select('deal_id')
      .where('deal_name', 'like', 'Slice%')
      .limit(30)
      .execute()
    for (const [n, { deal_id }] of some.entries())
      await app.db
        .updateTable('deals')
        .set(n % 2 ? { rating_count: 6, rating_sum: 6 } : { rating_count: 4, rating_sum: 12 })
        .where('deal_id', '=', deal_id)
        .execute()
    const all = await walk('/api/deals?limit=7&sort=rating')
    expect(new Set(all.map((deal) => deal.deal_id)).size).toBe(46)
    expect(all).toHaveLength(46)
  })
  it('sorts by the end and leaves out deals without one', async () => {
    const all = await walk('/api/deals?limit=7&sort=ending_soon')
    expect(all.map((deal) => deal.deal_name)).toEqual(Array.from({ length: 30 }, (_, n) => `Slice ${n}`))
  })
  it('shows live deals only', async () => {
    const names = (await walk('/api/deals?limit=100')).map((deal) => deal.deal_name)
    for (const hidden of ['Next week', 'Paused', 'Over', 'Gone', 'Draft', 'Archived'])
      expect(names).not.toContain(hidden)
  })
  it('finds words', async () => {
    expect((await api(app, '/api/deals?q=cofee')).body.map((deal: Deal) => deal.deal_name)).toContain('Coffee and cake')
  })
  it('skips by offset up to 1,000 and refuses more', async () => {
    expect((await api(app, '/api/deals?offset=45')).body).toHaveLength(1)
    expect((await api(app, '/api/deals?offset=1000')).body).toEqual([])
    expect((await api(app, '/api/deals?offset=1001')).status).toBe(400)
  })
  it.each([
    ['/api/deals?limit=5', 1000],
    ['/api/deals/search?limit=5', 200],
  ])('%s counts up to %d, and is exact again a second after there are fewer', async (path, most) => {
    const big = await appForTest()
    const merchant = await addBusiness(big.db, 'Markthalle')
    const all: string[] = []
    for (let n = 0; n < 1001; n++) all.push(await addDeal(big.db, merchant, `Stand ${n}`))
    await fillTown(big, saturdayEvening)
    const total = async () => {
      const { headers, body } = await api(big, path)
      expect(body).toHaveLength(5)
      return `${headers.get('x-total-count')} ${headers.get('x-total-capped')}`
    }
    for (let n = 0; n < 3; n++) expect(await total()).toBe(`${most} true`)
    await big.db.deleteFrom('deals').where('deal_id', 'in', all.slice(0, 901)).execute()
    await expect.poll(total).toBe('100 null')
  })

  it('has a total that is never below what a page shows, and exact after a second', async () => {
    const small = await appForTest()
    const merchant = await addBusiness(small.db, 'Markthalle')
    const add = async (count: number) => {
      for (let n = 0; n < count; n++) await addDeal(small.db, merchant, `Stand ${n}`)
      await fillTown(small, saturdayEvening)
    }
    const total = async (query: string) => (await api(small, `/api/deals?${query}`)).headers.get('x-total-count')
    await add(6)
    expect([await total('limit=5'), await total('limit=50'), await total('limit=5&offset=5')]).toEqual(['6', '6', '6'])
    await add(3)
    // a page that is not full has the exact total, and no total is below what the pages have shown
    expect([await total('limit=50'), await total('limit=5&offset=5'), await total('limit=2&offset=6')]).toEqual([
      '9',
      '9',
      '9',
    ])
    await expect.poll(() => total('limit=5')).toBe('9')
    // an empty page beyond the end does not raise the total
    for (const sort of ['best', 'new', 'rating']) {
      expect(await total(`sort=${sort}&limit=2`)).toBe('9')
      expect(await total(`sort=${sort}&limit=2&offset=700`), sort).toBe('9')
    }
  })
})

describe('the deals of a business', () => {
  it('are the live ones', async () => {
    const { body } = await api(app, `/api/deals/business/${cafe}`)
    expect(body).toHaveLength(46)
    expect(body.every((deal: Deal) => deal.status === 'active')).toBe(true)
  })
  it('are an empty array when there are none', async () => {
    expect(await api(app, `/api/deals/business/${ids['quiet']}`)).toMatchObject({ status: 200, body: [] })
  })
  it('of an unknown business are a 404', async () => {
    expect(await api(app, '/api/deals/business/0190a000-0000-7000-8000-000000000000')).toMatchObject({
      status: 404,
      body: { error: 'Business not found.' },
    })
    expect((await api(app, '/api/deals/business/%F0%9F%8E%B7')).status).toBe(404)
  })
})

describe('opening a deal', () => {
  it('is counted, with an answer that has no body', async () => {
    const put = await api(app, `/api/deals/${ids['active']}/view`, { method: 'PUT' })
    expect(put).toMatchObject({ status: 204, text: '' })
    await written()
    const row = await app.db
      .selectFrom('view_hours')
      .select('views')
      .where('kind', '=', 'deal')
      .executeTakeFirstOrThrow()
    expect(row.views).toBe(1)
  })
  it('of an unknown or draft deal is a 404', async () => {
    expect((await api(app, '/api/deals/nope/view', { method: 'PUT' })).status).toBe(404)
    expect((await api(app, `/api/deals/${ids['draft']}/view`, { method: 'PUT' })).status).toBe(404)
  })
})

it("a merchant's own opening of a deal does not count, anybody else's does", async () => {
  const own = await appForTest()
  const cafe = await aMerchant(own)
  const other = await aMerchant(own, 'bar@example.org', { business_name: 'Bar Nord' })
  const dealId = await addDeal(own.db, cafe.businessId, 'Coffee and cake')
  const open = (token?: string) => get(own, `/api/deals/${dealId}/view`, token, { method: 'PUT' })
  const clicks = async () =>
    (await get(own, `/api/business/${cafe.businessId}/stats`, cafe.authToken)).body.dealClicks as number
  expect((await open(cafe.authToken)).status).toBe(204)
  expect(await clicks()).toBe(0)
  await open(other.authToken)
  expect(await clicks()).toBe(1)
  await open()
  expect(await clicks()).toBe(2)
})
