import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bridge } from '../../../test/cast.ts'
import { besideTheApp, waitingForLocks } from '../../../test/locks.ts'
import { aMerchant, aVisitor, get, mailsTo, mailTo, post, type Person } from '../../../test/people.ts'
import { api, startTestApp, type TestApp } from '../../../test/start-app.ts'
import { rooms } from '../../app/rooms.ts'
import type { Sql } from '../../kit/server/database.ts'
import type { House, Room } from '../../kit/server/room.ts'
import { lockMerchant } from '../../businesses/server/merchant.ts'
import { businessFacts } from '../../businesses/contract.ts'
import { dealFacts } from '../limits.ts'

type Merchant = Person & { businessId: string }

let app: TestApp
let cafe: Merchant
let bar: Merchant
let house: House
const heard: Record<string, unknown>[] = []
const mailsAsPaused: unknown[] = []

/** A room above deals that receives their facts, as favourites do. */
const listener: Room = {
  name: 'listener',
  looksInto: ['deals'],
  open: (opened) => {
    house = opened
    return {}
  },
  onFacts: () => ({ [dealFacts.published]: async (data) => void heard.push(data) }),
  answers: () => ({
    dealsPaused: async (trx) =>
      void mailsAsPaused.push(
        ...(await trx.selectFrom('outgoing_mails').select('data').where('kind', '=', 'payment_news').execute()),
      ),
  }),
}

beforeAll(async () => {
  // below payments, so that it receives facts after them
  app = await startTestApp({ rooms: rooms.toSpliced(-1, 0, listener) })
  cafe = await aMerchant(app)
  bar = await aMerchant(app, 'bar@example.org', { business_name: 'Bar Nord' })
})
afterAll(() => app.close())
beforeEach(async () => {
  await app.db.deleteFrom('deals').execute()
  await app.runJobs()
  heard.length = 0
})

const create = (body: object, by: Merchant = cafe, headers = {}) =>
  post(app, '/api/deals', body, { token: by.authToken, headers })
const put = (id: string, body: object, by: Merchant = cafe, headers: Record<string, string> = {}) =>
  post(app, `/api/deals/${id}`, body, { method: 'PUT', token: by.authToken, headers })
const act = (id: string, action: string, by: Merchant = cafe) =>
  post(app, `/api/deals/${id}/${action}`, undefined, { token: by.authToken })
const remove = (id: string, by: Merchant = cafe) => get(app, `/api/deals/${id}`, by.authToken, { method: 'DELETE' })
const ownDeals = async (by: Merchant = cafe) =>
  (await get(app, `/api/deals/business/${by.businessId}`, by.authToken)).body as Record<string, unknown>[]

describe('a new deal', () => {
  it('needs only a name, and is live at once', async () => {
    const { status, body } = await create({ deal_name: 'Spritz' })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      deal_name: 'Spritz',
      description: null,
      price: null,
      discount: null,
      latitude: null,
      longitude: null,
      is_premium: false,
      status: 'active',
      category: 'other',
      redemption_mode: 'none',
      total_limit: null,
      per_user_limit: 1,
      notice: null,
      figures: { views: 0, trend: [0, 0, 0, 0, 0, 0, 0], claims: 0, redemptions: 0 },
    })
    expect((await get(app, '/api/deals')).body.map((deal: { deal_id: string }) => deal.deal_id)).toEqual([body.deal_id])
  })

  it('stores every field as it was sent', async () => {
    const sent = {
      deal_name: 'Fondue for two',
      description: 'From six o’clock.\nBring a friend.',
      price: '42.–',
      discount: '-20 %',
      category: 'food',
      terms: 'Not with other offers.',
      tags: ['Käse', 'vegetarian'],
      starts_at: '2026-06-20T18:00:00+02:00',
      ends_at: '2026-06-28T02:00:00+02:00',
      active_days: [5, 6],
      start_time: '18:00',
      end_time: '02:00',
      price_chf: 42,
      regular_price_chf: 52.5,
      regular_price_since: '2026-05-01',
      total_limit: 40,
      per_user_limit: 2,
      redemption_mode: 'code',
      latitude: 47.55,
      longitude: 7.6,
    }
    const { status, body } = await create(sent)
    expect(status, JSON.stringify(body)).toBe(201)
    expect(body).toMatchObject({ ...sent, starts_at: expect.any(String), ends_at: expect.any(String) })
    expect(Date.parse(body.starts_at)).toBe(Date.parse(sent.starts_at))
    expect(Date.parse(body.ends_at)).toBe(Date.parse(sent.ends_at))
    expect((await get(app, `/api/deals/${body.deal_id}`)).body).toMatchObject({
      deal_name: sent.deal_name,
      tags: sent.tags,
    })
  })

  it('has its price without the currency, which screens add', async () => {
    for (const price of ['CHF 12.50', '12.50 CHF', 'Fr. 12.50'])
      expect((await create({ deal_name: 'Soup', price })).body).toMatchObject({ price: '12.50', price_chf: 12.5 })
    expect((await create({ deal_name: 'Soup', price: 'from CHF 5' })).body).toMatchObject({ price: 'from CHF 5' })
  })

  it('has the language guessed from its words, again after a change of them', async () => {
    const german = { deal_name: 'Fondue für zwei', description: 'Ab sechs Uhr, und bring jemanden mit.' }
    const { body } = await create(german)
    expect(body.lang).toBe('de')
    const french = { deal_name: 'Fondue pour deux', description: 'Dès six heures, et viens avec quelqu’un.' }
    expect((await put(body.deal_id, french)).body.lang).toBe('fr')
    expect((await put(body.deal_id, { price: '42' })).body.lang).toBe('fr')
    expect((await put(body.deal_id, { deal_name: 'Spritz', description: '' })).body.lang).toBeNull()
  })

  it('takes times without an offset as festival time', async () => {
    const { body } = await create({ deal_name: 'Late', starts_at: '2026-06-21T20:00', ends_at: '2026-12-01T20:00' })
    expect(Date.parse(body.starts_at)).toBe(Date.parse('2026-06-21T18:00:00Z'))
    expect(Date.parse(body.ends_at)).toBe(Date.parse('2026-12-01T19:00:00Z'))
    expect(body.status).toBe('scheduled')
  })

  it('is at the place of its merchant, and moves with it', async () => {
    const place = (at: object | null) =>
      app.db
        .updateTable('businesses')
        .set(at ?? { latitude: null, longitude: null })
        .where('business_id', '=', cafe.businessId)
        .execute()
    await place(bridge)
    const along = (await create({ deal_name: 'Here' })).body
    expect(along).toMatchObject(bridge)
    const elsewhere = (await create({ deal_name: 'There', latitude: 47.5, longitude: 7.5 })).body
    await place({ latitude: 47.57, longitude: 7.58 })
    expect((await get(app, `/api/deals/${along.deal_id}`)).body).toMatchObject({ latitude: 47.57, longitude: 7.58 })
    expect((await get(app, `/api/deals/${elsewhere.deal_id}`)).body).toMatchObject({ latitude: 47.5, longitude: 7.5 })
    await place(null)
  })

  it('is announced to other rooms when it is published, not before', async () => {
    const draft = (await create({ deal_name: 'Later', draft: true })).body
    expect(draft.status).toBe('draft')
    const live = (await create({ deal_name: 'Now' })).body
    await app.runJobs()
    expect(heard).toEqual([{ deal_id: live.deal_id, business_id: cafe.businessId }])
    expect((await act(draft.deal_id, 'resume')).body).toMatchObject({ status: 'active' })
    await act(live.deal_id, 'pause')
    await act(live.deal_id, 'resume')
    await app.runJobs()
    expect(heard.map(({ deal_id }) => deal_id)).toEqual([live.deal_id, draft.deal_id])
  })

  it.each([
    ['no name', {}, 'deal_name'],
    ['an empty name', { deal_name: '' }, 'deal_name'],
    ['a name of 81 letters', { deal_name: 'x'.repeat(81) }, 'deal_name'],
    ['NUL in its text', { description: 'a\0b' }, 'description'],
    ['a lone surrogate', { description: '\ud800' }, 'description'],
    ['a price of 61 letters', { price: 'x'.repeat(61) }, 'price'],
    ['coordinates that are words', { latitude: 'abc', longitude: 7 }, 'latitude'],
    ['coordinates beyond the earth', { latitude: 200, longitude: 7 }, 'latitude'],
    ['an infinite coordinate', { latitude: 'Infinity', longitude: 7 }, 'latitude'],
    ['half a place', { latitude: 47 }, 'longitude'],
    ['a category that is none', { category: 'weapons' }, 'category'],
    ['a start that is no time', { starts_at: 'tomorrow' }, 'starts_at'],
    ['a day that is not in the calendar', { starts_at: '2026-02-30T10:00' }, 'starts_at'],
    ['24 o’clock', { ends_at: '2026-06-20T24:00' }, 'ends_at'],
    ['24 o’clock with an offset', { starts_at: '2026-06-20T24:00Z' }, 'starts_at'],
    ['an end before its start', { starts_at: '2026-06-22T10:00Z', ends_at: '2026-06-21T10:00Z' }, 'ends_at'],
    ['only one time of day', { start_time: '18:00' }, 'end_time'],
    ['a time of day that is none', { start_time: '25:00', end_time: '26:00' }, 'start_time'],
    ['the same time twice', { start_time: '18:00', end_time: '18:00' }, 'end_time'],
    ['the eighth day of the week', { active_days: [8] }, 'active_days.0'],
    ['half an item', { total_limit: 1.5 }, 'total_limit'],
    ['no item', { total_limit: 0 }, 'total_limit'],
    ['a negative amount', { price_chf: -1 }, 'price_chf'],
    ['a redemption that nobody knows', { redemption_mode: 'fax' }, 'redemption_mode'],
    ['eleven tags', { tags: Array(11).fill('x') }, 'tags'],
    ['a picture of another host', { image_url: 'https://example.org/a.png' }, 'image_url'],
    [
      'a picture that nobody uploaded',
      { image_url: '/uploads/0190a000-0000-7000-8000-000000000000.webp' },
      'image_url',
    ],
  ])('with %s is refused beside the field', async (_, more, field) => {
    const { status, body } = await create(
      'deal_name' in more || field === 'deal_name' ? more : { deal_name: 'Spritz', ...more },
    )
    expect(status).toBe(400)
    expect(body.code).toBe('invalid_input')
    expect(Object.keys(body.fields)).toContain(field)
    expect(await ownDeals()).toEqual([])
  })

  it('ignores fields that merchants cannot set', async () => {
    const { body } = await create({
      deal_name: 'Mine',
      is_premium: true,
      business_id: bar.businessId,
      rating_count: 99,
      redeemed_count: 5,
      deal_id: '0190a000-0000-7000-8000-000000000000',
    })
    expect(body).toMatchObject({ is_premium: false, business_id: cafe.businessId, rating_count: 0 })
    expect(body.deal_id).not.toBe('0190a000-0000-7000-8000-000000000000')
  })
})

describe('the usual price', () => {
  const struck = (more: object) =>
    create({ deal_name: 'Sale', price: '10', regular_price_chf: 15, regular_price_since: '2026-05-01', ...more })
  it('may be struck out without a limit after 30 days', async () => {
    expect((await struck({})).body).toMatchObject({ price_chf: 10, regular_price_chf: 15 })
  })
  it('after fewer days may be struck out for half of them, which the refusal says', async () => {
    const since = '2026-06-10'
    const open = await struck({ regular_price_since: since })
    expect(open.status).toBe(400)
    expect(open.body.fields.regular_price_since).toMatch(/10 days.*half.*5 days.*needs an end/)
    const long = await struck({ regular_price_since: since, ends_at: '2026-06-25T12:00' })
    expect(long.body.fields.regular_price_since).toMatch(/10 days.*half.*5 days/)
    expect((await struck({ regular_price_since: since, ends_at: '2026-06-24T12:00' })).status).toBe(201)
  })
  it.each([{}, { ends_at: '2026-06-20T18:00' }])(
    'after one day cannot be struck out yet, and the refusal says for how long: %j',
    async (more) => {
      const { status, body } = await struck({ regular_price_since: '2026-06-19', ...more })
      expect(status).toBe(400)
      expect(body.fields.regular_price_since).toMatch(
        /1 day\..*half of that time, which is less than a day: the usual price cannot be shown yet/,
      )
      expect(body.fields.regular_price_since).not.toMatch(/no day|needs an end|not at all/)
    },
  )
  it.each([
    [{ regular_price_since: null }, 'regular_price_since'],
    [{ regular_price_since: '2026-07-01' }, 'regular_price_since'],
    [{ regular_price_chf: 10 }, 'regular_price_chf'],
    [{ price: 'half of it' }, 'regular_price_chf'],
  ])('is refused with %j', async (more, field) => {
    expect(Object.keys((await struck(more)).body.fields)).toEqual([field])
  })
  it('is dropped when a new price no longer allows it, which the answer says', async () => {
    const { deal_id } = (await struck({})).body
    const { status, body } = await put(deal_id, { deal_name: 'Sale', description: '', price: '20', discount: '' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ price: '20', price_chf: 20, regular_price_chf: null })
    expect(body.notice).toContain('price ordinance')
  })
})

describe('changing a deal', () => {
  it('refuses more items for one person than there are in total, at the field', async () => {
    const limits = { per_user_limit: 7, total_limit: 5 }
    expect((await create({ deal_name: 'Soup', ...limits })).body.fields).toEqual({
      per_user_limit: 'One person cannot have more than there are in total.',
    })
    const { deal_id } = (await create({ deal_name: 'Soup', per_user_limit: 4, total_limit: 5 })).body
    expect(Object.keys((await put(deal_id, { total_limit: 3 })).body.fields)).toEqual(['total_limit'])
    expect((await put(deal_id, { total_limit: 4 })).status).toBe(200)
  })
  it('to an end in the past saves it and says that the deal is over', async () => {
    const [past, future] = ['2026-01-01T12:00', '2026-12-01T12:00']
    const made = (await create({ deal_name: 'Soup', starts_at: '2025-12-31T12:00', ends_at: past })).body
    expect(made).toMatchObject({ status: 'expired', notice_code: 'alreadyOver' })
    expect(made.notice).toContain('Its end is in the past')
    expect((await put(made.deal_id, { ends_at: future })).body).toMatchObject({ status: 'active', notice: null })
    expect((await put(made.deal_id, { ends_at: past })).body.notice_code).toBe('alreadyOver')
    expect((await put(made.deal_id, { deal_name: 'Stew' })).body.notice).toBeNull()
    expect((await create({ deal_name: 'Soup', ends_at: past, draft: true })).body.notice).toBeNull()
  })
  it('takes the specified payload, empties what is empty and loses nothing else', async () => {
    const made = (
      await create({ deal_name: 'A', description: 'B', price: '9.50', discount: 'C', terms: 'T', tags: ['x'] })
    ).body
    const { status, body } = await put(made.deal_id, { deal_name: 'A2', description: 'B2', price: '', discount: null })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      deal_name: 'A2',
      description: 'B2',
      price: null,
      discount: null,
      price_chf: null,
      terms: 'T',
      tags: ['x'],
    })
    expect((await put(made.deal_id, {})).body).toMatchObject({ deal_name: 'A2', description: 'B2' })
  })
  it.each([
    [{ price: '12 / kg', price_chf: 12, regular_price_chf: 20, regular_price_since: '2026-05-01' }, [12, 20]],
    [{ price: '', price_chf: 0 }, [0, null]],
  ])('whose unchanged price is sent again, %o, keeps its amount and its usual price', async (prices, amounts) => {
    const made = (await create({ deal_name: 'A', ...prices })).body
    const { body } = await put(made.deal_id, { deal_name: 'B', description: 'C', price: prices.price, discount: '' })
    expect(body).toMatchObject({ deal_name: 'B', notice: null })
    expect([body.price_chf, body.regular_price_chf]).toEqual(amounts)
    expect((await put(made.deal_id, { price: '9' })).body.price_chf).toBe(9)
  })
  it('takes the amount from a price that is one, even if another amount was stored', async () => {
    const made = (await create({ deal_name: 'A', price: '15', price_chf: 10 })).body
    expect(made.price_chf).toBe(10)
    expect((await put(made.deal_id, { deal_name: 'B', price: '15' })).body.price_chf).toBe(15)
  })
  it('with a stale version is refused', async () => {
    const made = await create({ deal_name: 'A' })
    const first = made.headers.get('etag')!
    expect(first).toBe(`"${made.body.updated_at}"`)
    const second = await put(made.body.deal_id, { deal_name: 'B' }, cafe, { 'if-match': first })
    expect(second.status).toBe(200)
    expect(await put(made.body.deal_id, { deal_name: 'C' }, cafe, { 'if-match': first })).toMatchObject({
      status: 409,
      body: { code: 'changed_meanwhile' },
    })
    expect((await get(app, `/api/deals/${made.body.deal_id}`)).headers.get('etag')).toBe(second.headers.get('etag'))
    for (const tag of ['"nonsense"', 'nonsense'])
      expect((await put(made.body.deal_id, { deal_name: 'C' }, cafe, { 'if-match': tag })).status).toBe(409)
    expect((await put(made.body.deal_id, { deal_name: 'D' }, cafe, { 'if-match': '*' })).body.deal_name).toBe('D')
  })
  it('that is retried with the version before is no conflict if it changes nothing', async () => {
    const made = await create({ deal_name: 'A' })
    const change = {
      deal_name: 'B',
      price: 'CHF 12',
      tags: ['x'],
      starts_at: '2026-06-20T18:00',
      start_time: '18:00',
      end_time: '20:00',
      regular_price_chf: 20,
      regular_price_since: '2026-05-01',
    }
    const version = { 'if-match': made.headers.get('etag')! }
    for (let n = 0; n < 2; n++) expect((await put(made.body.deal_id, change, cafe, version)).status).toBe(200)
    expect((await put(made.body.deal_id, { ...change, tags: [] }, cafe, version)).status).toBe(409)
  })
  it('of another merchant is refused; a draft of another merchant is unknown', async () => {
    const live = (await create({ deal_name: 'Live' })).body.deal_id
    const draft = (await create({ deal_name: 'Draft', draft: true })).body.deal_id
    for (const [id, status] of [
      [live, 403],
      [draft, 404],
      ['nope', 404],
    ] as const) {
      expect((await put(id, { deal_name: 'Stolen' }, bar)).status).toBe(status)
      expect((await remove(id, bar)).status).toBe(status)
      for (const action of ['pause', 'resume', 'duplicate']) expect((await act(id, action, bar)).status).toBe(status)
    }
    expect(
      (await post(app, '/api/deals/duplicate', { deal_ids: [live], days: 7 }, { token: bar.authToken })).status,
    ).toBe(403)
    expect((await ownDeals()).map(({ deal_name }) => String(deal_name)).toSorted()).toEqual(['Draft', 'Live'])
    expect(await ownDeals(bar)).toEqual([])
  })
  it('is for merchants alone', async () => {
    const { deal_id } = (await create({ deal_name: 'Live' })).body
    const lena = await aVisitor(app)
    expect((await put(deal_id, { deal_name: 'X' }, lena as Merchant)).status).toBe(403)
    expect(
      (
        await api(app, `/api/deals/${deal_id}`, {
          method: 'PUT',
          headers: { 'content-type': 'application/json' },
          body: '{}',
        })
      ).status,
    ).toBe(401)
  })
})

describe('the life of a deal', () => {
  it('only their merchant sees drafts and archived deals', async () => {
    const { deal_id } = (await create({ deal_name: 'Draft', draft: true })).body
    expect((await get(app, `/api/deals/${deal_id}`)).status).toBe(404)
    expect((await get(app, `/api/deals/${deal_id}`, bar.authToken)).status).toBe(404)
    expect((await get(app, `/api/deals/${deal_id}`, cafe.authToken)).body.status).toBe('draft')
    expect((await remove(deal_id)).status).toBe(204)
    expect((await get(app, `/api/deals/${deal_id}`, cafe.authToken)).body.status).toBe('archived')
    expect(await ownDeals()).toEqual([])
  })
  it('a paused deal is off the lists until it is resumed', async () => {
    const { deal_id } = (await create({ deal_name: 'Spritz' })).body
    expect((await act(deal_id, 'pause')).body.status).toBe('paused')
    expect((await get(app, '/api/deals')).body).toEqual([])
    expect((await get(app, `/api/deals/business/${cafe.businessId}`)).body).toEqual([])
    expect((await ownDeals())[0]).toMatchObject({ status: 'paused' })
    expect((await act(deal_id, 'resume')).body.status).toBe('active')
    expect((await get(app, '/api/deals')).body).toHaveLength(1)
  })
  it('a draft cannot be paused, and a deal that is over cannot be resumed', async () => {
    const draft = (await create({ deal_name: 'Draft', draft: true })).body.deal_id
    expect(await act(draft, 'pause')).toMatchObject({ status: 409, body: { code: 'deal_not_published' } })
    const over = (await create({ deal_name: 'Over', draft: true, ends_at: '2026-06-19T12:00Z' })).body.deal_id
    expect(await act(over, 'resume')).toMatchObject({ status: 409, body: { code: 'deal_is_over' } })
  })
  it('an archived deal comes back as a draft or paused, not published', async () => {
    const restore = (id: string, as: string, by = cafe) =>
      post(app, `/api/deals/${id}/restore`, { as }, { token: by.authToken })
    const draft = (await create({ deal_name: 'Draft', draft: true })).body.deal_id
    const over = (await create({ deal_name: 'Over', ends_at: '2026-06-19T12:00Z' })).body.deal_id
    const live = (await create({ deal_name: 'Live' })).body.deal_id
    for (const id of [draft, over]) expect((await remove(id)).status).toBe(204)
    await app.runJobs()
    heard.length = 0
    expect((await restore(draft, 'draft', bar)).status).toBe(404)
    expect(await restore(draft, 'draft')).toMatchObject({ status: 200, body: { status: 'draft' } })
    expect(await restore(over, 'paused')).toMatchObject({ status: 200, body: { status: 'expired' } })
    expect(await restore(live, 'draft')).toMatchObject({ status: 200, body: { status: 'active' } })
    expect((await restore(draft, 'published')).status).toBe(400)
    expect(heard).toEqual([])
  })
  it('a new deal beyond the places of the tier is a draft, and the notice names the next tier', async () => {
    for (let n = 0; n < 10; n++) expect((await create({ deal_name: `Deal ${n}` })).body.status).toBe('active')
    // a deal that can never be used again still takes its place
    await sql`update deals set over_at = '2026-06-01' where deal_name = 'Deal 9'`.execute(app.db)
    expect((await ownDeals())[0]).toMatchObject({ status: 'expired', uses_place: true })
    const { status, body } = await create({ deal_name: 'One more' })
    expect(status).toBe(201)
    expect(body).toMatchObject({ status: 'draft', notice: expect.stringMatching(/10 active deals.*PREMIUM/) })
    expect(await act(body.deal_id, 'resume')).toMatchObject({ status: 409, body: { code: 'deal_limit_reached' } })
    const over = (await create({ deal_name: 'Over', ends_at: '2026-06-19T12:00Z' })).body
    expect(over.status).toBe('expired')
    expect(over.uses_place).toBe(false)
    expect((await ownDeals()).filter(({ uses_place }) => uses_place)).toHaveLength(10)
    expect((await put(over.deal_id, { ends_at: null })).body).toMatchObject({
      status: 'paused',
      notice: expect.stringMatching(/paused/),
    })
  })
  it('a deal that is sent again with its key is the same deal, with the same notice', async () => {
    const key = 'k'.repeat(32)
    const sent = (body: object, by = cafe) => create(body, by, { 'idempotency-key': key })
    const [one, two] = await Promise.all([sent({ deal_name: 'Spritz' }), sent({ deal_name: 'Spritz' })])
    expect([one.status, two.status]).toEqual([201, 201])
    expect(two.body.deal_id).toBe(one.body.deal_id)
    for (let n = 1; n < 10; n++) await create({ deal_name: `Deal ${n}` })
    const more = () => create({ deal_name: 'One more' }, cafe, { 'idempotency-key': 'm'.repeat(32) })
    const full = [await more(), await more()]
    for (const { body } of full) expect(body).toMatchObject({ status: 'draft', notice_code: 'draftByLimit' })
    expect(await ownDeals()).toHaveLength(11)
    const other = await sent({ deal_name: 'Spritz' }, bar)
    expect(other.body.deal_id).not.toBe(one.body.deal_id)
  })
  it('a deal that is corrected and sent again with its key after a lost answer is the same deal, until it is edited', async () => {
    const sent = (body: object) => create(body, cafe, { 'idempotency-key': 'k'.repeat(32) })
    const { deal_id } = (await sent({ deal_name: 'Sprizt', description: 'Cold.' })).body
    const again = await sent({ deal_name: 'Spritz' })
    expect([again.status, again.body]).toEqual([
      201,
      expect.objectContaining({ deal_id, deal_name: 'Spritz', description: null }),
    ])
    expect((await sent({ deal_name: 'Spritz', draft: true })).body).toMatchObject({ deal_id, status: 'draft' })
    expect((await sent({ deal_name: 'Spritz' })).body).toMatchObject({ deal_id, status: 'active' })
    await put(deal_id, { deal_name: 'Spritz at noon' })
    expect((await sent({ deal_name: 'Spritz' })).body).toMatchObject({ deal_id, deal_name: 'Spritz at noon' })
    expect(await ownDeals()).toHaveLength(1)
  })
  it('a copy of a deal that is sent again with its key is made once', async () => {
    const { deal_id } = (await create({ deal_name: 'A' })).body
    const copy = (key: string) =>
      post(app, `/api/deals/${deal_id}/duplicate`, undefined, {
        token: cafe.authToken,
        headers: { 'idempotency-key': key },
      })
    const [one, two, other] = [await copy('first'), await copy('first'), await copy('second')]
    expect(two.body.deal_id).toBe(one.body.deal_id)
    expect(other.body.deal_id).not.toBe(one.body.deal_id)
    expect(await ownDeals()).toHaveLength(3)
  })
  it('copies that are sent again with their key are made once', async () => {
    const { deal_id } = (await create({ deal_name: 'A', starts_at: '2026-06-20T18:00' })).body
    const copy = (key: string) =>
      post(
        app,
        '/api/deals/duplicate',
        { deal_ids: [deal_id], days: 7 },
        { token: cafe.authToken, headers: { 'idempotency-key': key } },
      )
    const ids = []
    for (const key of ['first', 'first', 'second']) ids.push((await copy(key)).body.deals[0].deal_id)
    expect(ids[1]).toBe(ids[0])
    expect(ids[2]).not.toBe(ids[0])
    expect(await ownDeals()).toHaveLength(3)
  })
  it('twelve deals created at once never exceed the places of the tier', async () => {
    const made = await Promise.all(Array.from({ length: 12 }, (_, n) => create({ deal_name: `Deal ${n}` })))
    expect(made.map(({ body }) => body.status).filter((status) => status === 'active')).toHaveLength(10)
  })
  it('a new deal that waits for a change of tier has the places of the new tier', async () => {
    const tier = (db: Sql, subscription_tier: string) =>
      db.updateTable('businesses').set({ subscription_tier }).where('business_id', '=', cafe.businessId).execute()
    for (let n = 0; n < 10; n++) await create({ deal_name: `Deal ${n}` })
    let made: ReturnType<typeof create> | undefined
    await besideTheApp(app, async (trx) => {
      await lockMerchant(trx, cafe.businessId)
      made = create({ deal_name: 'One more' })
      await waitingForLocks(app, 1)
      await tier(trx, 'PREMIUM')
    })
    expect((await made)?.body.status).toBe('active')
    await tier(app.db, 'FREE')
  })
  it('a merchant has at most a thousand unarchived deals', async () => {
    await sql`
      insert into deals (deal_id, business_id, deal_name, state, created_at, updated_at)
      select gen_random_uuid(), ${cafe.businessId}::uuid, 'Draft', 'draft', now(), now()
      from generate_series(1, 999)`.execute(app.db)
    expect((await create({ deal_name: 'The last' })).status).toBe(201)
    expect(await create({ deal_name: 'Too many' })).toMatchObject({ status: 409, body: { code: 'too_many_deals' } })
  })
  it('when the tier gets smaller, the newest deals beyond its places are paused, and none is lost', async () => {
    const tier = (subscription_tier: string) =>
      app.db.updateTable('businesses').set({ subscription_tier }).where('business_id', '=', cafe.businessId).execute()
    await tier('PREMIUM')
    for (let n = 1; n <= 12; n++) {
      app.setNow(new Date(Date.parse('2026-06-20T17:30:00Z') + n * 60_000).toISOString())
      expect((await create({ deal_name: `Deal ${n}` })).body.status).toBe('active')
    }
    const pausedByPlan = async () =>
      (await ownDeals()).filter(({ paused_by_plan }) => paused_by_plan).map(({ deal_name }) => deal_name)
    await tier('FREE')
    await house.publishFact(app.db, businessFacts.tierChanged, { business_id: cafe.businessId })
    await app.runJobs()
    const paused = (await ownDeals()).filter(({ status }) => status === 'paused').map(({ deal_name }) => deal_name)
    expect(paused).toEqual(['Deal 12', 'Deal 11'])
    expect(await ownDeals()).toHaveLength(12)
    expect(await pausedByPlan()).toEqual(['Deal 12', 'Deal 11'])
    // queued in the transaction that paused them, so that a killed instance sends no mail twice
    expect(mailsAsPaused).toMatchObject([{ data: { what: 'paused', business: cafe.businessId, n: '2' } }])
    await mailTo(app, cafe.email, /2 deals are paused/)
    expect((await mailsTo(app, cafe.email)).at(-1)?.text).toContain('Deal 12 · Deal 11')
    // the same fact again pauses nothing and sends nothing
    await house.publishFact(app.db, businessFacts.tierChanged, { business_id: cafe.businessId })
    await app.runJobs()
    await tier('PREMIUM')
    const [last, other] = (await ownDeals()).map(({ deal_id }) => String(deal_id))
    expect((await act(last!, 'resume')).status).toBe(200)
    expect(await pausedByPlan()).toEqual(['Deal 11'])
    // a deal that its merchant pauses is not paused by the plan
    for (const id of [last!, other!]) for (const what of ['resume', 'pause']) await act(id, what)
    expect(await pausedByPlan()).toEqual([])
    expect((await mailsTo(app, cafe.email)).filter(({ subject }) => /paused/.test(subject))).toHaveLength(1)
    await tier('FREE')
    app.setNow('2026-06-20T17:30:00Z')
  })
  it('a copy is a separate draft', async () => {
    const { deal_id } = (await create({ deal_name: 'Spritz', price: '9', tags: ['cold'] })).body
    const { status, body } = await act(deal_id, 'duplicate')
    expect(status).toBe(201)
    expect(body).toMatchObject({ deal_name: 'Spritz', price: '9', tags: ['cold'], status: 'draft' })
    expect(body.deal_id).not.toBe(deal_id)
  })
  it('several deals are copied to a later week at once, at the same time of day', async () => {
    const ids = []
    for (const [deal_name, day] of [
      ['A', '2026-06-12'],
      ['B', '2026-06-13'],
    ] as const)
      ids.push((await create({ deal_name, starts_at: `${day}T18:00`, ends_at: `${day}T23:00` })).body.deal_id)
    const undated = (await create({ deal_name: 'C' })).body.deal_id
    const endless = (await create({ deal_name: 'D', starts_at: '2026-06-13T18:00' })).body.deal_id
    const begun = (await create({ deal_name: 'E', ends_at: '2026-06-21T18:00' })).body.deal_id
    const { status, body } = await post(
      app,
      '/api/deals/duplicate',
      { deal_ids: [...ids, undated, endless, begun], days: 140 },
      { token: cafe.authToken },
    )
    expect(status).toBe(201)
    const byName = Object.fromEntries(body.deals.map((deal: { deal_name: string }) => [deal.deal_name, deal]))
    expect(byName.A).toMatchObject({ status: 'scheduled' })
    // in winter time
    expect(Date.parse(byName.A.starts_at)).toBe(Date.parse('2026-10-30T17:00:00Z'))
    expect(Date.parse(byName.B.ends_at)).toBe(Date.parse('2026-10-31T22:00:00Z'))
    // these would be shown beside their originals
    for (const name of ['C', 'D', 'E']) expect(byName[name]).toMatchObject({ status: 'draft' })
    expect(await ownDeals()).toHaveLength(10)
  })
})

describe('a merchant’s own list', () => {
  it('has all live deals, even with many newer drafts', async () => {
    const live = (await create({ deal_name: 'Live' })).body
    await sql`
      insert into deals (deal_id, business_id, deal_name, state, created_at, updated_at)
      select gen_random_uuid(), ${cafe.businessId}::uuid, 'Draft', 'draft', '2026-06-21', '2026-06-21'
      from generate_series(1, 201)`.execute(app.db)
    const deals = await ownDeals()
    expect(deals).toHaveLength(200)
    expect(deals.at(-1)).toMatchObject({ deal_id: live.deal_id, status: 'active' })
  })
  it('has the views of each deal and the trend of the last seven days', async () => {
    const { deal_id } = (await create({ deal_name: 'Spritz' })).body
    await get(app, `/api/deals/${deal_id}/view`, undefined, { method: 'PUT' })
    await get(app, `/api/deals/${deal_id}/view`, cafe.authToken, { method: 'PUT' })
    expect((await ownDeals())[0]).toMatchObject({ figures: { views: 1, trend: [0, 0, 0, 0, 0, 0, 1], redemptions: 0 } })
    expect((await get(app, `/api/deals/business/${cafe.businessId}`, bar.authToken)).body[0]).not.toHaveProperty(
      'figures',
    )
  })
})
