import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { addDeal } from '../../../test/cast.ts'
import { aMerchant, aVisitor, get, post, type Person } from '../../../test/people.ts'
import { api, startTestApp, type TestApp } from '../../../test/start-app.ts'
import { newId } from '../../kit/server/ids.ts'
import { ShownCounter } from './shown.ts'

/** Saturday, 19:30 at the festival. */
const evening = '2026-06-20T17:30:00Z'

let app: TestApp
let bar: Person & { businessId: string }
let cafe: Person & { businessId: string }
let lena: Person

beforeAll(async () => {
  app = await startTestApp({ now: evening })
  bar = await aMerchant(app, 'bar@example.org', { business_name: 'Bar Nord' })
  cafe = await aMerchant(app, 'cafe@example.org')
  lena = await aVisitor(app)
  await sql`update businesses set subscription_tier = 'ULTIMATE' where business_id = ${bar.businessId}`.execute(app.db)
})
afterAll(() => app.close())

const aDeal = (name = 'Spritz', more: Record<string, unknown> = {}) =>
  addDeal(app.db, bar.businessId, name, {
    redemption_mode: 'code',
    created_at: new Date('2026-06-10T10:00:00Z'),
    ...more,
  })
const figuresOf = async (deal: string, query = '?from=2026-06-20&to=2026-06-20') =>
  (await get(app, `/api/deals/${deal}/analytics${query}`, bar.authToken)).body
const show = (dealIds: string[], { by, beacon = newId() }: { by?: Person; beacon?: string } = {}) =>
  post(app, '/api/impressions', { beacon_id: beacon, deal_ids: dealIds }, by ? { token: by.authToken } : {})
const counted = (deal: string, impressions: number) =>
  vi.waitFor(async () => expect((await figuresOf(deal)).total.impressions).toBe(impressions), { timeout: 90_000 })

describe('the figures of a deal count', () => {
  it('each step from the list to the till once, and no step that was undone', async () => {
    const deal = await aDeal()
    expect((await show([deal, deal])).status).toBe(204)
    const visit = { method: 'PUT', headers: { 'user-agent': 'phone' } }
    expect((await api(app, `/api/deals/${deal}/view`, visit)).status).toBe(204)
    expect((await api(app, `/api/deals/${deal}/view`, visit)).status).toBe(204)
    const favorite = `/api/favorites/deal/${deal}`
    expect((await get(app, favorite, lena.authToken, { method: 'PUT' })).status).toBe(204)
    expect((await get(app, favorite, lena.authToken, { method: 'PUT' })).status).toBe(204)
    const claim = await post(app, `/api/deals/${deal}/claim`, undefined, { token: lena.authToken })
    expect((await post(app, `/api/deals/${deal}/claim`, undefined, { token: lena.authToken })).status).toBe(201)
    const redeem = { payload: claim.body.qr_payload, amount_chf: 8.5 }
    const redeemed = await post(app, '/api/redemptions', redeem, { token: bar.authToken })
    expect(redeemed.status).toBe(201)
    await counted(deal, 1)
    const steps = { impressions: 1, opens: 2, visitors: 1, saves: 1, claims: 1, redemptions: 1, sales_chf: 8.5 }
    const { total, by_hour, by_deal, buckets } = await figuresOf(deal)
    expect(total).toEqual(steps)
    expect(by_hour[19]).toEqual({ hour: 19, ...steps })
    expect(by_deal).toEqual([{ deal_id: deal, deal_name: 'Spritz', ...steps }])
    expect(buckets).toEqual([{ at: '2026-06-19T22:00:00.000Z', ...steps }])

    await get(app, favorite, lena.authToken, { method: 'DELETE' })
    await post(app, `/api/redemptions/${redeemed.body.redemption_id}/undo`, undefined, { token: bar.authToken })
    expect((await figuresOf(deal)).total).toMatchObject({ saves: 0, claims: 1, redemptions: 0, sales_chf: 0 })
  })

  it('no views by the merchant, no unknown deals, and no beacon twice', async () => {
    const deal = await aDeal('Quiche')
    const beacon = newId()
    await show([deal], { by: bar })
    await show([deal], { by: cafe })
    await show([deal, newId()], { beacon })
    await show([deal], { beacon })
    await counted(deal, 2)
    await show([deal], { beacon })
    await show([deal])
    await counted(deal, 3)
  })

  it('shown deals in a retry after a failed write, without those that the limit refused', async () => {
    const deal = await aDeal('Fondue')
    const complaints: string[] = []
    let asked = 0
    const counter = new ShownCounter({
      db: app.db,
      clock: { now: () => Temporal.Instant.from(evening) },
      // refuses once: the retry does not ask for that address again
      limiter: { take: async (from) => (from === 'greedy' && asked++ === 0 ? 60 : 0) },
      complain: (text) => void complaints.push(text),
    })
    const look = (from: string) => counter.count({ beaconId: newId(), dealIds: [deal], from, viewerBusinessId: null })
    look('greedy')
    look('calm')
    await sql`alter table analytics_hours rename to analytics_hours_away`.execute(app.db)
    await counter.write()
    await sql`alter table analytics_hours_away rename to analytics_hours`.execute(app.db)
    expect(complaints).toEqual(['What visitors saw could not be counted yet.'])
    await counter.close()
    expect((await figuresOf(deal)).total.impressions).toBe(1)
    expect(asked).toBe(1)
  })

  it('visitors without storing who they were', async () => {
    const { rows } = await sql<{ column_name: string }>`
      select column_name from information_schema.columns where table_name like 'analytics%'`.execute(app.db)
    const names = rows.map(({ column_name }) => column_name)
    expect(names).toContain('impressions')
    // `visitors` is a number
    expect(names.filter((name) => name !== 'visitors' && /account|visitor|address|user|session/.test(name))).toEqual([])
  })

  it.each([
    ['no deals', { beacon_id: newId(), deal_ids: [] }],
    ['too many deals', { beacon_id: newId(), deal_ids: Array.from({ length: 101 }, newId) }],
    ['what is no id', { beacon_id: 'x', deal_ids: [newId()] }],
    ['what is no deal', { beacon_id: newId(), deal_ids: ["'; drop table deals"] }],
  ])('nothing of a beacon with %s', async (_, body) => {
    expect((await post(app, '/api/impressions', body)).status).toBe(400)
  })
})

/** Adds past figures of a deal. */
async function past(deal: string, hour: string, more: Record<string, number>) {
  await app.db
    .insertInto('analytics_hours')
    .values({ deal_id: deal, hour: new Date(hour), ...more })
    .execute()
}

describe('the figures of a business', () => {
  it('are those of its deals, also archived ones, by day on the clocks of the festival and by deal', async () => {
    const spritz = await aDeal('Old spritz', { state: 'archived' })
    const soup = await aDeal('Soup')
    // midnight in Basel is still the day before in UTC
    await past(spritz, '2026-05-01T22:00:00Z', { claims: 2, redemptions: 1, sales_rappen: 1250 })
    await past(soup, '2026-05-02T21:00:00Z', { claims: 5 })
    await past(soup, '2026-05-02T22:00:00Z', { claims: 7 })
    const url = `/api/business/${bar.businessId}/analytics?from=2026-05-02&to=2026-05-03`
    const { body } = await get(app, url, bar.authToken)
    expect(body.buckets.map((each: { at: string; claims: number }) => [each.at, each.claims])).toEqual([
      ['2026-05-01T22:00:00.000Z', 7],
      ['2026-05-02T22:00:00.000Z', 7],
    ])
    expect(body.total).toMatchObject({ claims: 14, redemptions: 1, sales_chf: 12.5 })
    expect(body.by_hour[0]).toMatchObject({ claims: 9 })
    expect(body.by_hour[23]).toMatchObject({ claims: 5 })
    expect(body.by_deal[0]).toMatchObject({ deal_name: 'Old spritz', redemptions: 1 })
    const hourly = await get(app, `${url}&bucket=hour`, bar.authToken)
    expect(hourly.body.buckets).toHaveLength(48)
  })

  it('are by the hours that clocks show, also on days when they change', async () => {
    const deal = await aDeal('Clocks')
    await past(deal, '2025-10-26T00:00:00Z', { claims: 1 })
    await past(deal, '2025-10-26T01:00:00Z', { claims: 2 })
    await past(deal, '2025-10-26T18:00:00Z', { claims: 4 })
    await past(deal, '2026-03-29T00:00:00Z', { claims: 8 })
    await past(deal, '2026-03-29T18:00:00Z', { claims: 16 })
    const hoursOf = async (day: string) => {
      const { body } = await get(app, `/api/deals/${deal}/analytics?from=${day}&to=${day}`, bar.authToken)
      return (body.by_hour as { hour: number; claims: number }[])
        .filter(({ claims }) => claims > 0)
        .map(({ hour, claims }) => [hour, claims])
    }
    expect(await hoursOf('2025-10-26')).toEqual([
      [2, 3],
      [19, 4],
    ])
    expect(await hoursOf('2026-03-29')).toEqual([
      [1, 8],
      [20, 16],
    ])
  })

  it('are compared with the same number of days before, up to the same time of day', async () => {
    const deal = await aDeal('Compared')
    await past(deal, '2026-06-19T10:00:00Z', { claims: 4 })
    // the current hour counts in both periods, later hours of the day before do not
    await past(deal, '2026-06-18T17:00:00Z', { claims: 2 })
    await past(deal, '2026-06-18T18:00:00Z', { claims: 100 })
    await past(deal, '2026-06-17T10:00:00Z', { claims: 1 })
    const { total, before } = await figuresOf(deal, '?from=2026-06-19&to=2026-06-20')
    expect([total.claims, before.claims]).toEqual([4, 3])
    const all = await figuresOf(deal, '')
    expect(all.before).toBeNull()
    expect(all).toMatchObject({ from: '2026-06-10', to: '2026-06-20' })
    expect(all.total.claims).toBe(107)
  })

  it('show the mean rating by day', async () => {
    const deal = await aDeal('Rated')
    const rate = (stars: number, created_at: string) =>
      app.db
        .insertInto('ratings')
        .values({
          rating_id: newId(),
          deal_id: deal,
          business_id: bar.businessId,
          stars,
          created_at: new Date(created_at),
          updated_at: new Date(created_at),
        })
        .execute()
    await rate(5, '2026-06-12T10:00:00Z')
    await rate(2, '2026-06-19T10:00:00Z')
    const { ratings } = await figuresOf(deal, '?from=2026-06-18&to=2026-06-19')
    expect(ratings.map(({ count, mean }: { count: number; mean: number }) => [count, mean])).toEqual([
      [0, 5],
      [1, 3.5],
    ])
  })

  it.each([
    ['a day that is none', 'from=2026-02-30'],
    ['an end before its start', 'from=2026-06-02&to=2026-06-01'],
    ['more than a year', 'from=2024-01-01&to=2026-01-01'],
    ['more than 31 days by the hour', 'from=2026-01-01&to=2026-03-01&bucket=hour'],
    ['another bucket', 'bucket=week'],
  ])('are refused for %s', async (_, query) => {
    const { status } = await get(app, `/api/business/${bar.businessId}/analytics?${query}`, bar.authToken)
    expect(status).toBe(400)
  })
})

describe('an estimate for another price', () => {
  const whatIf = (deal: string, query: string, by: Person = bar) =>
    get(app, `/api/deals/${deal}/what-if${query}`, by.authToken)
  /** A deal with `redemptions` on the first of the last 30 days, and many on the day before that. */
  const redeemed = async (redemptions: number, price_rappen: number | null = 1000) => {
    const deal = await aDeal('Priced', { price_rappen })
    await past(deal, '2026-05-21T21:00:00Z', { redemptions: 100 })
    await past(deal, '2026-05-21T22:00:00Z', { redemptions })
    return deal
  }

  it('needs 30 redemptions in 30 days, and has the margin if the cost is known', async () => {
    const deal = await redeemed(45)
    const { status, body } = await whatIf(deal, '?price=12&cost=4.5')
    expect(status).toBe(200)
    expect(body).toEqual({
      deal_id: deal,
      price_now: 10,
      price: 12,
      redemptions_30_days: 45,
      expected: { low: 20, mid: 34, high: 51 },
      margin_now: 247.5,
      margin: { low: 150, mid: 255, high: 382.5 },
      elasticity: { low: 0.8, mid: 1.5, high: 2.5 },
    })
    expect((await whatIf(deal, '?price=12')).body).toMatchObject({ margin_now: null, margin: null })
    expect((await whatIf(deal, '?price=12&cost=0')).body).toMatchObject({ margin_now: 450, margin: { mid: 408 } })
    expect((await whatIf(await redeemed(30), '?price=10')).body).toMatchObject({ expected: { mid: 30 } })
  })

  it.each([
    ['fewer redemptions', 29, 1000, 'An estimate needs 30 redemptions in the last 30 days; this deal has 29.'],
    ['a deal without an amount', 45, null, 'An estimate needs a price in CHF; this deal has none.'],
    ['a free deal', 45, 0, 'An estimate needs a price in CHF; this deal has none.'],
    [
      'a price far from the current one',
      45,
      599,
      'Only prices from CHF 3.00 to CHF 11.98 can be estimated: half to double the current price.',
    ],
  ])('is refused with a text for %s', async (_, redemptions, price, text) => {
    const { status, body } = await whatIf(await redeemed(redemptions, price), '?price=12')
    expect([status, body.error]).toEqual([409, text])
  })

  it.each([
    ['no price', '', 'price'],
    ['a price of nothing', '?price=0', 'price'],
    ['a price that is no number', '?price=ten', 'price'],
    ['a cost below zero', '?price=12&cost=-1', 'cost'],
    ['a cost that is no number', '?price=12&cost=1e9', 'cost'],
  ])('is refused for %s', async (_, query, field) => {
    const { status, body } = await whatIf(await redeemed(45), query)
    expect([status, Object.keys(body.fields)]).toEqual([400, [field]])
  })

  it('is given only with ULTIMATE, and only to the merchant of the deal', async () => {
    const deal = await redeemed(45)
    expect((await whatIf(deal, '?price=12', cafe)).status).toBe(404)
    expect((await whatIf('none', '?price=12')).status).toBe(404)
    expect((await whatIf(deal, '?price=12', lena)).status).toBe(403)
    expect((await get(app, `/api/deals/${deal}/what-if?price=12`)).status).toBe(401)
    const tea = await aMerchant(app, 'tea@example.org', { business_name: 'Tea' })
    const own = await addDeal(app.db, tea.businessId, 'Tea', { price_rappen: 500 })
    for (const [tier, code] of [
      ['FREE', 'needs_premium'],
      ['PREMIUM', 'needs_ultimate'],
      ['ULTIMATE', 'needs_redemptions'],
    ]) {
      await sql`update businesses set subscription_tier = ${tier} where business_id = ${tea.businessId}`.execute(app.db)
      expect((await whatIf(own, '?price=6', tea)).body.code, tier).toBe(code)
    }
  })
})

describe('who may see figures', () => {
  it('another merchant finds nothing, and a FREE business gets no charts', async () => {
    const deal = await aDeal('Private')
    for (const path of [
      `/api/business/${bar.businessId}/analytics`,
      `/api/business/${bar.businessId}/analytics.csv`,
      `/api/deals/${deal}/analytics`,
      `/api/deals/${newId()}/analytics`,
      '/api/deals/none/analytics',
    ])
      expect((await get(app, path, cafe.authToken)).status, path).toBe(404)
    const own = await get(app, `/api/business/${cafe.businessId}/analytics`, cafe.authToken)
    expect([own.status, own.body.code]).toEqual([403, 'needs_premium'])
    const soup = await addDeal(app.db, cafe.businessId, 'Soup')
    expect((await get(app, `/api/deals/${soup}/analytics`, cafe.authToken)).status).toBe(403)
  })

  it('a PREMIUM business sees charts, but exports nothing', async () => {
    await sql`update businesses set subscription_tier = 'PREMIUM' where business_id = ${cafe.businessId}`.execute(
      app.db,
    )
    expect((await get(app, `/api/business/${cafe.businessId}/analytics`, cafe.authToken)).status).toBe(200)
    const csv = await get(app, `/api/business/${cafe.businessId}/analytics.csv`, cafe.authToken)
    expect([csv.status, csv.body.code]).toEqual([403, 'needs_ultimate'])
  })

  it('an ULTIMATE business gets a table in which no name of a deal is a formula', async () => {
    const deal = await aDeal('=HYPERLINK("http://evil.example")')
    await past(deal, '2026-04-01T10:00:00Z', { claims: 3 })
    const url = `/api/business/${bar.businessId}/analytics.csv?from=2026-04-01&to=2026-04-01`
    const { status, headers, text } = await get(app, url, bar.authToken)
    expect(status).toBe(200)
    expect(headers.get('content-disposition')).toContain('analytics-2026-04-01-2026-04-01.csv')
    const [names, line, ...rest] = text.split('\r\n')
    expect(names).toBe(
      '"day","deal","deal_id","impressions","opens","visitors","saves","claims","redemptions","sales_chf"',
    )
    expect(line).toBe(`"2026-04-01","'=HYPERLINK(""http://evil.example"")","${deal}","0","0","0","0","3","0","0"`)
    expect(rest).toEqual([''])
    const empty = await get(
      app,
      `/api/business/${bar.businessId}/analytics.csv?from=2026-01-01&to=2026-01-02`,
      bar.authToken,
    )
    expect(empty.text).toBe(`${names}\r\n`)
  })

  it('the table of an ULTIMATE business begins with the byte order mark that spreadsheets need for umlauts', async () => {
    const deal = await aDeal('Käsespätzli')
    await past(deal, '2026-04-02T10:00:00Z', { claims: 1 })
    for (const day of ['2026-04-02', '2026-01-02']) {
      const url = `${app.url}/api/business/${bar.businessId}/analytics.csv?from=${day}&to=${day}`
      const answer = await fetch(url, { headers: { authorization: `Bearer ${bar.authToken}` } })
      const bytes = Buffer.from(await answer.arrayBuffer())
      expect(bytes.subarray(0, 4).toString('hex')).toBe(Buffer.from('\ufeff"').toString('hex'))
    }
  })
})
