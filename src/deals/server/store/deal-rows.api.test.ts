import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addBusiness, addDeal, fillTown } from '../../../../test/cast.ts'
import { api, saturdayEvening, startTestApp, type TestApp } from '../../../../test/start-app.ts'
import { versionColumn, withDeals, type DealRow } from './deal-rows.ts'

let app: TestApp
let shops: string[]
let deals: string[]
const start = Date.parse(saturdayEvening)
const hour = 3_600_000

beforeAll(async () => {
  app = await startTestApp()
  shops = [
    await addBusiness(app.db, 'Café Rhein', { open_hours: 'Mo-Su 08:00-22:00' }),
    await addBusiness(app.db, 'Bar am Tor', { open_hours: 'Mo-Su 18:00-03:00' }),
  ]
  deals = []
  for (let n = 0; n < 6; n++) deals.push(await addDeal(app.db, shops[n % 2]!, `Deal ${n}`))
  await fillTown(app, saturdayEvening)
})
afterAll(() => app.close())

const inHours = fc.integer({ min: -5, max: 5 })
const change = fc.oneof(
  { weight: 8, arbitrary: fc.record({ what: fc.constant('time' as const), hours: inHours }) },
  fc.record({ what: fc.constant('name' as const), deal: fc.nat(5), to: fc.string({ minLength: 1, maxLength: 20 }) }),
  fc.record({ what: fc.constant('end' as const), deal: fc.nat(5), hours: inHours }),
  fc.record({ what: fc.constant('start' as const), deal: fc.nat(5), hours: inHours }),
  fc.record({ what: fc.constant('sold' as const), deal: fc.nat(5), times: fc.nat(3) }),
  fc.record({ what: fc.constant('undone' as const), deal: fc.nat(5) }),
  fc.record({ what: fc.constant('twice' as const), deal: fc.nat(5) }),
  {
    weight: 3,
    arbitrary: fc.record({ what: fc.constant('promoted' as const), shop: fc.nat(1), hours: inHours }),
  },
  fc.record({ what: fc.constant('renamed' as const), shop: fc.nat(1), to: fc.constantFrom('Haus', 'Café', 'Beiz') }),
  fc.record({ what: fc.constant('hours' as const), shop: fc.nat(1), hours: inHours, known: fc.boolean() }),
)
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never

let now = start
const soon = (hours: number) => new Date(now + hours * hour)

async function make(it: Change) {
  const deal = (n: number, values: object) =>
    app.db.updateTable('deals').set(values).where('deal_id', '=', deals[n]!).execute()
  const shop = (n: number, values: object) =>
    app.db.updateTable('businesses').set(values).where('business_id', '=', shops[n]!).execute()
  switch (it.what) {
    case 'time':
      now = start + it.hours * hour
      return app.setNow(new Date(now).toISOString())
    case 'name':
      return deal(it.deal, { deal_name: it.to.replaceAll('\0', '') || '-' })
    case 'end':
      return deal(it.deal, { starts_at: null, ends_at: soon(it.hours) })
    case 'start':
      return deal(it.deal, { ends_at: null, starts_at: soon(it.hours) })
    case 'sold':
      return deal(it.deal, { total_limit: 3, redeemed_count: it.times })
    case 'undone':
      return app.db
        .transaction()
        .execute(async (trx) => {
          await trx.updateTable('deals').set({ deal_name: 'never' }).where('deal_id', '=', deals[it.deal]!).execute()
          throw new Error('undone')
        })
        .catch(() => {})
    case 'twice':
      return app.db.transaction().execute(async (trx) => {
        for (const deal_name of ['first', 'second'])
          await trx.updateTable('deals').set({ deal_name }).where('deal_id', '=', deals[it.deal]!).execute()
      })
    case 'promoted':
      return shop(it.shop, { featured_until: soon(it.hours) })
    case 'renamed':
      return shop(it.shop, { business_name: it.to })
    case 'hours':
      return shop(it.shop, {
        hours_known: it.known,
        opening_changes: [soon(it.hours), soon(it.hours + 2)],
        hours_filled_until: soon(it.hours + 3),
      })
  }
}

describe('a cached deal', () => {
  it('is never stale, whatever changes and however much time passes', async () => {
    let compared = 0
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 8, maxLength: 16 }), async (changes) => {
        for (const each of changes) {
          await make(each)
          const lists = await Promise.all(
            ['/api/deals?limit=50', '/api/deals/search?limit=50', '/api/deals/search?limit=50&sort=new'].map(
              async (path) => (await api(app, path)).body as Record<string, unknown>[],
            ),
          )
          const byDeal = Object.entries(Object.groupBy(lists.flat(), (listed) => listed['deal_id'] as string))
          await Promise.all(
            byDeal.map(async ([id, listings]) => {
              const alone = (await api(app, `/api/deals/${id}`)).body as object
              for (const listed of listings!) expect(listed).toMatchObject(alone)
              compared += listings!.length
            }),
          )
        }
      }),
      { numRuns: 40, endOnFailure: true },
    )
    expect(compared).toBeGreaterThan(200)
  })

  it('changes when the deal begins and ends, without being written', async () => {
    const id = await addDeal(app.db, await addBusiness(app.db, 'Kiosk'), 'Between', {
      starts_at: new Date(start + hour),
      ends_at: new Date(start + 2 * hour),
    })
    const { rows } = await sql<{ deal_id: string; version: string }>`
      select deal_id, ${sql.raw(versionColumn('xmin'))} from deals where deal_id = ${id}`.execute(app.db)
    const statusAt = async (hours: number) =>
      (await withDeals<{ deal: DealRow }>(app.db, new Date(start + hours * hour), [...rows]))[0]!.deal.status
    expect([await statusAt(0), await statusAt(1), await statusAt(2), await statusAt(0)]).toEqual([
      'scheduled',
      'active',
      'expired',
      'scheduled',
    ])
  })

  it('is not shown after the deal is deleted', async () => {
    const gone = await addDeal(app.db, shops[0]!, 'Gone')
    const ids = async () =>
      ((await api(app, '/api/deals?limit=50')).body as { deal_id: string }[]).map(({ deal_id }) => deal_id)
    expect(await ids()).toContain(gone)
    await app.db.deleteFrom('deals').where('deal_id', '=', gone).execute()
    expect(await ids()).not.toContain(gone)
  })
})
