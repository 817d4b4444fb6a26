import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { addBusiness, addDeal, bridge, eastOfBridge, fillTown } from '../../../test/cast.ts'
import { sql as patiently } from '../../../test/databases.ts'
import { api, saturdayEvening, startTestApp, type TestApp } from '../../../test/start-app.ts'
import type { Cluster, DealPin, FoundDeal } from '../contract.ts'

/** A row of a map: a pin or a cluster. */
type OnMap = DealPin & Cluster

const here = `lat=${bridge.latitude}&lon=${bridge.longitude}`
let app: TestApp

const names = (body: { deal_name: string }[]) => body.map((deal) => deal.deal_name)
const search = async (query: string) => {
  const answer = await api(app, `/api/deals/search?${query}`)
  expect(answer.status, answer.text).toBe(200)
  return answer
}

beforeAll(async () => {
  app = await startTestApp()
  const { db } = app
  const cafe = await addBusiness(db, 'Café Rhein', { category: 'drinks', open_hours: 'Mo-Su 08:00-22:00' })
  const bar = await addBusiness(db, 'Bar Nord', {
    category: 'nightlife',
    subscription_tier: 'PREMIUM',
    open_hours: 'Fr-Sa 20:00-03:00',
    ...eastOfBridge(800),
  })
  const shop = await addBusiness(db, 'Rillenreich', {
    category: 'shopping',
    open_hours: 'Mo-Sa 10:00-18:00',
    ...eastOfBridge(2000),
  })
  const mystery = await addBusiness(db, 'Zum stillen Tor', { ...eastOfBridge(300) })
  const far = await addBusiness(db, 'Gasthof Jura', { open_hours: '24/7', ...eastOfBridge(12_000) })
  const nowhere = await addBusiness(db, 'Wanderküche', { latitude: null, longitude: null, open_hours: '24/7' })
  await addDeal(db, cafe, 'Kaffee und Gipfeli', {
    category: 'drinks',
    tags: ['Frühstück'],
    description: 'Ein Kaffee und ein Buttergipfeli.',
    price: 'CHF 6.50',
  })
  await addDeal(db, cafe, 'Bierli nach acht', { category: 'drinks', start_time: '20:00', end_time: '22:00' })
  await addDeal(db, bar, 'Two Negroni for one', { category: 'nightlife', tags: ['Apéro', 'Cocktail'] })
  await addDeal(db, bar, 'Sunday night set', {
    category: 'nightlife',
    active_days: 1 << 5,
    start_time: '22:00',
    end_time: '03:00',
  })
  await addDeal(db, shop, 'Vinyl by the kilo', {
    category: 'shopping',
    description: '100 % records from Zürich & Basel',
  })
  await addDeal(db, mystery, 'Rösti mit Ei', { category: 'food' })
  await addDeal(db, far, 'Fondue am Waldrand', { category: 'food', ends_at: new Date('2026-06-20T19:00:00Z') })
  await addDeal(db, nowhere, 'Curry from the bike', { category: 'food' })
  await addDeal(db, cafe, 'Yesterday only', { ends_at: new Date('2026-06-19T20:00:00Z') })
  await addDeal(db, cafe, 'From tomorrow', { starts_at: new Date('2026-06-21T08:00:00Z') })
  await addDeal(db, cafe, 'Draft idea', { state: 'draft' })
  await addDeal(db, cafe, 'Paused one', { state: 'paused' })
  await addDeal(db, cafe, 'All gone', { total_limit: 5, redeemed_count: 5 })
  await fillTown(app, saturdayEvening)
})
afterAll(() => app.close())

describe('the specified default call', () => {
  it('answers live deals within 5 km, those without a place last', async () => {
    const { body, headers } = await search('category=&openNow=false&sponsored=false&radius=5&lat=47.5596&lon=7.5886')
    expect(names(body).toSorted()).toEqual(
      [
        'Bierli nach acht',
        'Curry from the bike',
        'Kaffee und Gipfeli',
        'Rösti mit Ei',
        'Sunday night set',
        'Two Negroni for one',
        'Vinyl by the kilo',
      ].toSorted(),
    )
    expect(body.at(-1)).toMatchObject({
      deal_name: 'Curry from the bike',
      distance_km: null,
      rank_reason: 'no_location',
      latitude: null,
    })
    expect(headers.get('x-total-count')).toBe('7')
    expect(headers.get('x-total-capped')).toBeNull()
  })
  it('gives every deal the specified fields with coordinates as numbers, and the merchant', async () => {
    const { body } = await search(`${here}&q=gipfeli`)
    expect(body[0]).toMatchObject({
      deal_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      deal_name: 'Kaffee und Gipfeli',
      description: 'Ein Kaffee und ein Buttergipfeli.',
      price: 'CHF 6.50',
      discount: null,
      latitude: bridge.latitude,
      longitude: bridge.longitude,
      is_premium: false,
      business_name: 'Café Rhein',
      business_id: expect.any(String),
    })
    expect(body[0]).not.toHaveProperty('doc')
    expect(body[0]).not.toHaveProperty('redeemed_count')
  })
  it('searches 5 km around the default centre without parameters', async () => {
    const { body } = await search('')
    expect(body).toHaveLength(7)
  })
  it('marks deals of a PREMIUM merchant, but does not rank them higher', async () => {
    const { body } = await search(`${here}&sort=distance`)
    expect(body.find((deal: FoundDeal) => deal.business_name === 'Bar Nord').is_premium).toBe(true)
    expect(body[0].is_premium).toBe(false)
  })
})

describe('distance and place', () => {
  it('sorts by distance, in km', async () => {
    const { body } = await search(`${here}&sort=distance&radius=50`)
    const located = body.filter((deal: FoundDeal) => deal.distance_km !== null)
    expect(located.map((deal: FoundDeal) => deal.distance_km)).toEqual(
      located.map((deal: FoundDeal) => deal.distance_km).toSorted((a: number, b: number) => a - b),
    )
    expect(body.find((deal: FoundDeal) => deal.deal_name === 'Vinyl by the kilo').distance_km).toBeCloseTo(2, 2)
    expect(body.find((deal: FoundDeal) => deal.deal_name === 'Fondue am Waldrand').distance_km).toBeCloseTo(12, 1)
  })
  it('leaves out deals beyond the radius', async () => {
    expect(names((await search(`${here}&radius=0.5&hide_sponsored=true`)).body)).not.toContain('Two Negroni for one')
    expect(names((await search(`${here}&radius=0.81`)).body)).toContain('Two Negroni for one')
    expect(names((await search(`${here}&radius=0.79`)).body)).not.toContain('Two Negroni for one')
  })
  it('searches a box instead of the circle, without deals that have no place', async () => {
    const { longitude } = eastOfBridge(12_000)
    const { body } = await search(`bbox=${longitude - 0.01},47.5,${longitude + 0.01},47.6&radius=1&${here}`)
    expect(names(body)).toEqual(['Fondue am Waldrand'])
  })
  it('is right far away from Basel and at the poles', async () => {
    expect((await search('lat=0&lon=0')).body.map((deal: FoundDeal) => deal.deal_name)).toEqual(['Curry from the bike'])
    expect((await search('lat=90&lon=180')).body).toHaveLength(1)
    expect((await search('lat=-90&lon=-180&radius=50')).body).toHaveLength(1)
  })
})

describe('categories', () => {
  it.each([
    ['food', ['Rösti mit Ei', 'Curry from the bike']],
    ['FOOD', ['Rösti mit Ei', 'Curry from the bike']],
    ['Food & Dining', ['Rösti mit Ei', 'Curry from the bike']],
    ['Essen', ['Rösti mit Ei', 'Curry from the bike']],
    ['restauration', ['Rösti mit Ei', 'Curry from the bike']],
    ['getranke', ['Kaffee und Gipfeli', 'Bierli nach acht']],
    ['Getraenke', ['Kaffee und Gipfeli', 'Bierli nach acht']],
    ['apero', ['Two Negroni for one']],
    ['  Apéro ', ['Two Negroni for one']],
    ['no such thing', []],
    ['%', []],
    ['_', []],
  ])('"%s" finds %j', async (category, expected) => {
    const { body } = await search(`${here}&category=${encodeURIComponent(category)}`)
    expect(names(body).toSorted()).toEqual(expected.toSorted())
  })
})

describe('words', () => {
  it.each([
    ['kaffee', 'Kaffee und Gipfeli'],
    ['caffe', 'Kaffee und Gipfeli'],
    ['kaffe', 'Kaffee und Gipfeli'],
    ['Café', 'Kaffee und Gipfeli'],
    ['Roesti', 'Rösti mit Ei'],
    ['rosti', 'Rösti mit Ei'],
    ['röschti', 'Rösti mit Ei'],
    ['zurich', 'Vinyl by the kilo'],
    ['zuerich', 'Vinyl by the kilo'],
    ['vynil', 'Vinyl by the kilo'],
    ['negrony', 'Two Negroni for one'],
    ['nergoni', 'Two Negroni for one'],
    ['bar nord', 'Two Negroni for one'],
    ['gipf', 'Kaffee und Gipfeli'],
  ])('"%s" finds %s', async (q, expected) => {
    expect(names((await search(`${here}&q=${encodeURIComponent(q)}`)).body)).toContain(expected)
  })
  it.each([
    // the typed words find deals, so no category and no similar word is tried
    ['Frühstück', ['Kaffee und Gipfeli']],
    ['records', ['Vinyl by the kilo']],
    ['cocktail', ['Two Negroni for one']],
    // every word counts
    ['fondue kaffee', []],
    ['kaffee riehen', []],
    // except the city, in which all deals are
    ['negroni basel', ['Two Negroni for one']],
    ['negroni nord', ['Two Negroni for one']],
  ])('"%s" finds deals with the word, and no similar ones: %j', async (q, expected) => {
    const { body, headers } = await search(`${here}&radius=50&hide_sponsored=true&q=${encodeURIComponent(q)}`)
    expect(names(body)).toEqual(expected)
    if (expected.length > 0) expect(headers.get('x-search-guessed')).toBeNull()
  })
  it.each([
    ['nergoni', ['Two Negroni for one']],
    // no deal has the word, which means the category of drinks
    ['wine', ['Bierli nach acht', 'Kaffee und Gipfeli']],
  ])('"%s" is in no deal, so similar words are searched for, and the answer says so', async (q, expected) => {
    for (const path of [`/api/deals/search?${here}&hide_sponsored=true&q=${q}`, `/api/deals?q=${q}`]) {
      const { body, headers } = await api(app, path)
      expect(names(body).toSorted()).toEqual(expected)
      expect(headers.get('x-search-guessed')).toBe('true')
    }
    const { headers } = await search(`${here}&view=map&q=${q}`)
    expect(headers.get('x-search-guessed')).toBe('true')
  })
  it('the name of a category finds all its deals, whatever else has the word', async () => {
    const { body, headers } = await search(`${here}&hide_sponsored=true&q=Essen`)
    expect(names(body)).toEqual(['Rösti mit Ei', 'Curry from the bike'])
    expect(headers.get('x-search-guessed')).toBeNull()
    expect((await search(`${here}&q=Getränke`)).body.length).toBe(2)
  })
  it('names the match as the reason for the first place', async () => {
    expect((await search(`${here}&q=negroni`)).body[0]).toMatchObject({
      deal_name: 'Two Negroni for one',
      rank_reason: 'match',
    })
  })
  it.each(["'", '"', "a' or 1=1 --", '\\', '& | !', ':*', '()', '%', '_____', '!!', "'':*"])(
    'takes %s as text, never as a query',
    async (q) => {
      await search(`${here}&q=${encodeURIComponent(q)}`)
    },
  )
  it('works with letters that become longer by folding', async () => {
    await search(`${here}&q=${encodeURIComponent('㌖'.repeat(200))}`)
    expect((await api(app, `/api/deals?q=${encodeURIComponent('ﷺ'.repeat(200))}`)).status).toBe(200)
  })
  it.each(['zzzz', 'aaaa', 'GGGG', 'nnnnn'])('"%s" is no word and finds nothing', async (q) => {
    expect((await search(`${here}&q=${q}`)).body).toEqual([])
    expect((await api(app, `/api/deals?q=${q}`)).body).toEqual([])
  })
  it('finds nothing if nothing matches', async () => {
    expect((await search(`${here}&q=xylophonquark`)).body).toEqual([])
  })
})

describe('open now', () => {
  const openAt = async (instant: string) => {
    app.setNow(instant)
    await fillTown(app, instant)
    const { body } = await search(`${here}&openNow=true&radius=50`)
    return names(body)
  }
  it('leaves out closed places and unknown hours', async () => {
    const open = await openAt('2026-06-20T17:30:00Z')
    expect(open).toContain('Kaffee und Gipfeli')
    expect(open).not.toContain('Vinyl by the kilo')
    expect(open).not.toContain('Rösti mit Ei')
  })
  it('works past midnight', async () => {
    expect(await openAt('2026-06-21T00:30:00Z')).toContain('Two Negroni for one')
    expect(await openAt('2026-06-21T01:30:00Z')).not.toContain('Two Negroni for one')
  })
  it('respects the deal’s own hours, which belong to the day on which they begin', async () => {
    expect(await openAt('2026-06-20T17:59:00Z')).not.toContain('Bierli nach acht')
    expect(await openAt('2026-06-20T18:00:00Z')).toContain('Bierli nach acht')
    expect(await openAt('2026-06-20T20:30:00Z')).toContain('Sunday night set')
    expect(await openAt('2026-06-21T00:30:00Z')).toContain('Sunday night set')
    expect(await openAt('2026-06-20T00:30:00Z')).not.toContain('Sunday night set')
  })
  it('is right on both days on which clocks change', async () => {
    expect(await openAt('2026-03-29T00:59:00Z')).not.toContain('From tomorrow')
    // 29 March: 02:00 does not exist; closing at 03:00 summer time is 01:00 UTC
    expect(await openAt('2026-03-29T00:30:00Z')).toContain('Two Negroni for one')
    expect(await openAt('2026-03-29T01:30:00Z')).not.toContain('Two Negroni for one')
    // 25 October: 02:00–03:00 comes twice; closing at 03:00 winter time is 02:00 UTC
    expect(await openAt('2026-10-25T01:30:00Z')).toContain('Two Negroni for one')
    expect(await openAt('2026-10-25T02:30:00Z')).not.toContain('Two Negroni for one')
  })
  it('distinguishes unknown hours from closed', async () => {
    app.setNow(saturdayEvening)
    await fillTown(app, saturdayEvening)
    const { body } = await search(`${here}`)
    expect(body.find((deal: FoundDeal) => deal.deal_name === 'Rösti mit Ei')).toMatchObject({
      open_now: null,
      open_until: null,
      opens_at: null,
    })
    expect(body.find((deal: FoundDeal) => deal.deal_name === 'Vinyl by the kilo')).toMatchObject({
      open_now: false,
      opens_at: '2026-06-22T08:00:00.000Z',
    })
    expect(body.find((deal: FoundDeal) => deal.deal_name === 'Kaffee und Gipfeli')).toMatchObject({
      open_now: true,
      open_until: '2026-06-20T20:00:00.000Z',
    })
  })
})

describe('paging', () => {
  it('follows Link: rel=next through every deal once', async () => {
    const seen: string[] = []
    let path: string | null = `/api/deals/search?${here}&limit=3`
    while (path) {
      const answer = await api(app, path)
      seen.push(...names(answer.body))
      path = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1] ?? null
    }
    expect(seen).toHaveLength(7)
    expect(new Set(seen).size).toBe(7)
  })
  it('takes an offset', async () => {
    const all = names((await search(`${here}&limit=7`)).body)
    expect(names((await search(`${here}&limit=2&offset=3`)).body)).toEqual(all.slice(3, 5))
  })
})

describe('many deals at one place', () => {
  let market: string
  beforeAll(async () => {
    market = await addBusiness(app.db, 'Marktplatz', { open_hours: 'Mo-Su 06:00-23:00', ...eastOfBridge(100) })
    for (let n = 0; n < 230; n++) await addDeal(app.db, market, `Stand ${n}`)
    await fillTown(app, saturdayEvening)
  })
  afterAll(async () => {
    await app.db.deleteFrom('businesses').where('business_id', '=', market).execute()
  })
  it.each(['best', 'distance', 'rating', 'new', 'ending_soon'])(
    'appear once each over all pages, sorted by %s',
    async (sort) => {
      const seen: string[] = []
      let path: string | null = `/api/deals/search?${here}&limit=17&sort=${sort}`
      while (path) {
        const answer = await api(app, path)
        seen.push(...answer.body.map((deal: FoundDeal) => deal.deal_id))
        path = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1] ?? null
      }
      expect(seen).toHaveLength(237)
      expect(new Set(seen).size).toBe(237)
    },
  )
})

describe('the order "best"', () => {
  it('calls a deal usable only within its own hours', async () => {
    const kiosk = await addBusiness(app.db, 'Kiosk am Tor', { open_hours: '24/7', ...eastOfBridge(-40) })
    await addDeal(app.db, kiosk, 'Morning bun', { start_time: '06:00', end_time: '10:00' })
    await addDeal(app.db, kiosk, 'Evening bun', { start_time: '18:00', end_time: '22:00' })
    await fillTown(app, saturdayEvening)
    const { body } = await search(`${here}&q=bun&hide_sponsored=true`)
    expect(names(body)).toEqual(['Evening bun', 'Morning bun'])
    const { body: near } = await search(`${here}&radius=0.2&hide_sponsored=true`)
    const reason = (name: string) => near.find((deal: FoundDeal) => deal.deal_name === name).rank_reason
    expect(reason('Evening bun')).toBe('open_now')
    expect(reason('Morning bun')).toBe('near')
    // open around the clock: no end to announce
    expect(near.find((deal: FoundDeal) => deal.deal_name === 'Evening bun')).toMatchObject({
      open_now: true,
      open_until: null,
    })
    await app.db.deleteFrom('businesses').where('business_id', '=', kiosk).execute()
  })
})

describe('paid places', () => {
  let ids: string[]
  beforeAll(async () => {
    ids = []
    for (const [index, name] of ['Glanzbar', 'Hafenlicht', 'Inselkiosk', 'Jazzkeller'].entries()) {
      const id = await addBusiness(app.db, name, {
        featured_until: new Date('2026-07-01T00:00:00Z'),
        ...eastOfBridge(3000 + index),
      })
      await addDeal(app.db, id, `${name} special`)
      ids.push(id)
    }
    // the total is cached for a second, and only a full page counts
    await vi.waitFor(
      async () => expect((await search(`${here}&limit=1`)).headers.get('x-total-capped')).toBeNull(),
      90_000,
    )
  })
  afterAll(async () => {
    await app.db.deleteFrom('businesses').where('business_id', 'in', ids).execute()
  })
  it('come first, at most three, and are marked', async () => {
    const { body } = await search(here)
    expect(body.slice(0, 4).map((deal: FoundDeal) => deal.sponsored)).toEqual([true, true, true, false])
    expect(body[0]).toMatchObject({ rank_reason: 'sponsored', is_premium: true })
    expect(new Set(names(body)).size).toBe(body.length)
  })
  it('give every promoted merchant each place equally often', async () => {
    const firsts: string[] = []
    for (let turn = 0; turn < 8; turn++) {
      app.setNow(new Date(Date.parse(saturdayEvening) + turn * 300_000).toISOString())
      firsts.push((await search(here)).body[0].business_name)
    }
    app.setNow(saturdayEvening)
    for (const name of ['Glanzbar', 'Hafenlicht', 'Inselkiosk', 'Jazzkeller'])
      expect(firsts.filter((first) => first === name)).toHaveLength(2)
  })
  it.each([1, 2, 5])('stay the same on later pages, %i at a time, even after they have rotated', async (limit) => {
    const whole = (await search(here)).body.map((deal: FoundDeal) => [deal.deal_id, deal.sponsored])
    const paged: unknown[] = []
    let path: string | null = `/api/deals/search?${here}&limit=${limit}`
    for (let page = 0; path; page++) {
      app.setNow(new Date(Date.parse(saturdayEvening) + page * 300_000).toISOString())
      const { body, headers }: Awaited<ReturnType<typeof api>> = await api(app, path)
      expect(headers.get('x-total-count')).toBe(String(whole.length))
      paged.push(...body.map((deal: FoundDeal) => [deal.deal_id, deal.sponsored]))
      path = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? null
    }
    app.setNow(saturdayEvening)
    expect(paged).toEqual(whole)
  })
  it('count as places of the list with an offset', async () => {
    const ids = async (query: string) => (await search(query)).body.map((deal: FoundDeal) => deal.deal_id)
    const whole = await ids(here)
    expect(await ids(`${here}&offset=2&limit=3`)).toEqual(whole.slice(2, 5))
    const { headers } = await search(`${here}&offset=1&limit=1`)
    const next = /<([^>]+)>; rel="next"/.exec(headers.get('link')!)![1]!
    expect((await api(app, next)).body[0].deal_id).toBe(whole[2])
  })
  it('are not used with hide_sponsored: the deals are then sorted by distance', async () => {
    const { body } = await search(`${here}&hide_sponsored=true&sort=distance`)
    expect(body.some((deal: FoundDeal) => deal.sponsored)).toBe(false)
    expect(names(body)).toContain('Glanzbar special')
  })
  it('only go to deals that the search finds', async () => {
    expect((await search(`${here}&category=drinks`)).body.some((deal: FoundDeal) => deal.sponsored)).toBe(false)
  })
  it('sponsored=true finds premium deals only', async () => {
    const { body } = await search(`${here}&sponsored=true`)
    expect(body.length).toBeGreaterThan(4)
    expect(body.every((deal: FoundDeal) => deal.is_premium)).toBe(true)
  })
  it('appear once over all pages', async () => {
    const seen: string[] = []
    let path: string | null = `/api/deals/search?${here}&limit=2`
    while (path) {
      const answer = await api(app, path)
      seen.push(...names(answer.body))
      path = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1] ?? null
    }
    expect(seen).toHaveLength(11)
    expect(new Set(seen).size).toBe(11)
  })
})

describe('the map', () => {
  it('gets only the specified fields', async () => {
    const { body } = await search(`${here}&view=map`)
    expect(body).toHaveLength(6)
    for (const row of body)
      expect(Object.keys(row).toSorted()).toEqual([
        'deal_id',
        'deal_name',
        'description',
        'discount',
        'is_premium',
        'latitude',
        'longitude',
        'price',
      ])
  })
})

describe('the map’s own screen', () => {
  it('gets for each pin its id, its place and what determines its look', async () => {
    const { body } = await search(`${here}&view=map&compact=true`)
    expect(body).toHaveLength(6)
    for (const row of body)
      expect(Object.keys(row).toSorted()).toEqual([
        'category',
        'deal_id',
        'is_premium',
        'latitude',
        'longitude',
        'time',
      ])
  })
})

describe('a map of more than 2,000 deals', () => {
  it('shows premium deals singly and clusters of the rest, without losing one', async () => {
    const crowd = await startTestApp()
    const free = await addBusiness(crowd.db, 'Grossmarkt')
    const premium = await addBusiness(crowd.db, 'Goldener Hahn', { subscription_tier: 'PREMIUM', ...eastOfBridge(900) })
    for (let n = 0; n < 3; n++) await addDeal(crowd.db, premium, `Golden ${n}`)
    await patiently(
      crowd.databaseUrl,
      `insert into deals (deal_id, business_id, deal_name, latitude, longitude, created_at, updated_at)
      select gen_random_uuid(), '${free}', 'Stand ' || n, 47.55 + n * 0.00001, 7.58 + n * 0.00001, now(), now()
      from generate_series(1, 2100) n`,
    )
    const { body } = await api(crowd, `/api/deals/search?${here}&view=map`)
    const clusters = body.filter((row: OnMap) => 'cluster' in row)
    expect(body.filter((row: OnMap) => row.is_premium)).toHaveLength(3)
    expect(clusters.length).toBeGreaterThan(3)
    expect(clusters.reduce((sum: number, row: OnMap) => sum + row.cluster, 0)).toBe(2100)
    expect(clusters.every((row: OnMap) => row.premium === 0)).toBe(true)
    const hermit = await addDeal(crowd.db, free, 'Alone', { latitude: 47.575, longitude: 7.615 })
    const { body: pins } = await api(crowd, `/api/deals/search?${here}&view=map&compact=true`)
    expect(pins.find((row: OnMap) => row.deal_id === hermit)).toEqual({
      deal_id: hermit,
      latitude: 47.575,
      longitude: 7.615,
      is_premium: false,
      category: 'other',
      time: 'later',
    })
    expect(pins.filter((row: OnMap) => row.cluster === 1)).toEqual([])
    await crowd.close()
  })
})

describe('a map of very many deals', () => {
  it('has the number of deals, also in parts of the map', async () => {
    const town = await startTestApp()
    const free = await addBusiness(town.db, 'Grossmarkt')
    const all = 30_000
    // no map needs what triggers fill in
    await sql`alter table deals disable trigger user`.execute(town.db)
    await patiently(
      town.databaseUrl,
      `insert into deals (deal_id, business_id, deal_name, latitude, longitude, premium_until, created_at, updated_at)
      select gen_random_uuid(), '${free}', 'Stand', 47.53 + 0.04 * random(), 7.56 + 0.06 * random(),
        case when n % 10 = 0 then timestamptz 'infinity' end, now(), now()
      from generate_series(1, ${all}) n`,
    )
    await sql`analyze deals`.execute(town.db)
    const { body } = await api(town, `/api/deals/search?${here}&view=map&compact=true`)
    const single = body.filter((row: OnMap) => row.is_premium)
    const clusters = body.filter((row: OnMap) => 'cluster' in row)
    const sum = (rows: OnMap[], of: 'cluster' | 'premium') => rows.reduce((so, row) => so + row[of], 0)
    expect(single).toHaveLength(500)
    expect(body).toHaveLength(single.length + clusters.length)
    expect(sum(clusters, 'cluster') + single.length).toBe(all)
    expect(sum(clusters, 'premium') + single.length).toBe(all / 10)
    // and in each half of the town
    const west = clusters.filter((row: OnMap) => row.longitude < 7.59)
    expect(Math.abs(sum(west, 'cluster') / sum(clusters, 'cluster') - 0.5)).toBeLessThan(0.1)
    const { body: near } = await api(town, '/api/deals/search?bbox=7.58,47.55,7.585,47.555&view=map&compact=true')
    expect(near.length).toBeGreaterThan(150)
    expect(near.every((row: OnMap) => 'deal_id' in row)).toBe(true)
    await town.close()
  })
})

describe('bad input', () => {
  it.each([
    ['radius=-1', 'radius'],
    ['radius=0', 'radius'],
    ['radius=51', 'radius'],
    ['radius=NaN', 'radius'],
    ['radius=1e309', 'radius'],
    ['radius=Infinity', 'radius'],
    ['radius=five', 'radius'],
    ['lat=91', 'lat'],
    ['lat=NaN', 'lat'],
    ['lon=181', 'lon'],
    ['lat=47.5&lat=48', 'lat'],
    ['openNow=maybe', 'openNow'],
    ['sponsored=2', 'sponsored'],
    ['sort=cheapest', 'sort'],
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=2.5', 'limit'],
    ['offset=1001', 'offset'],
    ['offset=-1', 'offset'],
    ['bbox=1,2,3', 'bbox'],
    ['bbox=8,47,7,48', 'bbox'],
    ['bbox=a,b,c,d', 'bbox'],
    ['view=globe', 'view'],
    ['q=%00', 'q'],
    ['category=%00', 'category'],
    [`q=${'x'.repeat(201)}`, 'q'],
    [`category=${'x'.repeat(61)}`, 'category'],
    ['q=a&q=b', 'q'],
  ])('%s is refused with a text at the field', async (query, field) => {
    const { status, body } = await api(app, `/api/deals/search?${query}`)
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'invalid_input' })
    expect(body.fields[field]).toEqual(expect.any(String))
  })
  it.each([
    'after=x',
    `after=${Buffer.from('[1e400,""]').toString('base64url')}`,
    `after=${Buffer.from('[1,"no uuid"]').toString('base64url')}`,
    `after=${Buffer.from('["\\u0000","a"]').toString('base64url')}`,
    ...['x 1', '1', '2024', '2024-02-31', '2026-02-31T00:00:00.000Z', '+275760-09-13T00:00:00.000Z'].map(
      (at) =>
        `after=${Buffer.from(JSON.stringify([at, '0190a000-0000-7000-8000-000000000000'])).toString('base64url')}`,
    ),
    `after=${Buffer.from(JSON.stringify([0, Array(4).fill('0190a000-0000-7000-8000-000000000000').join(' ')])).toString('base64url')}`,
  ])('a made-up cursor is refused: %s', async (query) => {
    expect((await api(app, `/api/deals/search?${query}`)).status).toBe(400)
    for (const sort of ['new', 'ending_soon', 'rating'])
      expect((await api(app, `/api/deals?sort=${sort}&${query}`)).status).toBe(400)
  })
  it.each(['q=%ff', 'q=%ED%A0%80', 'q=%', 'lat=47.5%', 'category=a&q=%c3%28'])(
    'an invalid escape is refused, not ignored: %s',
    async (query) => {
      const { status, body } = await api(app, `/api/deals/search?${query}`)
      expect([status, body.code]).toEqual([400, 'bad_request'])
    },
  )
  it('handles a query of 12 kB', async () => {
    expect((await api(app, `/api/deals/search?q=${'x'.repeat(12_000)}`)).status).toBe(400)
  })
  it('refuses headers and addresses beyond 16 kB in plain JSON', async () => {
    const { status, body } = await api(app, `/api/deals/search?q=${'x'.repeat(20_000)}`)
    expect(status).toBe(431)
    expect(body.code).toBe('too_large')
  })
})
