import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addBusiness, addDeal, eastOfBridge, fillTown } from '../../../test/cast.ts'
import { api, saturdayEvening, startTestApp, type TestApp } from '../../../test/start-app.ts'
import type { Deal, FoundDeal } from '../contract.ts'

/** It is Saturday, 20 June, 19:30. */
let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  await sql`truncate businesses cascade`.execute(app.db)
  app.setNow(saturdayEvening)
})

const here = 'lat=47.5601&lon=7.5897&radius=5'
const names = (deals: Pick<Deal, 'deal_name'>[]) => deals.map(({ deal_name }) => deal_name)
const listed = async () => names((await api(app, '/api/deals')).body).toSorted()
const get = async (id: string) => (await api(app, `/api/deals/${id}`)).body as Deal
/** Days of a deal as bits, Monday is the lowest. */
const [monday, saturday, sunday] = [1, 1 << 5, 1 << 6]

describe('a deal that can never be used again before it ends', () => {
  it('counts as expired: its hours and those of its merchant do not overlap again', async () => {
    const bakery = await addBusiness(app.db, 'Bäckerei', { open_hours: 'Mo-Su 06:00-12:00' })
    const ends_at = new Date('2026-06-22T21:59:00Z')
    const evening = await addDeal(app.db, bakery, 'Evening bread', { start_time: '17:00', end_time: '20:00', ends_at })
    const morning = await addDeal(app.db, bakery, 'Morning bread', { start_time: '07:00', end_time: '09:00', ends_at })
    const tonight = await addDeal(app.db, bakery, 'Only tonight', { ends_at: new Date('2026-06-20T21:59:00Z') })
    await fillTown(app, saturdayEvening)
    expect(await listed()).toEqual(['Morning bread'])
    expect(names((await api(app, `/api/deals/search?${here}`)).body)).toEqual(['Morning bread'])
    expect((await api(app, `/api/deals/search?${here}&view=map`)).body).toHaveLength(1)
    expect((await api(app, `/api/deals/business/${bakery}`)).body).toHaveLength(1)
    expect((await api(app, '/api/business')).body[0].live_deals).toBe(1)
    expect(await get(evening)).toMatchObject({ status: 'expired', over_because: 'hours', usable_now: null })
    expect(await get(tonight)).toMatchObject({ status: 'expired', over_because: 'hours' })
    expect(await get(morning)).toMatchObject({ status: 'active', over_because: null })
  })

  it('counts as expired without an end too, if both have weekly hours that never overlap', async () => {
    const shop = await addBusiness(app.db, 'Laden', { open_hours: 'Mo-Sa 09:00-18:00' })
    const never = await addDeal(app.db, shop, 'On Sundays', { active_days: sunday })
    await addDeal(app.db, shop, 'On Mondays', { active_days: monday })
    await fillTown(app, saturdayEvening)
    expect(await listed()).toEqual(['On Mondays'])
    expect(await get(never)).toMatchObject({ status: 'expired', over_because: 'hours' })
  })

  it('is listed again as soon as its merchant’s hours allow it', async () => {
    const shop = await addBusiness(app.db, 'Laden', { open_hours: 'Mo-Sa 09:00-18:00' })
    await addDeal(app.db, shop, 'On Sundays', { active_days: sunday })
    await fillTown(app, saturdayEvening)
    expect(await listed()).toEqual([])
    await sql`update businesses set open_hours = 'Mo-Su 09:00-18:00' where business_id = ${shop}`.execute(app.db)
    await fillTown(app, saturdayEvening)
    expect(await listed()).toEqual(['On Sundays'])
  })

  it('takes no paid place', async () => {
    const bar = await addBusiness(app.db, 'Bar Nord', {
      open_hours: 'Mo-Su 06:00-12:00',
      featured_until: new Date('2026-07-01T00:00:00Z'),
    })
    await addDeal(app.db, bar, 'Evening only', { start_time: '17:00', end_time: '20:00' })
    await fillTown(app, saturdayEvening)
    expect((await api(app, `/api/deals/search?${here}`)).body).toEqual([])
  })
})

describe('a deal that might still be used', () => {
  it.each([
    ['without hours', {}],
    ['with hours that nobody can read', { open_hours: 'when the sun shines' }],
  ])('stays listed: a merchant %s', async (_, hours) => {
    const stall = await addBusiness(app.db, 'Marktstand', hours)
    await addDeal(app.db, stall, 'Until tonight', { ends_at: new Date('2026-06-20T21:59:00Z') })
    await addDeal(app.db, stall, 'On Sundays', { active_days: sunday })
    await fillTown(app, saturdayEvening)
    expect(await listed()).toEqual(['On Sundays', 'Until tonight'])
  })

  it('is over if its own days and hours do not come again before it ends', async () => {
    const stall = await addBusiness(app.db, 'Marktstand', { featured_until: new Date('2026-07-01T00:00:00Z') })
    const sundays = { active_days: sunday, start_time: '09:00', end_time: '10:00' }
    const past = await addDeal(app.db, stall, 'Sundays, ends today', {
      ...sundays,
      ends_at: new Date('2026-06-20T20:00:00Z'),
    })
    const notYet = await addDeal(app.db, stall, 'Sundays, begins on Monday', {
      ...sundays,
      starts_at: new Date('2026-06-22T00:00:00Z'),
      ends_at: new Date('2026-06-27T00:00:00Z'),
    })
    await addDeal(app.db, stall, 'Sundays, ends on Monday', { ...sundays, ends_at: new Date('2026-06-22T20:00:00Z') })
    await addDeal(app.db, stall, 'Nights', {
      start_time: '22:00',
      end_time: '02:00',
      ends_at: new Date('2026-06-20T21:00:00Z'),
    })
    await fillTown(app, saturdayEvening)
    expect(await listed()).toEqual(['Nights', 'Sundays, ends on Monday'])
    for (const id of [past, notYet]) expect(await get(id)).toMatchObject({ status: 'expired', usable_now: null })
    app.setNow('2026-06-21T08:00:00Z')
    expect(await listed()).toEqual([])
  })

  it('stays listed if it ends after the known days, at a merchant on holiday', async () => {
    const shop = await addBusiness(app.db, 'Ferienladen', { open_hours: 'Mo-Su 09:00-18:00; Jun 15-Jul 10 off' })
    await addDeal(app.db, shop, 'After the holidays', { ends_at: new Date('2026-08-01T00:00:00Z') })
    const before = await addDeal(app.db, shop, 'Only this week', { ends_at: new Date('2026-06-25T00:00:00Z') })
    await fillTown(app, saturdayEvening)
    expect(await listed()).toEqual(['After the holidays'])
    expect((await get(before)).over_because).toBe('hours')
  })
})

describe('"ending soon"', () => {
  it('sorts by the last use, not by the printed end', async () => {
    const shop = await addBusiness(app.db, 'Laden', { open_hours: 'Mo-Su 09:00-22:00' })
    await addDeal(app.db, shop, 'No end')
    await addDeal(app.db, shop, 'Until Sunday', { ends_at: new Date('2026-06-21T18:00:00Z') })
    await addDeal(app.db, shop, 'Saturdays until Monday', {
      active_days: saturday,
      ends_at: new Date('2026-06-22T21:59:00Z'),
    })
    await fillTown(app, saturdayEvening)
    const order = ['Saturdays until Monday', 'Until Sunday']
    expect(names((await api(app, `/api/deals/search?${here}&sort=ending_soon`)).body)).toEqual([...order, 'No end'])
    const first = await api(app, '/api/deals?sort=ending_soon&limit=1')
    const after = /[?&](after=[^&>]+)/.exec(first.headers.get('link') ?? '')![1]
    expect(names([...first.body, ...(await api(app, `/api/deals?sort=ending_soon&limit=1&${after}`)).body])).toEqual(
      order,
    )
  })

  it('means the last three usable hours, not those before the printed end', async () => {
    const shop = await addBusiness(app.db, 'Laden', { open_hours: 'Mo-Sa 09:00-22:00; Su 10:00-12:00' })
    await addDeal(app.db, shop, 'Until Sunday night', { ends_at: new Date('2026-06-21T21:59:00Z') })
    await addDeal(app.db, shop, 'Until tonight', { ends_at: new Date('2026-06-20T21:59:00Z') })
    await fillTown(app, saturdayEvening)
    const [first] = (await api(app, `/api/deals/search?${here}&sort=ending_soon`)).body as FoundDeal[]
    expect(first).toMatchObject({ deal_name: 'Until tonight', rank_reason: 'ending_soon' })
    app.setNow('2026-06-20T20:30:00Z')
    expect(await listed()).toEqual(['Until Sunday night'])
  })
})

describe('when a deal can be used', () => {
  it('is part of the answer: now until when, or from when until when', async () => {
    const bar = await addBusiness(app.db, 'Bar Nord', { open_hours: 'Mo-Su 18:00-02:00' })
    const [now, later, tomorrow, always] = [
      await addDeal(app.db, bar, 'Now', { start_time: '19:00', end_time: '20:00' }),
      await addDeal(app.db, bar, 'Later', { start_time: '20:00', end_time: '03:00' }),
      await addDeal(app.db, bar, 'Tomorrow', { start_time: '19:00', end_time: '20:00', active_days: sunday }),
      await addDeal(app.db, bar, 'Always', { ends_at: new Date('2026-06-20T22:00:00Z') }),
    ]
    await fillTown(app, saturdayEvening)
    expect(await get(now)).toMatchObject({
      usable_now: true,
      usable_from: null,
      usable_until: '2026-06-20T18:00:00.000Z',
    })
    expect(await get(later)).toMatchObject({
      usable_now: false,
      usable_from: '2026-06-20T18:00:00.000Z',
      usable_until: '2026-06-21T00:00:00.000Z',
    })
    expect(await get(tomorrow)).toMatchObject({ usable_now: false, usable_from: '2026-06-21T17:00:00.000Z' })
    expect(await get(always)).toMatchObject({ usable_now: true, usable_until: '2026-06-20T22:00:00.000Z' })
  })

  it('begins with the start of a deal that has not begun', async () => {
    const bar = await addBusiness(app.db, 'Bar Nord', { open_hours: 'Mo-Su 18:00-02:00' })
    const id = await addDeal(app.db, bar, 'Soon', { starts_at: new Date('2026-06-20T19:00:00Z') })
    await fillTown(app, saturdayEvening)
    expect(await get(id)).toMatchObject({
      status: 'scheduled',
      usable_now: false,
      usable_from: '2026-06-20T19:00:00.000Z',
    })
  })

  it('is right in the night when clocks change', async () => {
    const bar = await addBusiness(app.db, 'Bar Nord', { open_hours: '24/7' })
    await addDeal(app.db, bar, 'Night', { start_time: '01:00', end_time: '04:00' })
    const night = '2026-10-24T20:00:00Z'
    await fillTown(app, night)
    const usable = async (at: string) => {
      app.setNow(at)
      return ((await api(app, '/api/deals')).body as Deal[])[0]!.usable_now
    }
    // 01:00 in summer, 04:00 in winter
    expect([await usable('2026-10-24T22:59:00Z'), await usable('2026-10-24T23:00:00Z')]).toEqual([false, true])
    expect([await usable('2026-10-25T02:59:00Z'), await usable('2026-10-25T03:00:00Z')]).toEqual([true, false])
  })
})

describe('the order "best"', () => {
  const town = async () => {
    const place = (name: string, open_hours: string | undefined, metres: number) =>
      addBusiness(app.db, name, { ...(open_hours ? { open_hours } : {}), ...eastOfBridge(metres) })
    await addDeal(app.db, await place('Café', 'Mo-Su 07:00-18:00', 10), 'Tomorrow, next door')
    await addDeal(app.db, await place('Kiosk', undefined, 20), 'Hours unknown')
    await addDeal(app.db, await place('Nachtbar', 'Mo-Su 23:00-04:00', 30), 'Later tonight')
    await addDeal(app.db, await place('Bar', 'Mo-Su 21:00-02:00', 900), 'In ninety minutes')
    await addDeal(app.db, await place('Beiz', 'Mo-Su 11:00-23:00', 2500), 'Now, far away')
    await addDeal(app.db, await place('Grill', 'Mo-Su 11:00-23:00', 1500), 'Now, nearer')
    await fillTown(app, saturdayEvening)
  }
  const order = [
    'Now, nearer',
    'Now, far away',
    'In ninety minutes',
    'Hours unknown',
    'Later tonight',
    'Tomorrow, next door',
  ]

  it('has deals usable now first, then those that begin within two hours, later today, and the rest', async () => {
    await town()
    const found = (await api(app, `/api/deals/search?${here}`)).body as FoundDeal[]
    expect(names(found)).toEqual(order)
    expect(found.map(({ rank_reason }) => rank_reason)).toEqual([
      'open_now',
      'open_now',
      'starts_soon',
      'hours_unknown',
      'later_today',
      'near',
    ])
  })

  it('uses a deal’s own days and hours if its merchant’s are unknown, but never calls it usable', async () => {
    const kiosk = await addBusiness(app.db, 'Kiosk', { featured_until: new Date('2026-07-01T00:00:00Z') })
    const bar = await addBusiness(app.db, 'Bar', { open_hours: 'Mo-Su 23:00-04:00' })
    const add = (name: string, start_time: string, end_time: string, more = {}) =>
      addDeal(app.db, kiosk, name, { start_time, end_time, ...more, ...eastOfBridge(-10) })
    const sundays = await add('Sundays', '10:00', '12:00', { active_days: sunday })
    const [past, inside, tonight] = [
      await add('Was until seven', '17:00', '19:00'),
      await add('From six on', '18:00', '22:00'),
      await add('From two in the morning', '02:00', '03:00'),
    ]
    await addDeal(app.db, bar, 'Later tonight')
    await fillTown(app, saturdayEvening)
    const { body } = await api(app, `/api/deals/search?${here}&hide_sponsored=true`)
    const found = (body as FoundDeal[]).map(({ deal_name, rank_reason }) => `${deal_name}: ${rank_reason}`)
    expect(found.slice(0, 3).toSorted()).toEqual([
      'From six on: hours_unknown',
      'From two in the morning: hours_unknown',
      'Later tonight: later_today',
    ])
    expect(found.slice(3).toSorted()).toEqual(['Sundays: near', 'Was until seven: near'])
    expect(await get(inside)).toMatchObject({
      usable_now: null,
      usable_from: null,
      usable_until: '2026-06-20T20:00:00.000Z',
      open_now: null,
    })
    const times = async (id: string) => {
      const { usable_now, usable_from, usable_until } = await get(id)
      return [usable_now, usable_from, usable_until]
    }
    expect(await times(past)).toEqual([false, '2026-06-21T15:00:00.000Z', '2026-06-21T17:00:00.000Z'])
    expect(await times(tonight)).toEqual([false, '2026-06-21T00:00:00.000Z', '2026-06-21T01:00:00.000Z'])
    expect(await times(sundays)).toEqual([false, '2026-06-21T08:00:00.000Z', '2026-06-21T10:00:00.000Z'])
    // a cached answer follows the clock
    app.setNow('2026-06-20T20:00:00Z')
    expect(names((await api(app, `/api/deals/search?${here}&hide_sponsored=true`)).body)).toHaveLength(5)
    expect(await times(inside)).toEqual([false, '2026-06-21T16:00:00.000Z', '2026-06-21T20:00:00.000Z'])
  })

  it('gives no paid place to a deal whose own hours begin in more than two hours', async () => {
    const kiosk = await addBusiness(app.db, 'Kiosk', { featured_until: new Date('2026-07-01T00:00:00Z') })
    await addDeal(app.db, kiosk, 'Mornings', { start_time: '08:00', end_time: '11:00' })
    await fillTown(app, saturdayEvening)
    const paid = async () =>
      ((await api(app, `/api/deals/search?${here}`)).body as FoundDeal[]).map(({ sponsored }) => sponsored)
    expect(await paid()).toEqual([false])
    app.setNow('2026-06-21T04:30:00Z')
    expect(await paid()).toEqual([true])
  })

  it('means by today the same as the line of a card, at night too', async () => {
    const lunch = await addBusiness(app.db, 'Beiz', { open_hours: 'Mo-Su 11:00-14:00' })
    await addDeal(app.db, lunch, 'Lunch')
    await fillTown(app, saturdayEvening)
    const reason = async () => ((await api(app, `/api/deals/search?${here}`)).body as FoundDeal[])[0]!.rank_reason
    expect(await reason()).toBe('near')
    // half past five, half an hour after midnight
    for (const night of ['2026-06-21T03:30:00Z', '2026-06-20T22:30:00Z']) {
      app.setNow(night)
      expect(await reason()).toBe('later_today')
    }
  })

  it('works for the whole list, page by page, while time passes', async () => {
    await town()
    const seen: string[] = []
    let path: string | null = '/api/deals?sort=best&limit=2'
    for (let page = 0; path; page++) {
      app.setNow(new Date(Date.parse(saturdayEvening) + page * 30 * 60_000).toISOString())
      const { body, headers }: Awaited<ReturnType<typeof api>> = await api(app, path)
      seen.push(...names(body))
      expect(headers.get('x-total-count')).toBe('6')
      path = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? null
    }
    expect(seen).toEqual(order)
    app.setNow(saturdayEvening)
    expect(names((await api(app, '/api/deals?limit=100')).body)[0]).toBe('Now, nearer')
  })
})

it('the order "soonest" begins with the next usable deals, even before they begin, and ends with unknown hours', async () => {
  const always = await addBusiness(app.db, 'Immer', { open_hours: '24/7' })
  const morning = await addBusiness(app.db, 'Café', { open_hours: 'Mo-Su 07:00-18:00', ...eastOfBridge(900) })
  const unknown = await addBusiness(app.db, 'Kiosk', eastOfBridge(10))
  await addDeal(app.db, unknown, 'Hours unknown')
  await addDeal(app.db, always, 'From Sunday noon', { starts_at: new Date('2026-06-21T10:00:00Z') })
  await addDeal(app.db, morning, 'In the morning')
  await addDeal(app.db, morning, 'From Sunday, in the café', { starts_at: new Date('2026-06-20T22:00:00Z') })
  await addDeal(app.db, always, 'From ten', { starts_at: new Date('2026-06-20T20:00:00Z') })
  await fillTown(app, saturdayEvening)
  const ask = async (query = '') =>
    names((await api(app, `/api/deals/search?${here}&sort=soonest&hide_sponsored=true${query}`)).body)
  const soonest = await ask()
  expect(soonest.slice(1, 3).toSorted()).toEqual(['From Sunday, in the café', 'In the morning'])
  expect([soonest[0], ...soonest.slice(3)]).toEqual(['From ten', 'From Sunday noon', 'Hours unknown'])
  expect(await ask('&q=noon&limit=1')).toEqual(['From Sunday noon'])
  expect(await listed()).toEqual(['Hours unknown', 'In the morning'])
})

it('a deal is live exactly if its status is "active"', async () => {
  const places = [undefined, 'Mo-Su 18:00-02:00', 'Mo-Su 06:00-12:00', 'Sa 19:00-20:00', '24/7']
  for (const [n, open_hours] of places.entries()) {
    const id = await addBusiness(app.db, `Haus ${n}`, open_hours ? { open_hours } : {})
    for (const state of ['published', 'paused', 'draft', 'archived'])
      for (const starts of [null, -2, 2])
        for (const ends of [null, -1, 3, 30])
          for (const total_limit of [null, 1]) {
            if (starts !== null && ends !== null && ends <= starts) continue
            const inHours = (hours: number | null) =>
              hours === null ? null : new Date(Date.parse(saturdayEvening) + hours * 3_600_000)
            await addDeal(app.db, id, 'Each', {
              state,
              starts_at: inHours(starts),
              ends_at: inHours(ends),
              total_limit,
              redeemed_count: 1,
              active_days: ends === 30 ? saturday : null,
            })
          }
  }
  await fillTown(app, saturdayEvening)
  const { rows } = await sql<{ active: number; wrong: number }>`
    select count(*) filter (where is_active)::int as active, count(*) filter (where is_active <> is_live)::int as wrong
    from (
      select deal_status(state, sold_out, starts_at, over_at, ${saturdayEvening}) = 'active' as is_active,
        is_live(state, sold_out, starts_at, over_at, ${saturdayEvening}) as is_live
      from deals
    ) d`.execute(app.db)
  expect(rows[0]!.wrong).toBe(0)
  expect(rows[0]!.active).toBeGreaterThan(20)
})
