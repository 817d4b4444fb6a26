import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { addBusiness, addDeal, addEvent, fillTown } from '../../../test/cast.ts'
import { aMerchant, aVisitor, get, logIn, post, type Person } from '../../../test/people.ts'
import { rooms } from '../../app/rooms.ts'
import type { House, Room } from '../../kit/server/room.ts'
import { redemptions } from '../../redemptions/room.ts'
import { tellFreed } from '../../redemptions/server/redemptions.ts'
import { favorites } from '../room.ts'
import { forgetRemovals } from './favorites.ts'
import { favoritePersonalData } from './personal-data.ts'
import { api, appForTest, saturdayEvening, startTestApp, type TestApp } from '../../../test/start-app.ts'

let app: TestApp
let deal: string
let cafe: string
let people = 0
beforeAll(async () => {
  app = await startTestApp()
  cafe = await addBusiness(app.db, 'Café Rhein', { open_hours: 'Mo-Su 08:00-23:00' })
  deal = await addDeal(app.db, cafe, 'Coffee and cake')
})
afterAll(() => app.close())

const somebody = () => aVisitor(app, `saver${people++}@example.org`)
const put = (at: TestApp, { authToken }: Person, key: string) =>
  get(at, `/api/favorites/${key}`, authToken, { method: 'PUT' })
const remove = ({ authToken }: Person, key: string) =>
  get(app, `/api/favorites/${key}`, authToken, { method: 'DELETE' })
const list = async ({ authToken }: Person, query = '') => (await get(app, `/api/favorites${query}`, authToken)).body
const keys = async ({ authToken }: Person) => (await get(app, '/api/favorites/keys', authToken)).body.keys as string[]
const unknown = '0190a000-0000-7000-8000-000000000000'

describe('a visitor', () => {
  it('saves deals, merchants and performers, newest first, each once, and removes them', async () => {
    const lena = await somebody()
    const performer = unknown.replace('7000', '7001')
    await app.db
      .insertInto('performers')
      .values({ performer_id: performer, performer_name: 'Glasshouse' })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const event_id = await addEvent(app.db, 'Glasshouse live', '2026-06-20T19:00:00Z')
    await app.db.insertInto('event_performers').values({ event_id, performer_id: performer, position: 0 }).execute()
    for (const key of [`deal/${deal}`, `business/${cafe}`, `performer/${performer}`, `deal/${deal}`])
      expect((await put(app, lena, key)).status, key).toBe(204)
    const saved = (await list(lena)) as { kind: string }[]
    expect(saved.toSorted((a, b) => a.kind.localeCompare(b.kind))).toMatchObject([
      { kind: 'business', name: 'Café Rhein', state: 'live', live_deals: 1 },
      { kind: 'deal', name: 'Coffee and cake', by: 'Café Rhein', state: 'live' },
      { kind: 'performer', name: 'Glasshouse', state: 'starts', event_id },
    ])
    expect(await list(lena, '?kind=business')).toMatchObject([{ id: cafe }])
    expect((await keys(lena)).toSorted()).toEqual([`business:${cafe}`, `deal:${deal}`, `performer:${performer}`])
    for (let n = 0; n < 2; n++) expect((await remove(lena, `deal/${deal}`)).status).toBe(204)
    expect(await list(lena, '?kind=deal')).toEqual([])
  })

  it('keeps what was saved again after an offline removal that is sent later', async () => {
    const own = await startTestApp()
    onTestFinished(() => own.close())
    const shop = await addBusiness(own.db, 'Café Rhein')
    const key = `deal/${await addDeal(own.db, shop, 'Coffee and cake')}`
    const lena = await aVisitor(own)
    await put(own, lena, key)
    own.setNow(Temporal.Instant.from(saturdayEvening).add({ minutes: 10 }).toString())
    const late = (seconds: number) =>
      get(own, `/api/favorites/${key}?seconds_ago=${seconds}`, lena.authToken, { method: 'DELETE' })
    // removed before it was saved again
    expect((await late(11 * 60)).status).toBe(204)
    expect((await get(own, '/api/favorites/keys', lena.authToken)).body.keys).toHaveLength(1)
    expect((await late(9 * 60)).status).toBe(204)
    expect((await get(own, '/api/favorites/keys', lena.authToken)).body.keys).toEqual([])
    for (const wrong of ['-1', 'soon', '1e99'])
      expect(
        (await get(own, `/api/favorites/${key}?seconds_ago=${wrong}`, lena.authToken, { method: 'DELETE' })).status,
      ).toBe(400)
  })

  it('does not get back what was saved offline, removed after that, and sent late', async () => {
    const own = await appForTest()
    const key = `deal/${await addDeal(own.db, await addBusiness(own.db, 'Café Rhein'), 'Coffee and cake')}`
    const { authToken } = await aVisitor(own)
    const ask = (method: string, seconds?: number | string) =>
      get(own, `/api/favorites/${key}${seconds === undefined ? '' : `?seconds_ago=${seconds}`}`, authToken, { method })
    const saved = async () => (await get(own, '/api/favorites/keys', authToken)).body.keys.length as number
    const at = (minutes: number) => own.setNow(Temporal.Instant.from(saturdayEvening).add({ minutes }).toString())
    expect((await ask('PUT')).status).toBe(204)
    at(4)
    expect((await ask('DELETE')).status).toBe(204)
    at(10)
    // added 8 minutes ago, which is before it was removed
    expect(await ask('PUT', 8 * 60)).toMatchObject({ status: 409, body: { code: 'favorite_removed_later' } })
    expect(await saved()).toBe(0)
    // added later; in between, another late phone removes it
    expect((await ask('PUT', 4 * 60)).status).toBe(204)
    expect((await ask('DELETE', 5 * 60)).status).toBe(204)
    expect(await saved()).toBe(1)
    expect((await ask('DELETE', 2 * 60)).status).toBe(204)
    expect((await ask('PUT', 3 * 60)).status).toBe(409)
    expect((await ask('PUT', 60)).status).toBe(204)
    // it is saved already, so an old addition is no error
    expect((await ask('PUT', 9 * 60)).status).toBe(204)
    // saved once more: a removal tapped before that comes too late
    expect((await ask('PUT', 10)).status).toBe(204)
    expect((await ask('DELETE', 20)).status).toBe(204)
    expect(await saved()).toBe(1)
    // removed twice: the second removal stands in the way of what was added before it
    expect((await ask('DELETE')).status).toBe(204)
    at(12)
    expect((await ask('DELETE')).status).toBe(204)
    expect((await ask('PUT', 60)).status).toBe(409)
    for (const wrong of ['-1', 'soon', '1e99']) expect((await ask('PUT', wrong)).status).toBe(400)
    await forgetRemovals({ db: own.db, clock: { now: () => Temporal.Instant.from('2026-07-25T17:30:00Z') } })
    expect(await own.db.selectFrom('favorite_removals').selectAll().execute()).toEqual([])
  })

  it('cannot save what does not exist, a draft, or an unknown kind', async () => {
    const lena = await somebody()
    const draft = await addDeal(app.db, cafe, 'Not yet', { state: 'draft' })
    for (const key of [`deal/${unknown}`, `deal/${draft}`, `event/${deal}`, 'deal/x', `business/${deal}`])
      expect(await put(app, lena, key), key).toMatchObject({ status: 404, body: { code: 'favorite_not_found' } })
    expect(await keys(lena)).toEqual([])
  })

  it('has 500 at most', async () => {
    const lena = await somebody()
    const { account_id } = await app.db
      .selectFrom('accounts')
      .select('account_id')
      .where('email', '=', lena.email)
      .executeTakeFirstOrThrow()
    const rows = Array.from({ length: 500 }, (_, n) => ({
      account_id,
      kind: 'performer',
      subject_id: `0190a000-0000-7000-9000-${String(n).padStart(12, '0')}`,
      saved_at: new Date('2026-06-20T12:00:00Z'),
    }))
    await app.db.insertInto('favorites').values(rows).execute()
    expect(await put(app, lena, `deal/${deal}`)).toMatchObject({ status: 409, body: { code: 'favorites_full' } })
    const merged = await post(app, '/api/favorites/merge', { keys: [`deal:${deal}`] }, { token: lena.authToken })
    expect(merged.body.keys).toHaveLength(500)
  })

  it('never sees what another has saved', async () => {
    const [lena, tom] = [await somebody(), await somebody()]
    await put(app, lena, `deal/${deal}`)
    expect(await list(tom)).toEqual([])
    await remove(tom, `deal/${deal}`)
    expect(await keys(lena)).toEqual([`deal:${deal}`])
  })
})

describe('a saved deal', () => {
  it('is live only while it can be used or its hours are unknown, and answers when it can be used', async () => {
    const own = await appForTest()
    const bar = await addBusiness(own.db, 'Bar Nord', { open_hours: 'Mo-Su 18:00-03:00' })
    const soon = { starts_at: new Date('2026-06-20T19:00:00Z') }
    const ids = [
      await addDeal(own.db, bar, 'Now', { start_time: '19:00', end_time: '20:00' }),
      await addDeal(own.db, bar, 'Later', { start_time: '00:00', end_time: '02:30' }),
      await addDeal(own.db, bar, 'Not begun', soon),
      await addDeal(own.db, bar, 'Over', { ends_at: new Date('2026-06-20T17:00:00Z') }),
      await addDeal(own.db, await addBusiness(own.db, 'Bar Still'), 'Unknown'),
      await addDeal(own.db, await addBusiness(own.db, 'Bar Bald'), 'Not begun, unknown', soon),
    ]
    await fillTown(own, saturdayEvening)
    const { body } = await api(own, `/api/favorites/preview?keys=${ids.map((id) => `deal:${id}`).join(',')}`)
    expect(body).toMatchObject([
      { state: 'live', times: { usable_now: true, usable_until: '2026-06-20T18:00:00.000Z', end_time: '20:00' } },
      {
        state: 'starts',
        starts_at: '2026-06-20T22:00:00.000Z',
        times: { usable_now: false, usable_from: '2026-06-20T22:00:00.000Z', usable_until: '2026-06-21T00:30:00.000Z' },
      },
      { state: 'starts', starts_at: '2026-06-20T19:00:00.000Z', times: { usable_now: false } },
      { state: 'ended', times: null },
      { state: 'live', times: { usable_now: null } },
      { state: 'starts', starts_at: '2026-06-20T19:00:00.000Z', times: null },
    ])
  })
})

describe('a guest', () => {
  it('sees favourites of this device as they are now, without deleted ones', async () => {
    const closed = await addBusiness(app.db, 'Bar Still')
    const keys = [`deal:${deal}`, `business:${cafe}`, `deal:${unknown}`, 'deal:x', 'nothing', `deal:${deal}`]
    const asked = [...keys, `business:${closed}`].join(',')
    expect((await api(app, `/api/favorites/preview?keys=${asked}`)).body).toMatchObject([
      { kind: 'deal', id: deal, saved_at: null },
      { kind: 'business', id: cafe, state: 'live' },
      { kind: 'business', id: closed, state: 'ended' },
    ])
    expect((await api(app, '/api/favorites/preview')).body).toEqual([])
  })

  it('keeps favourites at login, added to those of the account, without deleted ones', async () => {
    const lena = await somebody()
    await put(app, lena, `deal/${deal}`)
    const merged = await post(
      app,
      '/api/favorites/merge',
      { keys: [`business:${cafe}`, `deal:${deal}`, `deal:${unknown}`, 'x'] },
      { token: lena.authToken },
    )
    expect(merged.status).toBe(200)
    expect((merged.body.keys as string[]).toSorted()).toEqual([`business:${cafe}`, `deal:${deal}`])
  })
})

it('those who saved a merchant are notified once of each new deal, and the notification goes with the merchant', async () => {
  let house!: House
  const door: Room<object> = { name: 'door', looksInto: [], open: (given) => ((house = given), {}) }
  const own = await appForTest({ rooms: [...rooms, door] })
  const merchant = await aMerchant(own)
  const [lena, tom] = [await aVisitor(own, 'lena@example.org'), await aVisitor(own, 'tom@example.org')]
  expect((await put(own, lena, `business/${merchant.businessId}`)).status).toBe(204)
  for (const deal_name of ['Coffee and cake', 'Soup'])
    expect((await post(own, '/api/deals', { deal_name }, { token: merchant.authToken })).status).toBe(201)
  await own.runJobs()
  const notices = await get(own, '/api/notifications', lena.authToken)
  expect(notices.body).toMatchObject([
    { type: 'deal_published', count: 2, text: expect.stringContaining('2 new deals') },
  ])
  expect((await get(own, '/api/notifications', tom.authToken)).body).toEqual([])

  const { account_id: accountId } = await own.db
    .selectFrom('accounts')
    .select('account_id')
    .where('business_id', '=', merchant.businessId)
    .executeTakeFirstOrThrow()
  const { businessId, email: givenEmail } = merchant
  await own.db.transaction().execute((trx) =>
    favoritePersonalData(house.of(favorites)).forget(trx, {
      accountId,
      businessId,
      givenEmail,
      verifiedEmail: null,
    }),
  )
  expect((await get(own, '/api/notifications', lena.authToken)).body).toEqual([])
})

describe('somebody who saved a sold-out deal', () => {
  /** A sold-out deal, and Tom, who saved it. */
  async function aFullDeal({ total_limit = 1, ...more }: Record<string, unknown> & { total_limit?: number } = {}) {
    const house: House[] = []
    const door: Room<object> = { name: 'door', looksInto: [], open: (given) => (house.push(given), {}) }
    const own = await appForTest({ rooms: [...rooms, door] })
    const deal = await addDeal(own.db, await addBusiness(own.db, 'Café Rhein'), 'Coffee', {
      redemption_mode: 'code',
      total_limit,
      ...more,
    })
    const claim = async (name: string) => {
      const { authToken } = await aVisitor(own, `${name}@example.org`)
      const { status, body } = await post(own, `/api/deals/${deal}/claim`, {}, { token: authToken })
      return { status, code: body.code as string, claim_id: body.claim_id as string, authToken }
    }
    const holders = []
    for (let n = 0; n < total_limit; n++) holders.push(await claim(`holder${n}`))
    expect(holders.map(({ status }) => status)).toEqual(holders.map(() => 201))
    const tom = await aVisitor(own, 'tom@example.org')
    expect((await put(own, tom, `deal/${deal}`)).status).toBe(204)
    return {
      own,
      deal,
      holders,
      claim,
      giveBack: ({ claim_id, authToken }: { claim_id: string; authToken: string }) =>
        get(own, `/api/me/claims/${claim_id}`, authToken, { method: 'DELETE' }),
      at: (instant: string) => own.setNow(instant),
      anotherInstance: async () => {
        const other = await appForTest({ rooms: [...rooms, door], env: { DATABASE_URL: own.databaseUrl } })
        return { at: (instant: string) => other.setNow(instant) }
      },
      /** Runs the job of every minute, as on several instances at once. */
      minute: async () => {
        await Promise.all(house.map((each) => tellFreed(each.of(redemptions))))
        await own.runJobs()
      },
      /** Tom's notifications, read ones included. */
      notices: async () => {
        const { authToken } = await logIn(own, '/api/auth/login', 'tom@example.org')
        const { body } = await get(own, '/api/notifications', authToken)
        return (body as { text: string; count: number }[]).map(({ text, count }) => `${count} × ${text}`)
      },
    }
  }
  const once = ['1 × Café Rhein: “Coffee” is available again']

  it('is notified once that a code was given back, and nobody else is', async () => {
    const { own, deal, holders, giveBack, minute, notices } = await aFullDeal()
    const noah = await aVisitor(own, 'noah@example.org')
    for (let n = 0; n < 2; n++) expect((await giveBack(holders[0]!)).status).toBe(204)
    for (let n = 0; n < 2; n++) await minute()
    expect(await notices()).toEqual(once)
    expect(
      (await get(own, '/api/notifications', (await logIn(own, '/api/auth/login', 'tom@example.org')).authToken)).body,
    ).toMatchObject([{ type: 'deal_freed', path: `/deal/${deal}` }])
    for (const { authToken } of [holders[0]!, noah])
      expect((await get(own, '/api/notifications', authToken)).body).toEqual([])
  })

  it('is notified once of unused codes that expire, however many at once and on however many instances', async () => {
    const { minute, notices, claim, anotherInstance, ...own } = await aFullDeal({ total_limit: 2 })
    const other = await anotherInstance()
    const at = (instant: string) => {
      own.at(instant)
      other.at(instant)
    }
    at('2026-06-21T17:29:59Z')
    await minute()
    expect(await notices()).toEqual([])
    at('2026-06-21T17:30:00Z')
    for (let n = 0; n < 2; n++) await minute()
    expect(await notices()).toEqual(once)
    // taken again and free a day later: a new notice, which joins the unread one
    for (const name of ['anna', 'ben']) expect((await claim(name)).status).toBe(201)
    await minute()
    expect(await notices()).toEqual(once)
    at('2026-06-22T17:30:00Z')
    await minute()
    expect(await notices()).toEqual(['2 × Café Rhein: “Coffee” is available again'])
  })

  it('is notified once in half an hour while one person claims and gives back again and again, and then of the last state', async () => {
    const { at, holders, claim, giveBack, minute, notices } = await aFullDeal()
    let holder = holders[0]!
    for (let round = 0; round < 3; round++) {
      expect((await giveBack(holder)).status).toBe(204)
      await minute()
      holder = { ...(await claim(`again${round}`)), status: 201 }
    }
    expect(await notices()).toEqual(once)
    expect((await giveBack(holder)).status).toBe(204)
    at('2026-06-20T17:59:59Z')
    await minute()
    expect(await notices()).toEqual(once)
    at('2026-06-20T18:00:00Z')
    for (let n = 0; n < 2; n++) await minute()
    expect(await notices()).toEqual(['2 × Café Rhein: “Coffee” is available again'])
  })

  it('is not notified where somebody else was quicker', async () => {
    const { at, claim, minute, notices } = await aFullDeal()
    at('2026-06-21T17:30:00Z')
    expect((await claim('anna')).status).toBe(201)
    expect((await claim('ben')).code).toBe('sold_out')
    await minute()
    expect(await notices()).toEqual([])
  })

  it('is notified once of a code given back and one expired in the same minute', async () => {
    const { own, at, claim, giveBack, minute, notices, deal } = await aFullDeal()
    await own.db.updateTable('deals').set({ total_limit: 2 }).where('deal_id', '=', deal).execute()
    at('2026-06-20T18:00:00Z')
    const second = await claim('anna')
    at('2026-06-21T17:30:30Z')
    const { authToken } = await logIn(own, '/api/auth/login', 'anna@example.org')
    expect((await giveBack({ ...second, authToken })).status).toBe(204)
    await minute()
    expect(await notices()).toEqual(once)
  })

  it('is notified when the deal runs again or its limit is raised, and not while it is paused or once it is over', async () => {
    const { own, deal, at, minute, notices } = await aFullDeal()
    const set = (values: object) =>
      own.db
        .updateTable('deals')
        .set(values as never)
        .where('deal_id', '=', deal)
        .execute()
    await set({ state: 'paused' })
    at('2026-06-21T17:30:00Z')
    await minute()
    expect(await notices()).toEqual([])
    await set({ state: 'published' })
    await minute()
    expect(await notices()).toEqual(once)

    const raised = await aFullDeal()
    await raised.own.db.updateTable('deals').set({ total_limit: 2 }).where('deal_id', '=', raised.deal).execute()
    await raised.minute()
    expect(await raised.notices()).toEqual(once)

    const over = await aFullDeal({ ends_at: new Date('2026-06-20T19:00:00Z') })
    over.at('2026-06-20T19:00:00Z')
    await over.minute()
    expect(await over.notices()).toEqual([])
    expect(await over.own.db.selectFrom('full_deals').selectAll().execute()).toEqual([])
  })
})
