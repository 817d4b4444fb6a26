import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { addBusiness, addDeal, bridge, fillTown } from '../../../test/cast.ts'
import { besideTheApp, waitingForLocks } from '../../../test/locks.ts'
import { crowd } from '../../../test/people.ts'
import {
  anotherInstance,
  api,
  appForTest,
  saturdayEvening,
  startTestApp,
  type TestApp,
} from '../../../test/start-app.ts'
import { withWrittenViews } from '../../../test/views.ts'
import { fillOpenings } from './businesses.ts'
import type { BusinessByName } from '../contract.ts'

const hoursOf = ({ db }: TestApp, businessId: string) =>
  db
    .selectFrom('businesses')
    .select(['open_hours', 'hours_known', 'opening_changes'])
    .where('business_id', '=', businessId)
    .executeTakeFirstOrThrow()

const { rooms, written } = withWrittenViews()
let app: TestApp
let cafe: string

beforeAll(async () => {
  app = await startTestApp({ rooms })
  cafe = await addBusiness(app.db, 'Café Rhein', {
    email: 'owner@cafe-rhein.example',
    address: 'Rheingasse 1, 4058 Basel',
    description: 'Coffee with a view.',
    open_hours: 'Mo-Su 08:00-20:00',
    logo_url: 'https://example.org/logo.png',
    canton: 'BS',
  })
  await addBusiness(app.db, 'Ämtlibeiz', { open_hours: 'mal so, mal so' })
  await addBusiness(app.db, 'Kaffi Sieben')
  await addBusiness(app.db, 'Zürcher Stube', { open_hours: 'Mo-Sa 10:00-18:00; PH off' })
  for (let n = 0; n < 30; n++) await addBusiness(app.db, `Marktstand ${String(n).padStart(2, '0')}`)
  await addDeal(app.db, cafe, 'Coffee and cake')
  await addDeal(app.db, cafe, 'Over', { ends_at: new Date('2026-06-19T10:00:00Z') })
  await fillTown(app, saturdayEvening)
})
afterAll(() => app.close())
beforeEach(() => app.setNow(saturdayEvening))

/** A merchant that no other test uses. */
async function addForNow(...[name, more]: [name: string, more?: object]) {
  const id = await addBusiness(app.db, name, { ...more })
  onTestFinished(async () => void (await app.db.deleteFrom('businesses').where('business_id', '=', id).execute()))
  return id
}

describe('a business', () => {
  it('shows its public fields and nothing private, such as its email', async () => {
    const { status, body, text } = await api(app, `/api/business/${cafe}`)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      business_id: cafe,
      business_name: 'Café Rhein',
      address: 'Rheingasse 1, 4058 Basel',
      description: 'Coffee with a view.',
      ...bridge,
      open_hours: 'Mo-Su 08:00-20:00',
      subscription_tier: 'FREE',
      logo_url: 'https://example.org/logo.png',
      open_now: true,
      open_until: '2026-06-20T18:00:00.000Z',
    })
    expect(text).not.toContain('owner@')
    for (const internal of [
      'email',
      'name_folded',
      'name_sorted',
      'source_id',
      'featured_until',
      'hours_filled_until',
      'canton',
    ])
      expect(body).not.toHaveProperty(internal)
  })
  it.each(['0190a000-0000-7000-8000-000000000000', 'nope', '%00', '%F0%9F%8D%BA'])(
    'with the unknown id %s is a 404',
    async (id) => {
      expect(await api(app, `/api/business/${id}`)).toMatchObject({
        status: 404,
        body: { error: 'Business not found.', code: 'business_not_found' },
      })
    },
  )
  it('with hours that cannot be read has unknown hours', async () => {
    const { body } = await api(app, '/api/business?q=amtlibeiz')
    expect(body[0]).toMatchObject({ business_name: 'Ämtlibeiz', open_now: null, open_until: null, opens_at: null })
  })
  it('that keeps public holidays is closed on 1 August', async () => {
    const noon = '2026-08-01T10:00:00Z'
    app.setNow(noon)
    await fillTown(app, noon)
    expect((await api(app, '/api/business?q=zurcher')).body[0]).toMatchObject({
      open_now: false,
      opens_at: '2026-08-03T08:00:00.000Z',
    })
    app.setNow(saturdayEvening)
    await fillTown(app, saturdayEvening)
  })
  it('whose openings end before now has unknown hours and is not shown as closed', async () => {
    app.setNow('2026-07-20T12:00:00Z')
    expect((await api(app, `/api/business/${cafe}`)).body.open_now).toBeNull()
    app.setNow(saturdayEvening)
  })
  it.each([400, 11, 1])('is open again after a clock that ran %i days ahead was corrected', async (days) => {
    const town = await appForTest()
    const bar = await addBusiness(town.db, 'Bar am Rhein', { open_hours: 'Mo-Su 08:00-20:00' })
    const ahead = Temporal.Instant.from(saturdayEvening).add({ hours: 24 * days })
    expect(await fillOpenings({ db: town.db, clock: { now: () => ahead } })).toBe(1)
    const now = { now: () => Temporal.Instant.from(saturdayEvening) }
    expect(await fillOpenings({ db: town.db, clock: now })).toBe(1)
    expect((await api(town, `/api/business/${bar}`)).body).toMatchObject({
      open_now: true,
      open_until: '2026-06-20T18:00:00.000Z',
    })
    expect(await fillOpenings({ db: town.db, clock: now })).toBe(0)
  })
  it('keeps hours and openings that are saved while the nightly run reads the old ones', async () => {
    const town = await appForTest()
    const bar = await addBusiness(town.db, 'Bar am Rhein', { open_hours: 'Mo-Su 08:00-20:00' })
    const now = Temporal.Instant.from(saturdayEvening)
    const saved = { open_hours: 'Mo-Su 10:00-12:00', opening_changes: [new Date('2026-06-21T08:00:00Z')] }
    let filling: Promise<number> | undefined
    await besideTheApp(town, async (trx) => {
      const until = new Date(now.add({ hours: 240 }).epochMilliseconds)
      await trx
        .updateTable('businesses')
        .set({ ...saved, hours_filled_until: until })
        .execute()
      filling = fillOpenings({ db: town.db, clock: { now: () => now } })
      await waitingForLocks(town, 1)
    })
    expect(await filling).toBe(0)
    expect(await hoursOf(town, bar)).toMatchObject(saved)
  })
  it('whose hours cannot be read any more has unknown hours and is not shown as closed', async () => {
    const town = await appForTest()
    const bar = await addBusiness(town.db, 'Bar am Rhein', { open_hours: 'Mo-Su 08:00-20:00' })
    const cafe = await addBusiness(town.db, 'Café Rhein', { open_hours: 'Mo-Su 08:00-20:00' })
    await fillTown(town, saturdayEvening)
    await sql`update businesses set open_hours = 'mal so, mal so' where business_id = ${bar}`.execute(town.db)
    await fillTown(town, saturdayEvening)
    expect((await api(town, `/api/business/${bar}`)).body).toMatchObject({
      open_hours: 'mal so, mal so',
      open_now: null,
    })
    expect(await hoursOf(town, bar)).toMatchObject({ hours_known: false, opening_changes: [] })
    expect((await api(town, `/api/business/${cafe}`)).body.open_now).toBe(true)
  })
  it('keeps openings filled by an instance whose clock is a minute ahead', async () => {
    const town = await appForTest()
    await addBusiness(town.db, 'Bar am Rhein', { open_hours: 'Mo-Su 08:00-20:00' })
    const ahead = Temporal.Instant.from(saturdayEvening).add({ minutes: 1 })
    expect(await fillOpenings({ db: town.db, clock: { now: () => ahead } })).toBe(1)
    const now = { now: () => Temporal.Instant.from(saturdayEvening) }
    expect(await fillOpenings({ db: town.db, clock: now })).toBe(0)
  })
})

describe('merchants A–Z', () => {
  it('are in the order of the alphabet, umlauts with their base letter', async () => {
    const { body, headers } = await api(app, '/api/business?limit=100')
    expect(headers.get('x-total-count')).toBe('34')
    expect(body[0].business_name).toBe('Ämtlibeiz')
    expect(body[1]).toMatchObject({ business_name: 'Café Rhein', live_deals: 1 })
    expect(body[2].business_name).toBe('Kaffi Sieben')
    expect(body.at(-1).business_name).toBe('Zürcher Stube')
  })
  it('come page by page, each once', async () => {
    const seen: string[] = []
    let next: string | null = '/api/business?limit=10'
    while (next) {
      const { body, headers } = await api(app, next)
      seen.push(...body.map((business: BusinessByName) => business.business_id))
      next = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? null
    }
    expect(new Set(seen).size).toBe(34)
    expect(seen).toHaveLength(34)
  })
  it('link to the next page of the same search, also with a question mark in it', async () => {
    const { headers } = await api(app, '/api/business?q=markt?&limit=1')
    const next = new URLSearchParams(/<[^?]*\?([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1])
    expect([next.get('q'), next.get('limit')]).toEqual(['markt?', '1'])
  })
  it('come page by page past a name with ligatures', async () => {
    const grown = await addForNow(`Zz${'\ufdfa'.repeat(78)}`)
    const alike = await addForNow(`Zz${'\ufdfa'.repeat(77)}ﷻ`)
    const before = await addForNow('Zzz')
    const seen: string[] = []
    let next: string | null = '/api/business?limit=1&offset=33'
    while (next) {
      const page: Awaited<ReturnType<typeof api>> = await api(app, next)
      expect(page.status).toBe(200)
      seen.push(...page.body.map((business: BusinessByName) => business.business_id))
      next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1] ?? null
    }
    // both have the same sort key: their ids keep them apart
    expect(seen.slice(-3)).toEqual([before, ...[grown, alike].sort()])
  })
  const namesOn = async (path: string) => {
    const { body, headers } = await api(app, path)
    const link = (rel: string) => new RegExp(`<([^>]+)>; rel="${rel}"`).exec(headers.get('link') ?? '')?.[1] ?? null
    return {
      names: body.map((each: BusinessByName) => each.business_name) as string[],
      next: link('next'),
      prev: link('prev'),
    }
  }
  it('begin at a letter, without accents; a letter without names begins at the next one', async () => {
    expect((await namesOn('/api/business?from=a&limit=2')).names).toEqual(['Ämtlibeiz', 'Café Rhein'])
    const marktstand = await namesOn('/api/business?from=l&limit=30')
    expect([marktstand.names[0], marktstand.names.at(-1)]).toEqual(['Marktstand 00', 'Marktstand 29'])
    expect((await namesOn(marktstand.next!)).names).toEqual(['Zürcher Stube'])
    expect(await namesOn('/api/business?from=z')).toEqual({
      names: ['Zürcher Stube'],
      next: null,
      prev: expect.stringContaining('before='),
    })
    expect((await namesOn('/api/business?from=a')).prev).toBeNull()
  })
  it('list the letters with which names begin', async () => {
    expect((await api(app, '/api/business/letters')).body).toEqual({
      letters: ['a', 'c', 'k', 'm', 'z'],
      before_a: false,
    })
    await addForNow('8 Bar')
    expect((await api(app, '/api/business/letters')).body.before_a).toBe(true)
  })
  it('can be read backwards from any page, through the same pages', async () => {
    const there: string[][] = []
    let at = await namesOn('/api/business?limit=10')
    there.push(at.names)
    expect(at.prev).toBeNull()
    while (at.next) there.push((at = await namesOn(at.next)).names)
    expect(there.map((names) => names.length)).toEqual([10, 10, 10, 4])
    const back = [at.names]
    while (at.prev) back.unshift((at = await namesOn(at.prev)).names)
    expect(back).toEqual(there)
    // forward again
    expect((await namesOn(at.next!)).names).toEqual(there[1])
    // also from a cursor between two names
    expect((await namesOn((await namesOn('/api/business?offset=12&limit=10')).prev!)).names).toEqual([
      ...there[0]!.slice(2),
      ...there[1]!.slice(0, 2),
    ])
  })
  it.each(['from=', 'before='])('ignore an empty %s', async (query) => {
    expect((await namesOn(`/api/business?${query}`)).names[0]).toBe('Ämtlibeiz')
  })
  it.each(['from=%C3%A4', 'from=aa', 'before=abc', 'before=WyJhIiwiYiJd'])('refuse %s', async (query) => {
    expect((await api(app, `/api/business?${query}`)).status).toBe(400)
  })
  it('find the beginning of a word, and parts within words only if no word begins like that', async () => {
    const found = async (q: string) =>
      (await api(app, `/api/business?q=${encodeURIComponent(q)}`)).body.map(
        (each: BusinessByName) => each.business_name,
      )
    await addForNow('Fliegenkopf')
    expect(await found('coop')).toEqual(['Fliegenkopf'])
    await addForNow('Coop City')
    await addForNow('Alte Cooperative')
    expect(await found('coop')).toEqual(['Alte Cooperative', 'Coop City'])
    expect(await found('alte coop')).toEqual(['Alte Cooperative'])
    expect(await found('genkopf')).toEqual(['Fliegenkopf'])
  })
  it('find words in any order, spelling and apostrophe, also beside the name of the town', async () => {
    const found = async (q: string) =>
      (await api(app, `/api/business?q=${encodeURIComponent(q)}`)).body.map(
        (each: BusinessByName) => each.business_name,
      )
    await addForNow('Restaurant Kronenhalle', { address: 'Rämistrasse 4, 8001 Zürich' })
    await addForNow("Mc Donald's", { address: 'Steinentorstrasse 1, 4051 Basel' })
    await addForNow('McDonald’s Drive', { address: 'Baslerstrasse 9, 4123 Allschwil' })
    await addForNow('Gasthof zum Rössli', { address: 'Dorf 1, Binningen' })
    await addForNow('Basler Papiermühle', { address: null })
    expect(await found('Kronehalle')).toEqual(['Restaurant Kronenhalle'])
    expect(await found('kronenhalle restaurant')).toEqual(['Restaurant Kronenhalle'])
    expect(await found('zuerich kronenhale')).toEqual(['Restaurant Kronenhalle'])
    for (const typed of ['Mcdonalds', "mcdonald's", 'McDonald’s', 'mc donalds', 'Mc Donald‘s'])
      expect(await found(typed), typed).toEqual(["Mc Donald's", 'McDonald’s Drive'])
    expect(await found('Mcdonalds Basel')).toEqual(["Mc Donald's"])
    expect(await found('mcdonalds 4123')).toEqual(['McDonald’s Drive'])
    expect(await found('binningen roessli')).toEqual(['Gasthof zum Rössli'])
    expect(await found('Mcdonalds Binningen')).toEqual([])
    // a town or a street alone finds nothing
    expect(await found('Basel')).toEqual([])
    expect(await found('basl')).toEqual(['Basler Papiermühle'])
    expect(await found('Allschwil')).toEqual([])
    expect(await found('Steinentorstrasse')).toEqual([])
    // a changed name or town is found by the new one
    await app.db
      .updateTable('businesses')
      .set({ business_name: 'Goldener Sternen' })
      .where('business_name', '=', 'Gasthof zum Rössli')
      .execute()
    expect(await found('sternnen')).toEqual(['Goldener Sternen'])
  })
  it.each(['%', '!!!', '_'])('finds nobody by %s', async (q) => {
    expect((await api(app, `/api/business?q=${encodeURIComponent(q)}`)).body).toEqual([])
  })
  it.each(['%', '_', "'", '\\', '%00'])('takes %s as text', async (q) => {
    expect([200, 400]).toContain((await api(app, `/api/business?q=${encodeURIComponent(q)}`)).status)
  })
})

describe('a view of the public page', () => {
  const view = (id: string, init: RequestInit = {}) => api(app, `/api/business/${id}/view`, { method: 'PUT', ...init })
  const counted = async () => {
    await written()
    const row = await app.db
      .selectFrom('view_hours')
      .select(({ fn }) => [fn.sum<number>('views').as('views'), fn.sum<number>('visitors').as('visitors')])
      .where('subject_id', '=', cafe)
      .executeTakeFirstOrThrow()
    return { views: Number(row.views), visitors: Number(row.visitors) }
  }
  beforeEach(async () => {
    await written()
    await app.db.deleteFrom('view_hours').execute()
    await app.db.deleteFrom('view_visits').execute()
  })
  it('counts at most ten times per visitor in 30 minutes, also at once, and always answers 204', async () => {
    const answers = await crowd(40, () => view(cafe))
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([204]))
    expect(await counted()).toEqual({ views: 10, visitors: 1 })
  })
  it('counts again after 30 minutes, as the same visitor', async () => {
    for (let n = 0; n < 12; n++) await view(cafe)
    expect(await counted()).toEqual({ views: 10, visitors: 1 })
    app.setNow('2026-06-20T18:00:01Z')
    await view(cafe)
    expect(await counted()).toEqual({ views: 11, visitors: 1 })
  })
  it('tells visitors apart by browser, and ignores X-Forwarded-For', async () => {
    await view(cafe)
    await view(cafe, { headers: { 'user-agent': 'another phone' } })
    for (let n = 0; n < 20; n++)
      await view(cafe, { headers: { 'user-agent': 'another phone', 'x-forwarded-for': `203.0.113.${n}` } })
    expect(await counted()).toEqual({ views: 11, visitors: 2 })
  })
  it('counts at most 200 from one address in 30 minutes, whatever the browsers', async () => {
    for (let n = 0; n < 260; n += 20)
      await Promise.all(
        Array.from({ length: 20 }, (_, m) => view(cafe, { headers: { 'user-agent': `name ${n + m}` } })),
      )
    expect(await counted()).toEqual({ views: 200, visitors: 200 })
  })
  it('counts an IPv6 network as one address', async () => {
    const behindProxy = await appForTest({ rooms, env: { TRUST_PROXY: 'on' } })
    const bar = await addBusiness(behindProxy.db, 'Bar am Rhein')
    const from = (n: number) => ({ 'x-forwarded-for': `2001:db8:1:2::${n.toString(16)}`, 'user-agent': `name ${n}` })
    for (let n = 0; n < 220; n += 20)
      await Promise.all(
        Array.from({ length: 20 }, (_, m) =>
          api(behindProxy, `/api/business/${bar}/view`, { method: 'PUT', headers: from(n + m) }),
        ),
      )
    await written()
    const { views } = await behindProxy.db.selectFrom('view_hours').select('views').executeTakeFirstOrThrow()
    expect(Number(views)).toBe(200)
  })
  it('counts the same whether the views of a visitor come within one second or two', async () => {
    for (const many of [4, 5, 6]) {
      await Promise.all(Array.from({ length: many }, () => view(cafe)))
      await view(cafe, { headers: { 'user-agent': 'another phone' } })
      await written()
    }
    expect(await counted()).toEqual({ views: 13, visitors: 2 })
  })
  it('on another instance counts against the same limits', async () => {
    const second = await anotherInstance(app)
    const crowd = [app, second].flatMap((at) =>
      Array.from({ length: 8 }, () => api(at, `/api/business/${cafe}/view`, { method: 'PUT' })),
    )
    await Promise.all(crowd)
    await written()
    // a stop writes the views in memory
    await second.stop()
    expect(await counted()).toEqual({ views: 10, visitors: 1 })
  })
  it('that cannot be written is lost, and the next one counts', async () => {
    await sql`alter table view_hours rename to view_hours_away`.execute(app.db)
    try {
      await view(cafe)
      await written()
    } finally {
      await sql`alter table view_hours_away rename to view_hours`.execute(app.db)
    }
    expect(await counted()).toEqual({ views: 0, visitors: 0 })
    await view(cafe)
    await written()
    expect(await counted()).toEqual({ views: 1, visitors: 1 })
  })
  it('stores no address', async () => {
    await view(cafe)
    await written()
    const rows = await app.db.selectFrom('view_visits').selectAll().execute()
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toContain('127.0.0.1')
  })
  it('ignores any body and content type', async () => {
    expect((await view(cafe, { headers: { 'content-type': 'application/json' }, body: '{"broken' })).status).toBe(204)
    expect((await view(cafe, { headers: { 'content-type': 'image/png' }, body: 'x'.repeat(10_000) })).status).toBe(204)
  })
  it('of an unknown business is a 404', async () => {
    expect((await view('0190a000-0000-7000-8000-000000000000')).status).toBe(404)
    expect((await view('x')).status).toBe(404)
  })
})
