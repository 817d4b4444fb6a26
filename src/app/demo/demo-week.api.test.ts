import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { fillTown } from '../../../test/cast.ts'
import { answerOf } from '../../../test/rendered.ts'
import { ledgerOf, withPaymentRoom } from '../../../test/paying.ts'
import { saturdayEvening, api, startTestApp, type TestApp } from '../../../test/start-app.ts'
import type { Deal } from '../../deals/contract.ts'
import { reconcile, renewTestSubscriptions } from '../../payments/server/background.ts'
import { endExpiredTiers } from '../../payments/server/apply-standing.ts'
import { todayEnd } from '../../kit/shared/calendar.ts'
import { useDealWhen } from '../../deals/web/deal-when.ts'
import { featured } from '../screens/featured.ts'

const watched = withPaymentRoom()
let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ demo: true, rooms: watched.rooms, env: { PAYMENTS: 'test' } })
})
afterAll(() => app.close())

/** Twenty moments at different hours: every 8.5 hours for a week, from Saturday evening on. */
const moments = Array.from({ length: 20 }, (_, index) =>
  Temporal.Instant.from(saturdayEvening)
    .add({ minutes: index * 510 })
    .toString(),
)

/** The card's line on when a deal can be used, and the phase by which lists sort it. */
function stateLine(deal: Deal, at: string): { phase: 0 | 1 | 2 | 3; line: string } {
  const { state, text } = answerOf(() => useDealWhen(deal), at)
  const line = `${state}: ${text}`
  if (state === 'open') return { phase: 0, line }
  if (state === 'soon') return { phase: 1, line }
  return { phase: state === 'unknown' || /^(Today|Tonight) /.test(text) ? 2 : 3, line }
}

type Listed = Pick<Deal, 'deal_id' | 'deal_name' | 'business_id' | 'status' | 'usable_now' | 'usable_from' | 'open_now'>

it.each(moments)(
  'At %s home, list and map of the demo begin with deals that can be used soon, and show none that is over',
  async (at) => {
    app.setNow(at)
    // fills the opening hours of several days, so every fifth moment is enough
    if (moments.indexOf(at) % 5 === 0) await fillTown(app, at)
    const ask = async (query: string): Promise<Listed[]> => (await api(app, `/api/deals${query}`)).body
    const here = '/search?lat=47.5596&lon=7.5886&radius=5&category=&openNow=false&sponsored=false'
    const [list, map, promoted] = await Promise.all([
      ask('?sort=best&limit=100'),
      ask(`${here}&limit=100`),
      ask('/search?sponsored=true&limit=12'),
    ])
    const home = featured(promoted, list, 4, {
      now: Date.parse(at),
      tonight: todayEnd('Europe/Zurich', Date.parse(at)),
    })
    const soon = Date.parse(at) + 2 * 60 * 60_000
    const isSoon = (deal: Listed) =>
      deal.usable_now === true ||
      (deal.open_now !== null && deal.usable_from !== null && Date.parse(deal.usable_from) <= soon)
    for (const [where, deals, first] of [
      ['home', home, 4],
      ['list', list, 5],
      ['map', map, 5],
    ] as const) {
      // usable_now is null when the merchant's hours are unknown
      const dead = deals.filter((deal) => deal.status !== 'active' || (deal.usable_now === false && !deal.usable_from))
      expect(
        dead.map(({ deal_name }) => deal_name),
        where,
      ).toEqual([])
      const usable =
        where === 'home'
          ? [...promoted, ...list.filter(({ deal_id }) => !promoted.some((each) => each.deal_id === deal_id))]
          : deals
      // home shows at most two deals of one merchant
      const wanted =
        where === 'home'
          ? featured([], usable.filter(isSoon), 4, { now: 0, tonight: 0 }).length
          : Math.min(first, usable.filter(isSoon).length)
      expect(
        deals
          .slice(0, wanted)
          .filter((deal) => !isSoon(deal))
          .map(({ deal_name }) => deal_name),
        where,
      ).toEqual([])
    }
  },
)

it.each(moments)('At %s the deals of the demo are sorted by when their cards say they can be used', async (at) => {
  app.setNow(at)
  if (moments.indexOf(at) % 5 === 0) await fillTown(app, at)
  const deals: Deal[] = (await api(app, '/api/deals?sort=best&limit=100')).body
  const lines = deals.filter(({ latitude }) => latitude !== null).map((deal) => stateLine(deal, at))
  expect(lines.length).toBeGreaterThan(10)
  expect(lines).toEqual(lines.toSorted((a, b) => a.phase - b.phase))
})

const paidFor = () =>
  app.db
    .selectFrom('businesses')
    .select(['business_id', 'business_name', 'subscription_tier', 'featured_until'])
    .where((where) => where.or([where('subscription_tier', '<>', 'FREE'), where('featured_until', 'is not', null)]))
    .orderBy('business_id')
    .execute()

it('Merchants of the demo have paid for tier and promotion, and the test provider agrees', async () => {
  app.setNow(saturdayEvening)
  const merchants = await paidFor()
  expect(merchants).toHaveLength(6)
  const standings = await app.db
    .selectFrom('payment_standings')
    .select(['business_id', 'tier as subscription_tier', 'featured_until'])
    .orderBy('business_id')
    .execute()
  expect(standings).toEqual(merchants.map(({ business_name: _, ...rest }) => rest))
  expect(await ledgerOf(app)).toMatchObject({ sum: 0, revenue_promotion: -20_000 })
  expect(await reconcile(watched.room())).toEqual({ compared: 6, repaired: [], left: [] })
})

it('Merchants of the demo go on paying for their tier, and a promotion ends', async () => {
  const tiers = (await paidFor()).filter((each) => each.subscription_tier !== 'FREE')
  const before = await ledgerOf(app)
  app.setNow(
    Temporal.Instant.from(saturdayEvening)
      .add({ hours: 24 * 32 })
      .toString(),
  )
  await renewTestSubscriptions(watched.room())
  await endExpiredTiers(watched.room())
  expect((await paidFor()).filter((each) => each.subscription_tier !== 'FREE')).toEqual(tiers)
  const after = await ledgerOf(app)
  expect(after.sum).toBe(0)
  expect(after.transactions).toBeGreaterThan(before.transactions)
})

it('Merchants of the demo have fewer profile views than clicks on their deals, and some of both', async () => {
  const { rows } = await sql<{ kind: string; views: number }>`
    select kind, sum(views)::int as views from view_hours group by kind`.execute(app.db)
  const views = new Map(rows.map((row) => [row.kind, row.views]))
  expect(views.get('business')).toBeGreaterThan(0)
  expect(views.get('business')).toBeLessThan(views.get('deal')!)
})
