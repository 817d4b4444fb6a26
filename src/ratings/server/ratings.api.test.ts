import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addDeal } from '../../../test/cast.ts'
import { aMerchant, aVisitor, get, post, type Person } from '../../../test/people.ts'
import { anotherInstance, api, startTestApp, type TestApp } from '../../../test/start-app.ts'
import { hideDeal, showDeal } from '../../deals/server/hidden.ts'
import { ratingPersonalData } from './personal-data.ts'

let app: TestApp
let bar: Person & { businessId: string }
let cafe: Person & { businessId: string }
let lena: Person
let visitors = 0

beforeAll(async () => {
  app = await startTestApp()
  bar = await aMerchant(app, 'bar@example.org', { business_name: 'Bar Nord' })
  cafe = await aMerchant(app, 'cafe@example.org')
  lena = await aVisitor(app)
})
afterAll(() => app.close())

const aDeal = (more: Record<string, unknown> = {}) =>
  addDeal(app.db, bar.businessId, 'Spritz', { redemption_mode: 'code', ...more })
const another = () => aVisitor(app, `visitor${visitors++}@example.org`)
const put = (path: string, body: unknown, who: Person, at: { url: string } = app) =>
  api(at, path, {
    method: 'PUT',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', authorization: `Bearer ${who.authToken}` },
  })
const rate = (deal: string, body: unknown, who: Person = lena) => put(`/api/deals/${deal}/rating`, body, who)
const remove = (deal: string, who: Person = lena) =>
  get(app, `/api/deals/${deal}/rating`, who.authToken, { method: 'DELETE' })

describe('a visitor rates a deal', () => {
  it('with stars and a comment that everybody reads, and the mean follows', async () => {
    const deal = await aDeal()
    const { status, body } = await rate(deal, { stars: 4, comment: 'Cold and fair.' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ stars: 4, comment: 'Cold and fair.', author_name: 'Lena', verified: false, own: true })
    await rate(deal, { stars: 5 }, await another())
    const list = await get(app, `/api/deals/${deal}/ratings`)
    expect(list.headers.get('x-total-count')).toBe('2')
    expect(list.body.map(({ stars, own }: { stars: number; own: boolean }) => [stars, own])).toEqual([
      [5, false],
      [4, false],
    ])
    expect((await get(app, `/api/deals/${deal}`)).body).toMatchObject({ rating_mean: 4.5, rating_count: 2 })
    // the own rating first
    expect((await get(app, `/api/deals/${deal}/ratings`, lena.authToken)).body[0]).toMatchObject({ own: true })
  })

  it('once: the second rating replaces the first, and can be deleted', async () => {
    const deal = await aDeal()
    const first = await rate(deal, { stars: 1, comment: 'No.' })
    const second = await rate(deal, { stars: 5, comment: '' })
    expect(second.body).toMatchObject({ rating_id: first.body.rating_id, stars: 5, comment: null })
    expect((await get(app, `/api/deals/${deal}`)).body).toMatchObject({ rating_mean: 5, rating_count: 1 })
    expect((await remove(deal)).status).toBe(204)
    expect((await remove(deal)).body.code).toBe('rating_not_found')
    expect((await get(app, `/api/deals/${deal}`)).body).toMatchObject({ rating_mean: null, rating_count: 0 })
  })

  it('and gets the badge "verified" while a redemption of the deal counts', async () => {
    const deal = await aDeal()
    const claim = await post(app, `/api/deals/${deal}/claim`, undefined, { token: lena.authToken })
    await rate(deal, { stars: 5 })
    const done = await post(
      app,
      '/api/redemptions',
      { payload: claim.body.qr_payload, amount_chf: 1 },
      { token: bar.authToken },
    )
    await app.runJobs()
    const isVerified = async () => (await get(app, `/api/deals/${deal}/ratings`)).body[0].verified as boolean
    expect(await isVerified()).toBe(true)
    await post(app, `/api/redemptions/${done.body.redemption_id}/undo`, undefined, { token: bar.authToken })
    await app.runJobs()
    expect(await isVerified()).toBe(false)
  })

  it('neither before it begins nor, without having redeemed it, after its end', async () => {
    const codeOf = async (more: Record<string, unknown>) => (await rate(await aDeal(more), { stars: 5 })).body.code
    expect(await codeOf({ starts_at: '2026-06-21T00:00:00Z' })).toBe('deal_not_rated')
    expect(await codeOf({ ends_at: '2026-06-20T17:00:00Z' })).toBe('deal_not_rated')
    expect(await codeOf({ state: 'draft' })).toBe('deal_not_found')
    expect(await codeOf({ state: 'archived' })).toBe('deal_not_found')
    expect((await rate('nothing', { stars: 5 })).status).toBe(404)
    const deal = await aDeal()
    const claim = await post(app, `/api/deals/${deal}/claim`, undefined, { token: lena.authToken })
    await post(app, '/api/redemptions', { payload: claim.body.qr_payload, amount_chf: 1 }, { token: bar.authToken })
    await sql`update deals set ends_at = '2026-06-20T17:00:00Z' where deal_id = ${deal}`.execute(app.db)
    expect((await rate(deal, { stars: 5 })).status).toBe(200)
  })

  it('but guests, merchants and visitors with the email of the merchant do not', async () => {
    const deal = await aDeal()
    const guest = await api(app, `/api/deals/${deal}/rating`, { method: 'PUT', body: '{"stars":5}' })
    expect(guest.status).toBe(401)
    expect((await rate(deal, { stars: 5 }, bar)).status).toBe(403)
    expect((await rate(deal, { stars: 5 }, cafe)).status).toBe(403)
    const linked = await rate(deal, { stars: 5 }, await aVisitor(app, bar.email))
    expect([linked.status, linked.body.code]).toEqual([403, 'own_deal'])
  })

  it.each([
    { stars: 0 },
    { stars: 6 },
    { stars: 4.5 },
    { stars: '5' },
    { stars: null },
    {},
    { stars: -1 },
    { stars: 1e9 },
    { stars: 5, comment: 'x'.repeat(501) },
    { stars: 5, comment: 'a\u0000b' },
  ])('and no malformed rating: %j', async (body) => {
    expect((await rate(await aDeal(), body)).status).toBe(400)
  })

  it('and the list has pages', async () => {
    const deal = await aDeal()
    for (const stars of [1, 2, 3]) await rate(deal, { stars }, await another())
    const first = await get(app, `/api/deals/${deal}/ratings?limit=2`)
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link')!)![1]!
    const second = await get(app, next)
    expect(new Set([...first.body, ...second.body].map(({ stars }: { stars: number }) => stars))).toEqual(
      new Set([1, 2, 3]),
    )
    expect((await get(app, `/api/deals/${deal}/ratings?after=made-up`)).status).toBe(400)

    // also with an own rating, which comes first
    await rate(deal, { stars: 4 })
    const stars = ({ body }: { body: { stars: number }[] }) => body.map((each) => each.stars)
    for (const limit of [1, 2, 3]) {
      const walked: number[] = []
      for (let at: string | undefined = `/api/deals/${deal}/ratings?limit=${limit}`; at;) {
        const page = await get(app, at, lena.authToken)
        walked.push(...stars(page))
        at = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1]
      }
      expect(walked, `by ${limit}`).toEqual([4, 3, 2, 1])
      const byOffset: number[] = []
      for (let offset = 0; offset < 4; offset += limit)
        byOffset.push(
          ...stars(await get(app, `/api/deals/${deal}/ratings?limit=${limit}&offset=${offset}`, lena.authToken)),
        )
      expect(byOffset, `by ${limit} and offset`).toEqual([4, 3, 2, 1])
    }
  })
})

it('many ratings by one visitor at once, on two instances, leave one, and the deal counts one', async () => {
  const deal = await aDeal()
  const other = await anotherInstance(app)
  await sql`delete from rate_limits`.execute(app.db)
  // tokens of the first instance, whose clock is set, are invalid on the second
  const { body: there } = await post(other, '/api/auth/login', { email: lena.email, password: lena.password })
  const answers = await Promise.all(
    Array.from({ length: 24 }, (_, n) => {
      const body = { stars: (n % 5) + 1 }
      return n % 2 === 0 ? rate(deal, body) : put(`/api/deals/${deal}/rating`, body, there, other)
    }),
  )
  expect(answers.filter(({ status }) => status !== 200)).toEqual([])
  const { rows } = await sql<{ stars: number }>`select stars from ratings where deal_id = ${deal}`.execute(app.db)
  expect(rows).toHaveLength(1)
  expect((await get(app, `/api/deals/${deal}`)).body).toMatchObject({ rating_mean: rows[0]!.stars, rating_count: 1 })
})

describe('a merchant', () => {
  it('replies to a rating, changes the reply and takes it back; another merchant does not', async () => {
    await sql`delete from rate_limits`.execute(app.db)
    const { body } = await rate(await aDeal(), { stars: 2, comment: 'Warm.' })
    const reply = (text: string, who: Person) => put(`/api/ratings/${body.rating_id}/reply`, { reply: text }, who)
    expect((await reply('Sorry.', bar)).body).toMatchObject({ reply: 'Sorry.', stars: 2, own: false })
    expect((await reply('Ha.', cafe)).status).toBe(403)
    expect((await reply('Ha.', lena)).status).toBe(403)
    expect((await reply('', bar)).body).toMatchObject({ reply: null, replied_at: null })
    expect((await put('/api/ratings/none/reply', { reply: 'x' }, bar)).status).toBe(404)
    expect((await reply('x'.repeat(501), bar)).status).toBe(400)
  })

  it('sees all ratings of the business in one place', async () => {
    const fresh = await aMerchant(app, 'fresh@example.org', { business_name: 'Fresh' })
    const empty = await get(app, `/api/business/${fresh.businessId}/ratings`)
    expect(empty.body).toEqual({ rating_mean: null, rating_count: 0, stars: [0, 0, 0, 0, 0], latest: [] })
    const deal = await addDeal(app.db, fresh.businessId, 'Soup')
    await rate(deal, { stars: 5 }, await another())
    await rate(deal, { stars: 2, comment: 'Thin.' }, await another())
    const ratings = await get(app, `/api/business/${fresh.businessId}/ratings`)
    expect(ratings.body).toMatchObject({ rating_mean: 3.5, rating_count: 2, stars: [0, 1, 0, 0, 1] })
    expect(ratings.body.latest[0]).toMatchObject({ deal_name: 'Soup', comment: 'Thin.' })
    expect((await get(app, '/api/business/none/ratings')).status).toBe(404)
  })

  it('has no ratings of deals that staff hid, neither in the list nor in the mean', async () => {
    const pub = await aMerchant(app, 'pub@example.org', { business_name: 'Pub' })
    const [fine, hidden] = [
      await addDeal(app.db, pub.businessId, 'Soup'),
      await addDeal(app.db, pub.businessId, 'Gold'),
    ]
    await rate(fine, { stars: 5, comment: 'Hot.' }, await another())
    await rate(hidden, { stars: 1, comment: 'A fraud.' }, await another())
    const businessRatings = async () => (await get(app, `/api/business/${pub.businessId}/ratings`)).body
    expect(await businessRatings()).toMatchObject({ rating_mean: 3, rating_count: 2 })
    await hideDeal(app.db, hidden, new Date())
    expect(await businessRatings()).toMatchObject({ rating_mean: 5, rating_count: 1, latest: [{ deal_name: 'Soup' }] })
    expect((await businessRatings()).latest).toHaveLength(1)
    await showDeal(app.db, { dealId: hidden, businessId: pub.businessId, isMerchantShown: true }, new Date())
    expect(await businessRatings()).toMatchObject({ rating_mean: 3, rating_count: 2 })
  })
})

it('anybody who is logged in reports a rating, once', async () => {
  const { body } = await rate(await aDeal(), { stars: 1, comment: 'Rude words.' })
  const report = (token?: string) =>
    post(app, `/api/ratings/${body.rating_id}/report`, undefined, token ? { token } : {})
  expect((await report()).status).toBe(401)
  for (const who of [bar, bar, lena]) expect((await report(who.authToken)).status).toBe(204)
  const { rows } = await sql`select 1 from rating_reports where rating_id = ${body.rating_id}`.execute(app.db)
  expect(rows).toHaveLength(2)
  expect((await post(app, '/api/ratings/none/report', undefined, { token: bar.authToken })).status).toBe(404)
})

it('a deal with many good ratings is listed before a deal with one best rating', async () => {
  const one = await aDeal({ deal_name: 'One rating' })
  const many = await aDeal({ deal_name: 'Many ratings' })
  await rate(one, { stars: 5 }, await another())
  for (let n = 0; n < 6; n++) await rate(many, { stars: 5 }, await another())
  const { body } = await get(app, '/api/deals?sort=rating&limit=100')
  const names = body.map(({ deal_name }: { deal_name: string }) => deal_name) as string[]
  expect(names.indexOf('Many ratings')).toBeLessThan(names.indexOf('One rating'))
})

it('a deleted account leaves its stars, without name and comment', async () => {
  const leaving = await another()
  const deal = await aDeal()
  await rate(deal, { stars: 3, comment: 'I am going.' }, leaving)
  const { rows } = await sql<{ account_id: string }>`
    select account_id from accounts where email = ${leaving.email}`.execute(app.db)
  const owner = { accountId: rows[0]!.account_id, businessId: null, verifiedEmail: null, givenEmail: leaving.email }
  expect((await ratingPersonalData.exportOf(app.db, owner))['ratings']).toMatchObject([{ comment: 'I am going.' }])
  await app.db.transaction().execute((trx) => ratingPersonalData.forget(trx, owner))
  const { body } = await get(app, `/api/deals/${deal}/ratings`)
  expect(body).toMatchObject([{ stars: 3, comment: null, author_name: null }])
  expect((await get(app, `/api/deals/${deal}`)).body.rating_count).toBe(1)
})
