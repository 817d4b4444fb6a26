import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { addBusiness, addDeal, bridge, eastOfBridge, fillTown } from '../../../test/cast.ts'
import { besideTheApp } from '../../../test/locks.ts'
import { api, saturdayEvening, startTestApp, type TestApp } from '../../../test/start-app.ts'
import type { BusinessOnMap, NearbyBusiness } from '../contract.ts'

/** An item of a map: a business or a cluster. */
type OnMap = BusinessOnMap & { cluster: number }

let app: TestApp
const here = `lat=${bridge.latitude}&lon=${bridge.longitude}`
const names = async (query: string) =>
  (await api(app, `/api/business/search?${query}`)).body.map((row: NearbyBusiness) => row.business_name)

beforeAll(async () => {
  app = await startTestApp()
  await addBusiness(app.db, 'Far Mill', { ...eastOfBridge(9000), category: 'food' })
  await addBusiness(app.db, 'Second Café', { ...eastOfBridge(500), category: 'drinks', open_hours: '24/7' })
  const first = await addBusiness(app.db, 'First Kitchen', { ...eastOfBridge(100), category: 'food' })
  await addBusiness(app.db, 'Nowhere', { latitude: null, longitude: null })
  await addDeal(app.db, first, 'Soup')
  await fillTown(app, saturdayEvening)
})
afterAll(() => app.close())

describe('merchants near a place', () => {
  it('come nearest first, also those without deals, with their distance', async () => {
    const { body, headers } = await api(app, `/api/business/search?${here}`)
    expect(body.map((row: NearbyBusiness) => [row.business_name, row.live_deals])).toEqual([
      ['First Kitchen', 1],
      ['Second Café', 0],
    ])
    expect(body[0].distance_km).toBeCloseTo(0.1, 2)
    expect(body[0]).toMatchObject({ latitude: expect.any(Number), longitude: expect.any(Number) })
    expect(headers.get('x-total-count')).toBe('2')
  })

  it('are narrowed by radius, box, name, category in any language and open now', async () => {
    expect(await names(`${here}&radius=0.2`)).toEqual(['First Kitchen'])
    expect(await names(`${here}&radius=10`)).toHaveLength(3)
    expect(await names(`${here}&q=cafe`)).toEqual(['Second Café'])
    expect(await names(`${here}&category=Essen`)).toEqual(['First Kitchen'])
    expect(await names(`${here}&category=moonstuff`)).toEqual([])
    expect(await names(`${here}&openNow=true`)).toEqual(['Second Café'])
    const { longitude } = eastOfBridge(9000)
    expect(await names(`bbox=${longitude - 0.01},47.5,${longitude + 0.01},47.6`)).toEqual(['Far Mill'])
  })

  it('never show the contact email, and on a map only what a pin needs', async () => {
    const { body } = await api(app, `/api/business/search?${here}&view=map`)
    expect(body).toHaveLength(2)
    for (const row of body)
      expect(Object.keys(row).toSorted()).toEqual(['business_id', 'business_name', 'category', 'latitude', 'longitude'])
  })

  it.each(['lat=91', 'radius=0', 'bbox=1,2,3', 'view=globe', 'limit=101', 'offset=-1', 'after=abc'])(
    'refuse %s',
    async (query) => {
      expect((await api(app, `/api/business/search?${query}`)).status).toBe(400)
    },
  )

  it('are clustered beyond 2,000 without losing one, found by the index, and all listed page by page', async () => {
    await besideTheApp(
      app,
      async (trx) =>
        void (await sql`
      insert into businesses (business_id, business_name, slug, latitude, longitude, created_at, updated_at)
      select gen_random_uuid(), 'Stand ' || n, 'stand-' || n, 47.5 + n * 0.00004, 7.5 + n * 0.00008, now(), now()
      from generate_series(1, 2200) n`.execute(trx)),
    )
    onTestFinished(async () => void (await sql`delete from businesses where slug like 'stand-%'`.execute(app.db)))
    const { body } = await api(app, '/api/business/search?bbox=7.4,47.4,7.9,47.7&view=map')
    const single = body.filter((row: OnMap) => 'business_id' in row)
    const gathered = body.filter((row: OnMap) => 'cluster' in row)
    expect(gathered.reduce((sum: number, row: OnMap) => sum + row.cluster, single.length)).toBe(2203)
    expect(body.length).toBeLessThan(600)
    expect(gathered.every((row: OnMap) => row.cluster > 1)).toBe(true)
    expect(single.map((row: OnMap) => row.business_name)).toContain('Far Mill')
    const seen = new Set<string>()
    let rowsSeen = 0
    let next: string | null = `/api/business/search?${here}&radius=50&limit=100`
    while (next) {
      const page = await api(app, next)
      for (const row of page.body) seen.add(row.business_id)
      rowsSeen += page.body.length
      next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1] ?? null
    }
    expect([rowsSeen, seen.size]).toEqual([2203, 2203])
    await sql`analyze businesses`.execute(app.db)
    const { rows } = await sql<{ 'QUERY PLAN': string }>`
      explain select business_id from businesses b where b.suspended_at is null order by b.xy <-> point(7.58, 54) limit 20`.execute(
      app.db,
    )
    expect(JSON.stringify(rows)).toContain('businesses_near')
  })
})
