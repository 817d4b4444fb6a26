import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { fillDemo } from '../src/app/demo/fill-demo.ts'
import { rooms } from '../src/app/rooms.ts'
import type { House, Room } from '../src/kit/server/room.ts'
import { operation, type Operation } from '../src/kit/server/serve-endpoint.ts'
import { endpoint } from '../src/kit/shared/endpoint.ts'
import { queryNumber } from '../src/kit/shared/input.ts'
import { invalidInput } from '../src/kit/shared/refusal.ts'
import { aVisitor, get } from './people.ts'
import { api, appForTest } from './start-app.ts'

const listLanterns = endpoint({
  method: 'GET',
  path: '/api/lanterns',
  summary: 'Lanterns along the river',
  tag: 'lanterns',
  access: 'public',
  answer: z.array(z.object({ lit: z.boolean() })).max(3),
  refusals: [],
})

/** The map view of the same address. */
const mapLanterns = endpoint({
  method: 'GET',
  path: '/api/lanterns?view=map',
  summary: 'Where the lanterns are',
  tag: 'lanterns',
  query: z.object({ zoom: queryNumber(1, 20) }),
  access: 'public',
  answer: z.array(z.object({ latitude: z.number(), zoom: z.number() })).max(3),
  refusals: [invalidInput],
})

/** A new room that is only a manifest. */
function lanterns(heard: unknown[]): Room<{ house: House }> {
  return {
    name: 'lanterns',
    looksInto: [],
    open: (house) => ({ house }),
    operations: () => [operation(listLanterns, async () => [{ lit: true }])],
    jobs: () => ({ 'light-lanterns': { cron: '0 20 * * *', run: async () => {} } }),
    onFacts: () => ({ 'dusk-fell': async (data) => void heard.push(data) }),
    serve: (app) => void app.get('/lanterns.txt', async () => 'lit'),
    sitemap: () => ({ pages: [{ path: '/lanterns' }] }),
    privatePages: ['/lanterns/mine'],
    demo: async (trx) => void (await sql`create table demo_lanterns (lit boolean)`.execute(trx)),
    answers: () => ({
      personalData: {
        exportOf: async () => ({ lanterns: [{ lit: true }] }),
        hasContent: async () => false,
        forget: async () => {},
      },
    }),
  }
}

const nothingLeftOut = (sentence: string, cause: unknown) => {
  throw new Error(sentence, { cause })
}

describe('a new room is its manifest', () => {
  it('has endpoints, documentation, a sitemap, nightly jobs and a part in exports', async () => {
    const heard: unknown[] = []
    const room = lanterns(heard)
    const app = await appForTest({ jobs: 'queue', rooms: [...rooms, room] })
    expect((await api(app, '/api/lanterns')).body).toEqual([{ lit: true }])
    expect((await api(app, '/api/openapi.json')).body.paths).toHaveProperty(['/api/lanterns'])
    expect(await (await fetch(`${app.url}/lanterns.txt`)).text()).toBe('lit')
    expect(await (await fetch(`${app.url}/sitemap-pages.xml`)).text()).toContain(`${app.url}/lanterns</loc>`)
    expect(await (await fetch(`${app.url}/robots.txt`)).text()).toContain('Disallow: /lanterns/mine\n')
    const { rows } = await sql<{ cron: string }>`
      select cron from jobs.schedule where name = 'light-lanterns'`.execute(app.db)
    expect(rows).toEqual([{ cron: '0 20 * * *' }])
    const { authToken } = await aVisitor(app)
    const exported = await fetch(`${app.url}/api/me/export`, { headers: { authorization: `Bearer ${authToken}` } })
    expect(Buffer.from(await exported.arrayBuffer()).includes('lanterns.csv')).toBe(true)
  })

  it('gets facts of lower rooms, only if the change is committed', async () => {
    const heard: unknown[] = []
    const opened: { house?: House } = {}
    const room = lanterns(heard)
    const app = await appForTest({
      rooms: [...rooms, { ...room, open: (house) => ((opened.house = house), { house }) }],
    })
    const undone = app.db.transaction().execute(async (trx) => {
      await opened.house!.publishFact(trx, 'dusk-fell', { at: 'never' })
      throw new Error('the change is undone')
    })
    await expect(undone).rejects.toThrow('undone')
    await app.db.transaction().execute((trx) => opened.house!.publishFact(trx, 'dusk-fell', { at: '20:12' }))
    await app.runJobs()
    expect(heard).toEqual([{ at: '20:12' }])
  })

  it('fills its part into a demo that is older than the room, once', async () => {
    const app = await appForTest({ demo: true })
    const before = await get(app, '/api/deals?limit=1')
    const at = {
      db: app.db,
      clock: { now: () => Temporal.Now.instant() },
      name: 'Rheinklang',
      zone: 'Europe/Zurich',
      centre: { latitude: 47.56, longitude: 7.59 },
    }
    await fillDemo([...rooms, lanterns([])], at, nothingLeftOut)
    await fillDemo([...rooms, lanterns([])], at, nothingLeftOut)
    expect((await sql`select * from demo_lanterns`.execute(app.db)).rows).toEqual([])
    expect((await get(app, '/api/deals?limit=1')).headers.get('x-total-count')).toBe(
      before.headers.get('x-total-count'),
    )
  })

  it('adds no demo to a database with real merchants', async () => {
    const app = await appForTest()
    await sql`insert into businesses (business_id, business_name, slug, category, claimed, canton, created_at, updated_at)
      values (gen_random_uuid(), 'Café Rhein', 'cafe-rhein', 'food', true, 'BS', now(), now())`.execute(app.db)
    const at = {
      db: app.db,
      clock: { now: () => Temporal.Now.instant() },
      name: 'Rheinklang',
      zone: 'Europe/Zurich',
      centre: { latitude: 47.56, longitude: 7.59 },
    }
    await fillDemo([...rooms, lanterns([])], at, nothingLeftOut)
    expect((await sql`select * from demo_parts`.execute(app.db)).rows).toEqual([])
  })
})

describe('a view of an address', () => {
  const map = operation(mapLanterns, async ({ query }) => [{ latitude: 47.56, zoom: query.zoom ?? 12, secret: 1 }])
  const list = operation(listLanterns, async () => [{ lit: true }])
  const withOperations = (...operations: Operation[]): Room<{ house: House }> => ({
    ...lanterns([]),
    operations: () => operations,
  })

  it('is an endpoint with its own input and answer', async () => {
    const app = await appForTest({ rooms: [...rooms, withOperations(list, map)] })
    expect((await api(app, '/api/lanterns?view=map&zoom=3')).body).toEqual([{ latitude: 47.56, zoom: 3 }])
    const refused = await api(app, '/api/lanterns?view=map&zoom=99')
    expect([refused.status, Object.keys(refused.body.fields)]).toEqual([400, ['zoom']])
    // without the view, or with an unknown one, the main operation answers
    for (const path of ['/api/lanterns', '/api/lanterns?view=list', '/api/lanterns?zoom=99&view=map&view=map'])
      expect((await api(app, path)).body, path).toEqual([{ lit: true }])
    const { get: documented } = (await api(app, '/api/openapi.json')).body.paths['/api/lanterns']
    expect(documented.parameters.map(({ name }: { name: string }) => name)).toEqual(['zoom'])
    expect(documented.responses['200'].content['application/json'].schema.anyOf).toHaveLength(2)
  })

  it.each([
    ['without the address itself', [map], 'is answered by 0 operations'],
    ['twice', [list, list, map], 'is answered by 2 operations'],
    [
      'for others than its address lets in',
      [list, operation({ ...mapLanterns, access: 'noticed' }, async () => [])],
      'lets in others than its views',
    ],
  ])('stops the start of a server that answers it %s', async (_, operations, message) => {
    await expect(appForTest({ rooms: [...rooms, withOperations(...operations)] })).rejects.toThrow(message)
  })
})
